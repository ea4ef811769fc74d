import { z } from 'zod';

/** The one way to pay here. It is a demonstration: no wallet knows the scheme, the network or the asset. */
export const mockMethod = {
  scheme: 'mock',
  network: 'demo:local',
  asset: 'DEMO',
  payTo: 'demo:nobody',
} as const;

/** What is paid for: the `resource` of x402 version 2. A payment counts for its URL alone. */
const PaidResource = z.object({ url: z.url(), description: z.string(), mimeType: z.string() });
export type PaidResource = z.infer<typeof PaidResource>;

/** The document of a 402, in the PAYMENT-REQUIRED header and in the body (PaymentRequired of x402 version 2). */
export const PaymentRequired = z.object({
  x402Version: z.literal(2),
  /** Why a payment is due, or why the one that came does not count. */
  error: z.string(),
  resource: PaidResource,
  /** What a payment has to be (PaymentRequirements of x402 version 2). */
  accepts: z.array(
    z.object({
      scheme: z.string(),
      network: z.string(),
      asset: z.string(),
      amount: z.string().describe('Millionths of a dollar, as digits.'),
      payTo: z.string(),
      maxTimeoutSeconds: z.int(),
      /** The price as it is written for people, in dollars, and the quote, which goes to `pay_url` as JSON `{quote}`. */
      extra: z.object({ demo: z.literal(true), amount_usd: z.string(), quote: z.string(), pay_url: z.url() }),
    }),
  ),
});
export type PaymentRequired = z.infer<typeof PaymentRequired>;
export type PaymentRequirements = PaymentRequired['accepts'][number];

/** What the mock scheme puts into `payload`. */
export const mockProof = z.strictObject({
  /** 16 random bytes in base64url; what a payment is counted by. */
  id: z.string().regex(/^[\w-]{22}$/),
  /** Unix seconds. */
  issued: z.int().min(0),
  /** Unix seconds. */
  expires: z.int().min(0),
  /** HMAC-SHA256 in base64url over the id, both times, the resource and the amount. */
  hmac: z.string().regex(/^[\w-]{43}$/),
});
export type MockProof = z.infer<typeof mockProof>;

/** A payment as a client sends it (PaymentPayload of x402 version 2). `payload` is checked once the scheme is known. */
export const paymentPayload = z.object({
  x402Version: z.literal(2),
  resource: z.object({ url: z.string() }).nullish(),
  accepted: z.object({
    scheme: z.string(),
    network: z.string(),
    asset: z.string(),
    amount: z.string(),
    payTo: z.string(),
  }),
  payload: z.unknown(),
});
export type PaymentPayload = z.infer<typeof paymentPayload>;

/** What a paid response says of the payment (SettlementResponse of x402 version 2). */
export interface Settlement {
  success: true;
  /** The id of the payment: there is no chain, and so no transaction on one. */
  transaction: string;
  network: typeof mockMethod.network;
  /** Millionths of a dollar, as digits. */
  amount: string;
  extra: { demo: true };
}

/** The value of an x402 header: base64 (RFC 4648 section 4) of the document's JSON in UTF-8. */
export function toHeaderValue(document: object): string {
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

/** The document in the value of an x402 header. Throws an Error that says what is wrong with the value. */
export function fromHeaderValue(value: string): unknown {
  const bytes = Buffer.from(value, 'base64');
  // Buffer skips what is not base64; only a value that comes out the same is one.
  if (bytes.length === 0 || bytes.toString('base64') !== value) {
    throw new Error('It is not base64 (RFC 4648 section 4, with padding).');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error('What is in the base64 is not JSON in UTF-8.', { cause });
  }
}

/** The x402 amount of a price in dollars: `0.005` is `5000` millionths. Throws an Error when it is no price above zero. */
export function toMillionths(amountUsd: string): string {
  const [, dollars, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(amountUsd) ?? [];
  const millionths = dollars === undefined ? 0 : Number(dollars + fraction.padEnd(6, '0'));
  if (millionths === 0) {
    throw new Error(
      `${JSON.stringify(amountUsd)} is not a price: dollars above zero with at most six decimals are expected.`,
    );
  }
  return String(millionths);
}
