/** No entry has this id: there never was one, or it was withdrawn, or newer entries pushed it out. */
export class EntryNotFound extends Error {
  override readonly name = 'EntryNotFound';
}

/** The entry stays: the token or the key is not its own, or it is from a time when no tokens were given out. */
export class WithdrawalRefused extends Error {
  override readonly name = 'WithdrawalRefused';
  readonly reason: 'wrong-token' | 'wrong-key' | 'no-token';

  constructor(reason: WithdrawalRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The entry has been reviewed already: only an awaiting entry is labelled or cleared. */
export class ReviewRefused extends Error {
  override readonly name = 'ReviewRefused';
}

/** The idempotency key was used within 24 hours with another body. */
export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict';
}

/** The guestbook is full and this client holds so much of it that it may not push out entries of others for now. */
export class CapReached extends Error {
  override readonly name = 'CapReached';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, message: string) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
