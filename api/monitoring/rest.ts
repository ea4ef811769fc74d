import { performance } from 'node:perf_hooks';

/** Something that holds what's only there to be quick, and can be made or read again. */
export interface Releasable {
  /** Lets go of what nobody has used for this long; false when there was nothing. */
  release(unusedMs: number): boolean;
}

/** What a service at rest gives back, and when. */
export interface RestOptions {
  held: readonly Releasable[];
  /** Collects garbage; Node has it with `--expose-gc`. Without it the engine does that when there's work again. */
  collect?: (() => unknown) | undefined;
  /** How busy the event loop is, 0 to 1, since it was last asked. */
  share?: () => number;
  everyMs?: number;
}

/** Above this share of the event loop's time there's work. */
const work = 0.05;

/** How long there has to be next to no work. */
const quietMs = 60_000;

/** The share of time that the event loop was busy since the last call. */
function createBusyShare(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization;
  };
}

/** Collects garbage in a turn of its own. */
const collectLater = (): unknown => globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });

/**
 * Gives memory back once there has been next to no work for a minute. The engine collects garbage while it makes new: a
 * server without requests would keep what the last of them left.
 */
export function releaseAtRest({
  held,
  collect = collectLater,
  share = createBusyShare(),
  everyMs = 5000,
}: RestOptions): { close(): Promise<void> } {
  let quietForMs = 0;
  // Starting leaves garbage too.
  let isOwed = true;
  const timer = setInterval(() => {
    if (share() > work) {
      quietForMs = 0;
      isOwed = true;
      return;
    }
    quietForMs += everyMs;
    if (quietForMs < quietMs) {
      return;
    }
    const released = held.filter((each) => each.release(quietMs));
    if (isOwed || released.length > 0) {
      isOwed = false;
      // To collect is no work: it would put off by a minute what was used a little later than the rest.
      Promise.resolve(collect()).then(share, () => undefined);
    }
  }, everyMs).unref();
  return {
    async close() {
      clearInterval(timer);
    },
  };
}
