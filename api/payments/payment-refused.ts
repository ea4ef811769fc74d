/**
 * Why a quote or a payment does not count.
 * `missing`: none was sent. `malformed`: it cannot be read. `other-method`: it is an x402 payment, of a scheme, network,
 * asset or payee that is not taken here. `forged`: this service did not make it, or it was altered. `expired`: its time is
 * over. `other-resource`, `other-amount`: it was made for something else. `used`: it has bought something already.
 * `in-use`: another request is being served with it at this moment.
 */
export type RefusalReason =
  | 'missing'
  | 'malformed'
  | 'other-method'
  | 'forged'
  | 'expired'
  | 'other-resource'
  | 'other-amount'
  | 'used'
  | 'in-use';

/** A quote or a payment does not count. The message says why and what to do; nothing was spent. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
