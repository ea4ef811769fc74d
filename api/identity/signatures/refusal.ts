import type { SignatureReason } from '../../contract/signature-report.ts';

/** Thrown inside api/identity/signatures when a signature does not count; `message` says what was found and what to do. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: SignatureReason;
  /** The signature base this side computed, when the cryptographic check is what failed. */
  readonly signatureBase: string | null;

  constructor(reason: SignatureReason, message: string, signatureBase: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.signatureBase = signatureBase;
  }
}

/** A value from outside, quoted, in printable ASCII and shortened, to be quoted in a sentence. */
export function excerpt(value: string, maxCharacters = 80): string {
  const cut = value.length > maxCharacters ? `${value.slice(0, maxCharacters)}…` : value;
  return JSON.stringify(cut).replace(/[^\x20-\x7e…]/g, '?');
}
