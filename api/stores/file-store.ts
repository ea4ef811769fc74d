import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Low } from 'lowdb';
import { z } from 'zod';
import { createDurableFile } from './durable-file.ts';
import { type Batch, openJournal } from './journal.ts';
import { openLock } from './lock.ts';
import { StorageUnavailable, toReason } from './storage-unavailable.ts';
import { createStore, type Store, type StoreDefinition } from './store.ts';

/** Where a store's files lie and how it behaves there. */
export interface FilePlace {
  /** Path of the snapshot. The backup copy, journal and lock are in the same folder: `.bak`, `.journal`, `.lock`. */
  file: string;
  /** Length of the journal from which on the state is written whole; 0 writes it after each flush. */
  compactAfterBytes?: number;
  /** Gets a sentence when something went wrong that no caller hears of; a process warning unless given. */
  warn?: (sentence: string) => void;
}

const snapshotSchema = z.strictObject({ version: z.int().min(1), sequence: z.int().min(0), state: z.unknown() });
type Snapshot = z.infer<typeof snapshotSchema>;

/**
 * Opens a store whose acknowledged changes survive kill -9 and a power cut.
 *
 * Two things are on disk. The snapshot is the whole state, held by lowdb, with the sequence number of the last batch in
 * it. The journal holds the batches since: an acknowledged change is always in a synced journal or in a synced
 * snapshot. A compaction writes the snapshot, then its backup copy, then empties the journal; whatever stops it, either
 * copy and the journal together give the whole state, because batches that a copy has already are skipped by number.
 *
 * A snapshot of an older format version is migrated, and kept as it was in `<file>.v<version>`.
 *
 * Throws an Error, and changes nothing, when another process has the store, when a file is damaged, or when it was written
 * by a newer version; StorageUnavailable when the folder cannot be used.
 */
export async function openFileStore<State, Change>(
  definition: StoreDefinition<State, Change>,
  { file, compactAfterBytes = 4 * 1024 * 1024, warn = (sentence) => process.emitWarning(sentence) }: FilePlace,
): Promise<Store<State, Change>> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new StorageUnavailable(`The folder of ${file} could not be made (${toReason(cause)}).`, { cause });
  });
  const lock = openLock(`${file}.lock`);
  try {
    const toState = (state: unknown): State => {
      const result = definition.state.safeParse(state);
      if (!result.success) {
        throw new Error(`is damaged: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
      }
      return result.data;
    };
    const { version } = definition;
    const fresh: Snapshot = { version, sequence: 0, state: definition.empty() };
    const db = new Low<Snapshot>(
      createDurableFile(file, (document) => {
        const snapshot = toSnapshot(document);
        return snapshot.version === version ? { ...snapshot, state: toState(snapshot.state) } : snapshot;
      }),
      fresh,
    );
    await db.read();
    const storedVersion = db.data.version;
    const { journal, batches } = await openJournal(`${file}.journal`, warn);
    try {
      const isFresh = db.data === fresh;
      if (isFresh && batches.length > 0) {
        throw new Error(`${file} is missing, though its journal is there. Restore it from a backup.`);
      }
      let state = toState(toCurrent(file, db.data, definition));
      let { sequence } = db.data;
      for (const batch of batches.filter((candidate) => candidate.sequence > db.data.sequence)) {
        refuseMisfit(file, batch, sequence + 1, version);
        for (const change of batch.changes) {
          state = definition.apply(state, change as Change);
        }
        sequence = batch.sequence;
      }
      if (storedVersion < version) {
        await copyFile(file, `${file}.v${storedVersion}`);
      }
      db.data = { version, sequence, state: toState(state) };
      let fullAtBytes = compactAfterBytes;
      const compact = async (): Promise<void> => {
        // When it fails, the next attempt waits for as much again: on a full disk not each write should pay for one.
        fullAtBytes = journal.bytes + compactAfterBytes;
        await db.write();
        await journal.clear();
        fullAtBytes = compactAfterBytes;
      };
      const compactIfPossible = (): Promise<void> =>
        compact().catch((error) => warn(`${file} could not be written (${toReason(error)}); its journal stays.`));
      if (isFresh || storedVersion < version) {
        await compact();
      } else if (journal.bytes > 0) {
        await compactIfPossible();
      }

      return createStore<State, Change>(definition, {
        state,
        warn,
        backend: {
          async append(changes, next) {
            await journal.append({ version, sequence: sequence + 1, changes });
            sequence += 1;
            db.data = { version, sequence, state: next };
          },
          isFull: () => journal.bytes > fullAtBytes,
          compact,
          async close() {
            if (journal.bytes > 0) {
              await compactIfPossible();
            }
            await journal.close();
            lock.release();
          },
        },
      });
    } catch (error) {
      await journal.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    if (error instanceof Error && 'syscall' in error) {
      throw new StorageUnavailable(`${file} could not be opened (${toReason(error)}).`, { cause: error });
    }
    throw error;
  }
}

function toSnapshot(document: unknown): Snapshot {
  const result = snapshotSchema.safeParse(document);
  if (!result.success) {
    throw new Error('is damaged: it is not {version, sequence, state}', { cause: result.error });
  }
  return result.data;
}

function toCurrent<State, Change>(
  file: string,
  { version, state }: Snapshot,
  definition: StoreDefinition<State, Change>,
): unknown {
  if (version === definition.version) {
    return state;
  }
  if (version > definition.version) {
    throw new Error(
      `${file} has format version ${version}, and this program knows versions up to ${definition.version}. ` +
        'Nothing was changed. Use the program that wrote it, or a newer one.',
    );
  }
  if (definition.migrate === undefined) {
    throw new Error(
      `${file} has format version ${version}, and nothing says how it becomes version ${definition.version}.`,
    );
  }
  return definition.migrate(state, version);
}

function refuseMisfit(file: string, batch: Batch, expected: number, version: number): void {
  if (batch.sequence !== expected) {
    throw new Error(
      `${file} and its journal do not belong together: batch ${expected} is missing, the journal goes on with ${batch.sequence}. ` +
        'Nothing was changed. Restore both from the same backup.',
    );
  }
  if (batch.version !== version) {
    throw new Error(
      `The journal of ${file} holds changes of format version ${batch.version}, and this program writes version ${version}. ` +
        'Start the program that wrote them once more and stop it in the normal way: it then folds them into the snapshot.',
    );
  }
}
