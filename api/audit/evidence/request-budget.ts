/** Requests kept for what is asked later. */
export interface Reservation {
  count: number;
  release(): void;
}

/** Why a request is not sent. */
export type Refusal = { outcome: 'not-asked'; error: string };

/** Counts the requests of an audit: those that were sent, that are promised to an exchange, and that are kept for later. */
export class RequestBudget {
  /** Requests sent so far. */
  sent = 0;
  readonly #most: number;
  #committed = 0;
  #reserved = 0;

  constructor(most: number) {
    this.#most = most;
  }

  reserve(count: number): Reservation {
    this.#reserved += count;
    const reservation: Reservation = {
      count,
      release: () => {
        this.#reserved -= reservation.count;
        reservation.count = 0;
      },
    };
    return reservation;
  }

  /** Requests that are neither sent, promised nor reserved. */
  get spare(): number {
    return Math.max(0, this.#most - this.#committed - this.#reserved);
  }

  /** Promises one request to an exchange, out of a reservation if it has one; false when none is left. */
  promise(from?: Reservation): boolean {
    const isPromised = this.#committed + (from === undefined ? this.#reserved : 0) < this.#most;
    if (from !== undefined && from.count > 0) {
      from.count -= 1;
      this.#reserved -= 1;
    }
    this.#committed += isPromised ? 1 : 0;
    return isPromised;
  }

  /** Gives a promised request back that was not sent. */
  giveBack(): void {
    this.#committed -= 1;
  }

  /** Counts a request that is about to be sent, a promised one or one more; says why it may not be. */
  send(isPromised: boolean): Refusal | null {
    if (!isPromised) {
      if (this.#committed + this.#reserved >= this.#most) {
        return { outcome: 'not-asked', error: `The ${this.#most} requests of an audit were used up.` };
      }
      this.#committed += 1;
    }
    this.sent += 1;
    return null;
  }
}
