import { setImmediate as turn } from 'node:timers/promises';
import { createListeners } from '../listeners.ts';
import { StorageUnavailable, toReason } from '../storage-unavailable.ts';
import type { Decision, Store, StoreDefinition } from '../store.ts';
import { type Companion, commitBatch, type Waiting } from './commit-batch.ts';
import type { Database } from './database.ts';
import { createLog, within } from './log.ts';

/** Where a store lies in a database and how it behaves there. */
export interface PostgresPlace {
  database: Database;
  /** Its name: lowercase letters and hyphens. */
  name: string;
  /** What is kept beside the log. */
  companion?: Companion;
  /** Length of the log in characters from which on the state is written whole. */
  compactAfterBytes?: number;
  /** Gets a sentence when something went wrong that no caller hears of; a process warning unless given. */
  warn?: (sentence: string) => void;
}

/** What a store does in its database. Listeners hear of a change before the caller does. */
function createWork<State, Change>({
  companion,
  database,
  definition,
  log,
  name,
  listeners,
  warn,
}: {
  companion: Companion | undefined;
  database: Database;
  definition: StoreDefinition<State, Change>;
  log: ReturnType<typeof createLog<State, Change>>;
  name: string;
  listeners: ReturnType<typeof createListeners>;
  warn: (sentence: string) => void;
}) {
  /** Tells the listeners if the work changed the state, whether or not it succeeded. */
  const announcing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const before = log.state;
    try {
      return await work();
    } finally {
      if (log.state !== before) {
        listeners.call();
      }
    }
  };

  const commit = (batch: Waiting<State, Change>[]): Promise<(() => void)[]> =>
    announcing(() => commitBatch(batch, { companion, database, definition, log, name }));

  const refresh = async (): Promise<void> => {
    try {
      await announcing(() => log.catchUp(database.query));
    } catch (error) {
      // Without the database there is nothing to read; when it is back every store is touched.
      if (!(error instanceof StorageUnavailable)) {
        warn(`The store ${name} could not be read again (${toReason(error)}).`);
      }
    }
  };

  const compact = async (isAsked: boolean): Promise<boolean> => {
    try {
      await announcing(() =>
        database.locked(name, async (client) => {
          await log.catchUp(within(client));
          await log.fold(client);
          await client.query('commit');
        }),
      );
      if (isAsked) {
        // What was removed leaves the pages of the tables too, once they are written anew.
        await database.query('vacuum (truncate off) store_batches, store_snapshots');
      }
      return true;
    } catch (error) {
      warn(`The store ${name} could not be written whole (${toReason(error)}). Its log keeps what was acknowledged.`);
      return false;
    }
  };

  return { commit, refresh, compact };
}

/**
 * Opens a store that several instances share. It is a log of batches: an instance decides while it holds the store's lock and
 * has read every batch there is, and appends what it decided as one more batch, which it tells the others of. All of them hold
 * the state in memory, so reads never wait for the database, and go on when it is gone. Waiting decisions share a batch.
 *
 * Compared with the files, `update` decides later, when the lock is held, and `decide` is called exactly once all the same.
 *
 * Throws an Error, and changes nothing, when what is stored is damaged or of a newer version.
 */
export async function openPostgresStore<State, Change>(
  definition: StoreDefinition<State, Change>,
  {
    companion,
    database,
    name,
    compactAfterBytes = 4 * 1024 * 1024,
    warn = (sentence) => process.emitWarning(sentence),
  }: PostgresPlace,
): Promise<Store<State, Change>> {
  const log = createLog(definition, name);
  await database.locked(name, async (client) => {
    await log.begin(client);
    await client.query('commit');
  });

  let waiting: Waiting<State, Change>[] = [];
  let compactionsAsked: ((done: boolean) => void)[] = [];
  let isBehind = false;
  let busy: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  const listeners = createListeners(warn);

  const { commit, refresh, compact } = createWork({ companion, database, definition, log, name, listeners, warn });

  const flushBatch = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    let settle: (() => void)[];
    try {
      settle = await commit(batch);
    } catch (cause) {
      const error =
        cause instanceof StorageUnavailable
          ? cause
          : new StorageUnavailable(`The change could not be stored (${toReason(cause)}).`, { cause });
      settle = batch.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
    for (const each of settle) {
      each();
    }
  };

  const run = async (): Promise<void> => {
    // One turn of the event loop, so that callers who arrive together, or were answered together, share a batch.
    await turn();
    while (waiting.length > 0 || isBehind || compactionsAsked.length > 0) {
      if (waiting.length > 0) {
        await flushBatch();
      } else if (isBehind) {
        isBehind = false;
        await refresh();
      }
      if (compactionsAsked.length > 0 || log.unfolded > compactAfterBytes) {
        const asked = compactionsAsked;
        compactionsAsked = [];
        const done = await compact(asked.length > 0);
        log.postpone();
        for (const answer of asked) {
          answer(done);
        }
      }
      await turn();
    }
    busy = null;
  };

  const stopListening = database.onTouch(name, (sequence) => {
    if (closing === null && (sequence === null || sequence > log.sequence)) {
      isBehind = true;
      busy ??= run();
    }
  });

  const refuseWhenClosed = (): void => {
    if (closing !== null) {
      throw new StorageUnavailable('The store is closed: the service is stopping.');
    }
  };

  return {
    get state() {
      return log.state;
    },

    async update<Result>(decide: (state: State) => Decision<Change, Result>) {
      refuseWhenClosed();
      return new Promise<Result>((resolve, reject) => {
        waiting.push({
          decide: (state) => {
            const { change, result } = decide(state);
            return { change, settle: () => resolve(result) };
          },
          reject,
        });
        busy ??= run();
      });
    },

    async compact() {
      refuseWhenClosed();
      return new Promise<boolean>((resolve) => {
        compactionsAsked.push(resolve);
        busy ??= run();
      });
    },

    onChange: listeners.add,

    close() {
      closing ??= (async () => {
        stopListening();
        await busy;
        if (log.unfolded > 0) {
          await compact(false);
        }
      })();
      return closing;
    },
  };
}
