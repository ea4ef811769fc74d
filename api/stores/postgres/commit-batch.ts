import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageUnavailable, toReason } from '../storage-unavailable.ts';
import type { StoreDefinition } from '../store.ts';
import type { Database } from './database.ts';
import { type Log, type Query, within } from './log.ts';

/** How long a writer looks up what became of its COMMIT before it has to say that it does not know. */
const lookUpMs = 5000;

/** A caller of `update`. */
export interface Waiting<State, Change> {
  /** Decides, and gives what settles the caller once the batch is durable. */
  decide(state: State): { change: Change | null; settle(): void };
  reject(error: unknown): void;
}

/** What is kept in tables of its own next to a store's log, and changes with it: in the same transactions, under the same lock. */
export interface Companion {
  /** Reads what batches up to this one left behind. What was to be saved with an earlier batch is forgotten. */
  load(query: Query, sequence: number): Promise<void>;
  /** Saves what belongs to the batch with this number, which is about to be committed. */
  save(query: Query, sequence: number): Promise<void>;
}

interface Parts<State, Change> {
  companion: Companion | undefined;
  database: Database;
  definition: StoreDefinition<State, Change>;
  log: Log<State, Change>;
  name: string;
}

const insertBatch = `
  with added as (insert into store_batches (store, sequence, version, batch, changes) values ($1, $2, $3, $4, $5))
  select pg_notify($6, $7)`;

/** Whether the batch is in the log. The lock is waited for: until then it may yet be committed. */
async function isStored<State, Change>(batch: string, { database, log, name }: Parts<State, Change>): Promise<boolean> {
  for (const end = Date.now() + lookUpMs; ; ) {
    try {
      return await database.locked(name, async (client) => {
        const { rowCount } = await client.query('select 1 from store_batches where batch = $1', [batch]);
        await log.catchUp(within(client));
        await client.query('commit');
        return rowCount === 1;
      });
    } catch (cause) {
      if (Date.now() > end) {
        throw new StorageUnavailable(`Whether the change was stored could not be found out (${toReason(cause)}).`, {
          cause,
        });
      }
      await wait(100);
    }
  }
}

/**
 * Decides for all who wait, under the lock and on everything there is, and appends their changes as one batch. Gives what
 * settles each caller. Where the connection breaks at COMMIT, the batch's id tells whether it was stored.
 */
export async function commitBatch<State, Change>(
  batch: Waiting<State, Change>[],
  { companion, database, definition, log, name }: Parts<State, Change>,
): Promise<(() => void)[]> {
  const settle: (() => void)[] = [];
  const id = randomUUID();
  let isCommitting = false;
  try {
    await database.locked(name, async (client) => {
      await log.catchUp(within(client));
      await companion?.load(within(client), log.sequence);
      let next = log.state;
      const changes: Change[] = [];
      for (const { decide, reject } of batch) {
        try {
          const decided = decide(next);
          if (decided.change !== null) {
            next = definition.apply(next, decided.change);
            changes.push(decided.change);
          }
          settle.push(decided.settle);
        } catch (error) {
          settle.push(() => reject(error));
        }
      }
      if (changes.length > 0) {
        const text = JSON.stringify(changes);
        const sequence = log.sequence + 1;
        const [channel, payload] = database.toNotice(name, sequence);
        await companion?.save(within(client), sequence);
        await client.query({
          name: 'insert-batch',
          text: insertBatch,
          values: [name, sequence, definition.version, id, text, channel, payload],
        });
        isCommitting = true;
        await client.query('commit');
        log.take(next, sequence, text.length);
      } else {
        await client.query('commit');
      }
    });
  } catch (cause) {
    if (!isCommitting || !(await isStored(id, { companion, database, definition, log, name }))) {
      throw cause;
    }
  }
  return settle;
}
