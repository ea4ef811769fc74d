import type { PoolClient } from 'pg';
import { z } from 'zod';
import { StorageUnavailable } from '../storage-unavailable.ts';
import type { StoreDefinition } from '../store.ts';

/** Folded batches whose ids are kept, for a writer who has to look up what became of its COMMIT. */
const keptIds = 10_000;

interface Row {
  folded: number;
  sequence: number | null;
  version: number | null;
  changes: unknown[] | null;
}

const selectBatches = `
  select s.sequence::float8 as folded, b.sequence::float8 as sequence, b.version, b.changes
  from store_snapshots s left join store_batches b on b.store = s.store and b.sequence > $2
  where s.store = $1 order by b.sequence`;

/** Runs a statement: on a connection in a transaction, or on the database on its own. */
export type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/** The statements of a transaction. */
export const within =
  (client: PoolClient): Query =>
  async (text, values) =>
    (await client.query(text, values)).rows;

const storedSnapshot = z.strictObject({ version: z.int().min(1), sequence: z.int().min(0), state: z.unknown() });

/** What this instance has read of a store's log. */
export type Log<State, Change> = ReturnType<typeof createLog<State, Change>>;

/** Begins at nothing; see the members. Whoever writes holds the store's lock. */
export function createLog<State, Change>(definition: StoreDefinition<State, Change>, name: string) {
  let state = definition.empty();
  let sequence = 0;
  let unfolded = 0;

  const readSnapshot = async (query: Query) => {
    const [row] = await query(
      'select version, sequence::float8 as sequence, state from store_snapshots where store = $1',
      [name],
    );
    return row === undefined ? null : storedSnapshot.parse(row);
  };

  const toState = (stored: unknown): State => {
    const result = definition.state.safeParse(stored);
    if (!result.success) {
      throw new Error(`The store ${name} is damaged: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
    }
    return result.data;
  };

  const refuseNewer = (version: number): void => {
    if (version > definition.version) {
      throw new StorageUnavailable(
        `The store ${name} has format version ${version}, and this program knows versions up to ${definition.version}. ` +
          'Nothing was changed. Use the program that wrote it, or a newer one.',
      );
    }
  };

  const applyRows = (rows: Row[]): void => {
    for (const { sequence: number, version, changes } of rows) {
      if (number === null || version === null) {
        continue;
      }
      refuseNewer(version);
      if (number !== sequence + 1 || changes === null) {
        throw new Error(`The store ${name} is damaged: batch ${sequence + 1} is missing. Restore it from a backup.`);
      }
      if (version !== definition.version) {
        throw new Error(
          `The store ${name} holds changes of format version ${version}, and this program writes version ${definition.version}. ` +
            'Stop the instances of that version in the normal way: the last one folds them into the snapshot.',
        );
      }
      for (const change of changes) {
        state = definition.apply(state, change as Change);
      }
      sequence = number;
      unfolded += JSON.stringify(changes).length;
    }
  };

  const catchUp = async (query: Query): Promise<void> => {
    for (;;) {
      const rows = (await query(selectBatches, [name, sequence])) as Row[];
      const folded = rows[0]?.folded ?? 0;
      if (folded <= sequence) {
        applyRows(rows);
        return;
      }
      // Somebody has folded batches that were not read here.
      const snapshot = await readSnapshot(query);
      refuseNewer(snapshot?.version ?? 0);
      state = toState(snapshot?.state);
      sequence = snapshot?.sequence ?? 0;
      unfolded = 0;
    }
  };

  const fold = async (client: PoolClient): Promise<void> => {
    await client.query(
      `insert into store_snapshots (store, version, sequence, state) values ($1, $2, $3, $4)
       on conflict (store) do update set version = excluded.version, sequence = excluded.sequence, state = excluded.state`,
      [name, definition.version, sequence, JSON.stringify(state)],
    );
    await client.query(
      'update store_batches set changes = null where store = $1 and sequence <= $2 and changes is not null',
      [name, sequence],
    );
    await client.query('delete from store_batches where store = $1 and sequence <= $2', [name, sequence - keptIds]);
    unfolded = 0;
  };

  return {
    get state() {
      return state;
    },
    get sequence() {
      return sequence;
    },
    /** Characters of the batches that are not in the snapshot, as far as this instance has seen. */
    get unfolded() {
      return unfolded;
    },
    /** After an attempt to fold, the next one waits for as much again. */
    postpone(): void {
      unfolded = 0;
    },
    take(next: State, number: number, characters: number): void {
      state = next;
      sequence = number;
      unfolded += characters;
    },
    catchUp,
    fold,
    /** Reads all there is, under the lock; a store of an older format version is migrated, a new one is made. */
    async begin(client: PoolClient): Promise<void> {
      const snapshot = await readSnapshot(within(client));
      refuseNewer(snapshot?.version ?? 0);
      if (snapshot !== null) {
        const { version } = snapshot;
        if (version < definition.version && definition.migrate === undefined) {
          throw new Error(
            `The store ${name} has format version ${version}, and nothing says how it becomes version ${definition.version}.`,
          );
        }
        state = toState(version < definition.version ? definition.migrate?.(snapshot.state, version) : snapshot.state);
        sequence = snapshot.sequence;
      }
      applyRows((await within(client)(selectBatches, [name, sequence])) as Row[]);
      if (snapshot?.version !== definition.version) {
        await fold(client);
      }
    },
  };
}
