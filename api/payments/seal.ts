import { createHmac, timingSafeEqual } from 'node:crypto';

/** Marks what this service has made, so that it knows it again without keeping it. */
export interface Seal {
  /** HMAC-SHA256 over the purpose and the values in their order, base64url, 43 characters. */
  of(purpose: 'quote' | 'payment', values: readonly (string | number)[]): string;
  /** Whether a mark is the one of these values, in time that does not depend on where they differ. */
  isOf(mark: string, purpose: 'quote' | 'payment', values: readonly (string | number)[]): boolean;
}

/** Builds a seal. The purpose is under the HMAC, so a quote's mark is never taken for a payment's. */
export function createSeal(secret: Uint8Array): Seal {
  if (secret.length < 32) {
    throw new Error(`The secret has ${secret.length} bytes; at least 32 are expected.`);
  }
  const of: Seal['of'] = (purpose, values) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, ...values]))
      .digest('base64url');
  return {
    of,
    isOf: (mark, purpose, values) => {
      const given = Buffer.from(mark);
      const expected = Buffer.from(of(purpose, values));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
