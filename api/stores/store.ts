import { setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import { createListeners } from './listeners.ts';
import { StorageUnavailable, toReason } from './storage-unavailable.ts';

/** What a store keeps: a state, and the changes that lead from one state to the next. */
export interface StoreDefinition<State, Change> {
  /** Format version of state and changes, from 1. */
  version: number;
  /** Checks a state that comes from a file. */
  state: z.ZodType<State>;
  empty(): State;
  /** The state after a change. Pure: same input, same output; no clock, no chance, and the old state stays as it was. */
  apply(state: State, change: Change): State;
  /** Turns the state of an older format version into one of this version. */
  migrate?(state: unknown, version: number): unknown;
}

/** What a caller of `update` wants: a change, or null for none, and the result to hand back once all is durable. */
export interface Decision<Change, Result> {
  change: Change | null;
  result: Result;
}

/** State in memory that is durable before anybody hears of it. Reads never wait for the disk. */
export interface Store<State, Change> {
  /** The durable state. Treat it as frozen. */
  readonly state: State;
  /**
   * Decides on a change and makes it durable. `decide` sees the changes that are still on their way to the disk, so that
   * two callers cannot both use up the same thing; what it throws is thrown to the caller. Returns after a flush that
   * began after the decision. Throws StorageUnavailable when that flush failed: the change is then taken back, together
   * with those that were decided on top of it.
   */
  update<Result>(decide: (state: State) => Decision<Change, Result>): Promise<Result>;
  /** Writes the state whole, so that what was removed from it leaves the files too. False when that failed for now. */
  compact(): Promise<boolean>;
  /** Calls back after each flush that changed the state. Returns the function that ends it. */
  onChange(listener: () => void): () => void;
  /** Waits for what is under way, and lets go of the files. */
  close(): Promise<void>;
}

/** Where a store's changes go. One call at a time. */
export interface Backend<State, Change> {
  append(changes: Change[], state: State): Promise<void>;
  /** True when there are so many changes that it's time to write the whole state. */
  isFull(): boolean;
  compact(): Promise<void>;
  close(): Promise<void>;
}

const memory: Backend<unknown, unknown> = {
  append: async () => {},
  isFull: () => false,
  compact: async () => {},
  close: async () => {},
};

/**
 * Builds a store on a backend; without one it lives in memory, for tests.
 *
 * Flushes follow one another and each takes all changes that have come in since the last one began (group commit), so
 * 64 writers share one sync of the disk. A writer's change is in the flush that begins after it, never in one under way.
 */
export function createStore<State, Change>(
  definition: StoreDefinition<State, Change>,
  options: {
    backend?: Backend<State, Change>;
    state?: State;
    /** Gets a sentence when something went wrong that no caller hears of. */
    warn?: (sentence: string) => void;
  } = {},
): Store<State, Change> {
  const { backend = memory as Backend<State, Change>, warn = (sentence) => process.emitWarning(sentence) } = options;
  let durable = options.state ?? definition.empty();
  let pending = durable;
  let waiting: { change: Change | null; resolve: () => void; reject: (error: Error) => void }[] = [];
  let compactionsAsked: ((done: boolean) => void)[] = [];
  let flushing: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  const listeners = createListeners(warn);

  const compact = async (): Promise<boolean> => {
    try {
      await backend.compact();
      return true;
    } catch (error) {
      warn(`A store could not be written whole (${toReason(error)}). Its journal keeps what was acknowledged.`);
      return false;
    }
  };

  const flushBatch = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const changes = batch.map(({ change }) => change).filter((change): change is Change => change !== null);
    const next = pending;
    try {
      if (changes.length > 0) {
        await backend.append(changes, next);
      }
    } catch (cause) {
      const error = new StorageUnavailable(`The change could not be stored (${toReason(cause)}) and was taken back.`, {
        cause,
      });
      // What came in meanwhile was decided on a state that now never was.
      const refused = [...batch, ...waiting];
      waiting = [];
      pending = durable;
      for (const { reject } of refused) {
        reject(error);
      }
      return;
    }
    durable = next;
    if (changes.length > 0) {
      listeners.call();
    }
    for (const { resolve } of batch) {
      resolve();
    }
  };

  const flush = async (): Promise<void> => {
    // One turn of the event loop, so that callers who arrive together, or were answered together, share a flush.
    await turn();
    while (waiting.length > 0 || compactionsAsked.length > 0) {
      if (waiting.length > 0) {
        await flushBatch();
      }
      if (compactionsAsked.length > 0 || backend.isFull()) {
        const asked = compactionsAsked;
        compactionsAsked = [];
        const done = await compact();
        for (const answer of asked) {
          answer(done);
        }
      }
      await turn();
    }
    flushing = null;
  };

  const refuseWhenClosed = (): void => {
    if (closing !== null) {
      throw new StorageUnavailable('The store is closed: the service is stopping.');
    }
  };

  return {
    get state() {
      return durable;
    },

    async update(decide) {
      refuseWhenClosed();
      const { change, result } = decide(pending);
      if (change !== null) {
        pending = definition.apply(pending, change);
      } else if (flushing === null) {
        return result;
      }
      await new Promise<void>((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        flushing ??= flush();
      });
      return result;
    },

    async compact() {
      refuseWhenClosed();
      return new Promise<boolean>((resolve) => {
        compactionsAsked.push(resolve);
        flushing ??= flush();
      });
    },

    onChange: listeners.add,

    close() {
      closing ??= (async () => {
        await flushing;
        await backend.close();
      })();
      return closing;
    },
  };
}
