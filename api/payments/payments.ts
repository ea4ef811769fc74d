import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { PaymentRefused } from './payment-refused.ts';
import { toQuoteToken, verifyQuoteToken } from './quote.ts';
import { createSeal, type Seal } from './seal.ts';
import {
  fromHeaderValue,
  type MockProof,
  mockMethod,
  mockProof,
  type PaidResource,
  type PaymentPayload,
  type PaymentRequired,
  type PaymentRequirements,
  paymentPayload,
  type Settlement,
  toHeaderValue,
  toMillionths,
} from './x402.ts';

/** Times and sizes of the demo payment. */
export const paymentPolicy = {
  /** How long after the 402 a quote can be paid. */
  quoteMaxAgeSeconds: 600,
  /** How long after the payment it can be used. */
  paymentMaxAgeSeconds: 600,
  /** How long beyond its expiry a used payment is remembered: covers a clock that is set back. */
  rememberSeconds: 3600,
  /** Longest payment header that is read, in characters. */
  maxHeaderLength: 8192,
} as const;

/** Remembers the payments that were used, durably. */
export interface SpentPayments {
  has(id: string): boolean;
  /** Records the use until a moment; resolves once it is durable. False when it was recorded already. */
  add(id: string, until: Date): Promise<boolean>;
  /** Takes a use back; resolves once that is durable. */
  remove(id: string): Promise<void>;
}

/** The price of one request. */
export interface Price {
  resource: PaidResource;
  /** Dollars with at most six decimals: `0.005`. */
  amountUsd: string;
  /** Whether one payment is good as often as needed until it expires; else for one response. */
  isReusable?: boolean;
}

/** The payment headers of a request, as they came. */
export interface PaymentHeaders {
  /** X-Payment. */
  xPayment?: string | undefined;
  /** PAYMENT-SIGNATURE, the name in x402 version 2. */
  paymentSignature?: string | undefined;
}

/** What `POST /api/pay` answers. */
export const MockPayment = z.object({
  payment: z.string().describe('The value for the header: base64 of an x402 payment payload.'),
  header: z.literal('X-Payment'),
  resource: z.url().describe('The one address that it pays for.'),
  amount_usd: z.string(),
  expires_at: z.iso.datetime(),
  demo: z.literal(true),
});
export type MockPayment = z.infer<typeof MockPayment>;

/** A payment that is held for one request. It ends in exactly one of `commit` and `release`; a `refund` can follow. */
export interface Reservation {
  id: string;
  /**
   * Uses the payment up, before the result is sent: resolves once that is durable, with what the response says of it.
   * Throws what the store throws when it cannot be recorded; the payment is then as good as before.
   */
  commit(): Promise<{
    settlement: Settlement;
    /** Value of X-Payment-Response and PAYMENT-RESPONSE. */
    header: string;
  }>;
  /** Gives the payment back, for a request that ended without a result. Does nothing after `commit`. */
  release(): void;
  /**
   * Gives back a payment that was used up, for a result that broke off through a fault of ours. Resolves once that is
   * durable; throws what the store throws.
   */
  refund(): Promise<void>;
}

/** The demo payment: quote, pay, use. */
export interface Payments {
  /** Makes what a 402 needs. `error` says why payment is due. Each call makes a new quote; nothing is kept. */
  toPaymentRequired(price: Price & { error: string }): {
    document: PaymentRequired;
    /** Value of PAYMENT-REQUIRED. */
    header: string;
    quote: string;
  };
  /**
   * Performs the mock payment. A quote that is paid again gives the same payment with a later expiry, so an answer that got lost
   * can be asked for again. Throws PaymentRefused when the quote is malformed, forged, expired or used.
   */
  pay(quote: unknown): MockPayment;
  /**
   * Takes the payment of a request, so that no other request can: check and hold are one step. Throws PaymentRefused,
   * which says why the payment does not count for this price.
   */
  reserve(headers: PaymentHeaders, price: Price): Reservation;
}

/**
 * Builds the demo payment in the shapes of x402 version 2. No money moves.
 *
 * A quote and a payment carry a seal of the service instead of being stored, so both outlive a restart; what is stored is
 * which payments were used. What is held for a request under way is in memory only: after a crash the payment is good again,
 * because its result was never sent.
 */
export function createPayments({
  secret,
  payUrl,
  spent,
  now,
}: {
  /** At least 32 bytes that stay the same over restarts. */
  secret: Uint8Array;
  /** Absolute URL that takes `{quote}`. */
  payUrl: string;
  spent: SpentPayments;
  now: () => Date;
}): Payments {
  const seal = createSeal(secret);
  const held = new Set<string>();
  const nowSeconds = (): number => Math.floor(now().getTime() / 1000);

  const toRequirements = (amountUsd: string, quote: string): PaymentRequirements => ({
    ...mockMethod,
    amount: toMillionths(amountUsd),
    maxTimeoutSeconds: paymentPolicy.paymentMaxAgeSeconds,
    extra: { demo: true, amount_usd: amountUsd, quote, pay_url: payUrl },
  });

  return {
    toPaymentRequired({ resource, amountUsd, error }) {
      const quote = toQuoteToken(
        {
          id: randomBytes(16).toString('base64url'),
          url: resource.url,
          amountUsd,
          expires: nowSeconds() + paymentPolicy.quoteMaxAgeSeconds,
        },
        seal,
      );
      const document: PaymentRequired = {
        x402Version: 2,
        error,
        resource,
        accepts: [toRequirements(amountUsd, quote)],
      };
      return { document, header: toHeaderValue(document), quote };
    },

    pay(token) {
      const { id, url, amountUsd } = verifyQuoteToken(token, seal, now());
      if (spent.has(id)) {
        throw new PaymentRefused(
          'used',
          'This quote was paid, and the payment was used. Repeat the original request for a new quote.',
        );
      }
      const issued = nowSeconds();
      const expires = issued + paymentPolicy.paymentMaxAgeSeconds;
      const accepted = toRequirements(amountUsd, String(token));
      const hmac = seal.of('payment', [id, issued, expires, url, accepted.amount]);
      const payload: PaymentPayload & { payload: MockProof } = {
        x402Version: 2,
        resource: { url },
        accepted,
        payload: { id, issued, expires, hmac },
      };
      return {
        payment: toHeaderValue(payload),
        header: 'X-Payment',
        resource: url,
        amount_usd: amountUsd,
        expires_at: new Date(expires * 1000).toISOString(),
        demo: true,
      };
    },

    reserve(headers, { resource, amountUsd, isReusable = false }) {
      const amount = toMillionths(amountUsd);
      const { id, expires } = verifyPayment(toPaymentPayload(headers), { url: resource.url, amount, seal, now: now() });
      const used = (): PaymentRefused =>
        new PaymentRefused(
          'used',
          'This payment was used already; it is good for one response. Pay the quote given here.',
        );
      if (spent.has(id) && !isReusable) {
        throw used();
      }
      // Nothing may wait between this look and the hold: a second request with the same payment would pass.
      if (held.has(id) && !isReusable) {
        throw new PaymentRefused(
          'in-use',
          'Another request is being served with this payment. It is good again only if that one ends without a result.',
        );
      }
      held.add(id);

      let state: 'held' | 'ending' | 'committed' | 'released' = 'held';
      return {
        id,

        async commit() {
          if (state !== 'held') {
            throw new Error(`The payment ${id} is ${state} already; a reservation ends once.`);
          }
          state = 'ending';
          try {
            const isFirst = await spent.add(id, new Date((expires + paymentPolicy.rememberSeconds) * 1000));
            if (!isFirst && !isReusable) {
              throw used();
            }
            state = 'committed';
          } finally {
            held.delete(id);
          }
          const settlement: Settlement = {
            success: true,
            transaction: id,
            network: mockMethod.network,
            amount,
            extra: { demo: true },
          };
          return { settlement, header: toHeaderValue(settlement) };
        },

        release() {
          if (state === 'held') {
            state = 'released';
            held.delete(id);
          }
        },

        async refund() {
          if (state === 'committed') {
            state = 'released';
            await spent.remove(id);
          }
        },
      };
    },
  };
}

function toPaymentPayload({ xPayment, paymentSignature }: PaymentHeaders): PaymentPayload {
  const value = paymentSignature ?? xPayment;
  if (value === undefined) {
    throw new PaymentRefused('missing', 'No payment was sent. Pay the quote and repeat the request with X-Payment.');
  }
  if (xPayment !== undefined && xPayment !== value) {
    throw new PaymentRefused('malformed', 'X-Payment and PAYMENT-SIGNATURE hold different payments. Send one of them.');
  }
  const name = paymentSignature === undefined ? 'X-Payment' : 'PAYMENT-SIGNATURE';
  const malformed = (what: string, cause?: unknown): PaymentRefused =>
    new PaymentRefused('malformed', `The ${name} header cannot be read. ${what}`, { cause });
  if (value.length > paymentPolicy.maxHeaderLength) {
    throw malformed(`It has ${value.length} characters; at most ${paymentPolicy.maxHeaderLength} are read.`);
  }
  let document: unknown;
  try {
    document = fromHeaderValue(value);
  } catch (cause) {
    throw malformed(cause instanceof Error ? cause.message : '', cause);
  }
  const result = paymentPayload.safeParse(document);
  if (!result.success) {
    const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the document'))];
    throw malformed(`It is not a payment payload of x402 version 2: look at ${fields.join(', ')}.`, result.error);
  }
  return result.data;
}

/** Returns the proof when the payment is good for the resource and the amount. Whether it was used is not looked at. */
function verifyPayment(
  { resource, accepted, payload }: PaymentPayload,
  { url, amount, seal, now }: { url: string; amount: string; seal: Seal; now: Date },
): MockProof {
  for (const [field, taken] of Object.entries(mockMethod) as [keyof typeof mockMethod, string][]) {
    if (accepted[field] !== taken) {
      throw new PaymentRefused(
        'other-method',
        `The payment has the ${field} ${JSON.stringify(accepted[field].slice(0, 60))}; only ${taken} is taken here. No money moves in this demonstration.`,
      );
    }
  }
  const result = mockProof.safeParse(payload);
  if (!result.success) {
    throw new PaymentRefused(
      'malformed',
      'The `payload` of the payment is not {id, issued, expires, hmac} as the mock payment made it. Send it as it came.',
      { cause: result.error },
    );
  }
  const proof = result.data;
  // The payment is judged by what it says of itself first, so that the refusal can tell a misplaced one from a forged one.
  const paidUrl = resource?.url ?? url;
  const values = [proof.id, proof.issued, proof.expires, paidUrl, accepted.amount];
  if (!seal.isOf(proof.hmac, 'payment', values)) {
    throw new PaymentRefused('forged', 'This payment was not made here, or it was altered. Pay the quote given here.');
  }
  if (now.getTime() >= proof.expires * 1000) {
    throw new PaymentRefused(
      'expired',
      `This payment was good until ${new Date(proof.expires * 1000).toISOString()}. Pay the quote given here.`,
    );
  }
  if (paidUrl !== url) {
    throw new PaymentRefused(
      'other-resource',
      `This payment is for ${paidUrl}, not for ${url}. Pay the quote given here.`,
    );
  }
  if (accepted.amount !== amount) {
    throw new PaymentRefused(
      'other-amount',
      `This payment is over ${accepted.amount} millionths of a dollar; ${amount} are due. Pay the quote given here.`,
    );
  }
  return proof;
}
