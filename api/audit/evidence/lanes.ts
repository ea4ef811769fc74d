/** Connections at a time: half of them are kept for what others depend on, so that it never queues behind the rest. */
const maxRunning = 16;
const maxRunningRest = 8;

/** Lets a bounded number of requests run at a time, on two lanes. */
export class Lanes {
  readonly #waiting: (() => void)[] = [];
  readonly #waitingRest: (() => void)[] = [];
  #running = 0;
  #runningRest = 0;

  /** Runs `work` as soon as its lane is free. `first`: others depend on it, so it goes before what is waiting. */
  async run<Value>(first: boolean, work: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((resolve) => {
      (first ? this.#waiting : this.#waitingRest).push(() => {
        this.#running += 1;
        this.#runningRest += first ? 0 : 1;
        resolve();
      });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#runningRest -= first ? 0 : 1;
      this.#startNext();
    }
  }

  #startNext(): void {
    const start =
      (this.#running < maxRunning ? this.#waiting.shift() : undefined) ??
      (this.#running < maxRunning && this.#runningRest < maxRunningRest ? this.#waitingRest.shift() : undefined);
    start?.();
  }
}
