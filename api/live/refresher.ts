import { setTimeout as wait } from 'node:timers/promises';

/** The pause between two runs at most. */
const longestPauseMs = 200;

/** Runs a job again whenever what it depends on has changed, one run at a time. */
export interface Refresher {
  /** Says that something has changed. Any number of changes during one run are seen to by one more. */
  touch(): void;
  /** Resolves when a run that began after the last `touch` has ended. */
  settled(): Promise<void>;
}

/**
 * Builds a refresher. A run begins at once when none is under way; the next one follows after a pause that is as long
 * as the last run, so that a stream of changes takes half of a processor at most, and more of them share a run. A job
 * that throws is tried again; `onError` hears of it.
 */
export function createRefresher(
  job: () => Promise<void>,
  {
    onError,
    pauseMilliseconds = 20,
    retryMilliseconds = 1000,
  }: { onError: (error: unknown) => void; pauseMilliseconds?: number; retryMilliseconds?: number },
): Refresher {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let lastMs = 0;

  const run = async (): Promise<void> => {
    const begin = performance.now();
    try {
      await job();
      lastMs = performance.now() - begin;
    } catch (error) {
      onError(error);
      setTimeout(touch, retryMilliseconds).unref();
    }
  };

  const start = (): Promise<void> => {
    const own = run().finally(() => {
      if (running === own) {
        running = null;
      }
    });
    running = own;
    return own;
  };

  function touch(): void {
    if (next !== null) {
      return;
    }
    if (running === null) {
      void start();
      return;
    }
    next = running
      .then(() => wait(Math.max(pauseMilliseconds, Math.min(lastMs, longestPauseMs))))
      .then(() => {
        next = null;
        return start();
      });
  }

  return { touch, settled: () => next ?? running ?? Promise.resolve() };
}
