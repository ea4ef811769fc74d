import { z } from 'zod';
import { PaymentRefused } from './payment-refused.ts';
import type { Seal } from './seal.ts';

/** What a quote promises: this resource for this amount, to be paid before `expires`. */
export const quote = z.strictObject({
  /** Becomes the id of the payment, so that one quote buys one thing however often it is paid. */
  id: z.string().regex(/^[\w-]{22}$/),
  url: z.string(),
  amountUsd: z.string(),
  /** Unix seconds. */
  expires: z.int(),
});
export type Quote = z.infer<typeof quote>;

const maxLength = 4096;

const valuesOf = ({ id, url, amountUsd, expires }: Quote): (string | number)[] => [id, url, amountUsd, expires];

/** The quote as a token for the client: its JSON in base64url, a dot, the seal. */
export function toQuoteToken(given: Quote, seal: Seal): string {
  return `${Buffer.from(JSON.stringify(given)).toString('base64url')}.${seal.of('quote', valuesOf(given))}`;
}

/** Reads a token that a client sent. Throws PaymentRefused when it is malformed, forged or expired. */
export function verifyQuoteToken(token: unknown, seal: Seal, now: Date): Quote {
  const malformed = (cause?: unknown): PaymentRefused =>
    new PaymentRefused('malformed', 'This is not a quote. Send the `quote` of a 402 response unchanged.', {
      cause,
    });
  if (typeof token !== 'string' || token.length > maxLength) {
    throw malformed();
  }
  const [, text, mark] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
  if (text === undefined || mark === undefined) {
    throw malformed();
  }
  let given: Quote;
  try {
    given = quote.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    throw malformed(cause);
  }
  if (!seal.isOf(mark, 'quote', valuesOf(given))) {
    throw new PaymentRefused('forged', 'This quote was not made here, or it was altered. Ask for a new one.');
  }
  if (now.getTime() >= given.expires * 1000) {
    throw new PaymentRefused(
      'expired',
      `This quote was good until ${new Date(given.expires * 1000).toISOString()}. Repeat the original request for a new one.`,
    );
  }
  return given;
}
