import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import { toJsonPieces } from './json-pieces.ts';
import { toReason } from './storage-unavailable.ts';

/** The second copy of a durable file. */
export const backupOf = (file: string): string => `${file}.bak`;

/**
 * A lowdb adapter for a JSON document that survives a power cut. `write` puts the document into `file` and then into its
 * backup copy: a temporary file of fixed name and mode 0600, written whole and synced, is renamed over each; last, the
 * folder is synced. So at any moment at least one of the two is whole, and a temporary file found at start is rubbish.
 *
 * `read` returns null when neither copy is there. It throws, and changes nothing, when the file is empty, is not JSON, is
 * missing although its backup is there or is refused by `parse`; the sentence says which copy is usable and what to do.
 */
export function createDurableFile<Document>(
  file: string,
  parse: (document: unknown) => Document,
): Adapter<Document> & { file: string } {
  const backup = backupOf(file);
  const temporary = `${file}.tmp`;

  const replace = async (target: string, pieces: readonly Buffer[]): Promise<void> => {
    try {
      const handle = await open(temporary, 'w', 0o600);
      try {
        await handle.writeFile(pieces);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(temporary, target);
    } catch (error) {
      // A half-written file only takes room, and room may be what is missing.
      await rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  };

  return {
    file,

    async read() {
      await rm(temporary, { force: true });
      const bytes = await readBytes(file);
      const backupBytes = await readBytes(backup);
      if (bytes === null && backupBytes === null) {
        return null;
      }
      try {
        return parseBytes(bytes, parse);
      } catch (cause) {
        throw new Error(`${file} ${toReason(cause)}. ${toAdvice(file, backupBytes, parse)}`, { cause });
      }
    },

    async write(document) {
      const pieces = await toJsonPieces(document);
      await replace(file, pieces);
      await replace(backup, pieces);
      await syncFolder(dirname(file));
    },
  };
}

/** Makes the names in a folder durable: without it a power cut can undo a rename or lose a new file. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readBytes(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (toReason(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

function parseBytes<Document>(bytes: Buffer | null, parse: (document: unknown) => Document): Document {
  if (bytes === null) {
    throw new Error('is missing, though its backup copy is there');
  }
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const what = bytes.length === 0 ? 'is empty' : 'is damaged: it is not whole JSON';
    throw new Error(what, { cause });
  }
  return parse(document);
}

function toAdvice(file: string, backupBytes: Buffer | null, parse: (document: unknown) => unknown): string {
  const backup = basename(backupOf(file));
  try {
    parseBytes(backupBytes, parse);
  } catch {
    return `Nothing was changed. Its backup copy ${backup} is not usable either: restore both from a backup of the data folder.`;
  }
  return `Nothing was changed. Its backup copy ${backup} is whole and loses nothing: keep the damaged file aside, copy ${backup} to ${basename(file)}, and start again.`;
}
