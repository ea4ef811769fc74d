import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable, toReason } from './storage-unavailable.ts';

/** A lock that this process holds until it releases it or ends, in whatever way it ends. */
export interface Lock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Makes the file readable by its user alone: anyone who can open it can lock it. A file that exists isn't opened, since
 * closing it again would drop a lock that this process holds.
 */
function keepPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (toReason(error) !== 'EEXIST') {
      throw error;
    }
    chmodSync(file, 0o600);
  }
}

/**
 * Takes the lock file of a store, so that no second process writes the same files.
 *
 * Node has no call for file locks, SQLite has: an exclusive transaction on an empty database holds a lock of the
 * kernel (fcntl) on the file and writes nothing. The kernel drops it when the process ends, kill -9 included, so a lock
 * is never stale and there is no process id to check. It holds between containers that share a local volume, and within
 * one process. On a network file system it is worth what that file system's locks are worth.
 *
 * Throws an Error when somebody holds the lock, StorageUnavailable when the file cannot be opened.
 */
export function openLock(file: string): Lock {
  let database: DatabaseSync | undefined;
  try {
    keepPrivate(file);
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw new Error(
        `${file} is locked: another process uses these files. Stop that process, or give this one another data folder.`,
        { cause },
      );
    }
    throw new StorageUnavailable(`The lock file ${file} could not be opened (${toReason(cause)}).`, { cause });
  }
  const held = database;
  return { release: () => held.close() };
}
