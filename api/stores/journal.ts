import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { syncFolder } from './durable-file.ts';
import { toReason } from './storage-unavailable.ts';

/** The changes that became durable together. Sequences count up by one, over all batches a store ever wrote. */
export interface Batch {
  /** Format version of the changes. */
  version: number;
  sequence: number;
  changes: unknown[];
}

/** A file that batches are appended to, one line each. */
export interface Journal {
  /** Length of what is known to be whole. */
  readonly bytes: number;
  /** Appends one batch and returns when it is durable. When it throws, the batch is cut off again. */
  append(batch: Batch): Promise<void>;
  /** Forgets all batches. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const batchSchema = z.strictObject({ version: z.int(), sequence: z.int().min(1), changes: z.array(z.unknown()) });

const toChecksum = (json: string | Buffer): string => crc32(json).toString(16).padStart(8, '0');

/**
 * Opens a journal, creating it where there is none, and reads the batches it holds. A line is the CRC-32 of a JSON text
 * in eight hex digits, a space, and that text: `{"version":1,"sequence":7,"changes":[…]}`.
 *
 * A write that was cut short can only have damaged the last line, and nobody has heard that it succeeded: such a line is
 * cut off, and `warn` gets a sentence. Damage anywhere else is of another kind and throws, changing nothing.
 */
export async function openJournal(
  file: string,
  warn: (sentence: string) => void,
): Promise<{ journal: Journal; batches: Batch[] }> {
  const handle = await open(file, 'a+', 0o600);
  try {
    await syncFolder(dirname(file));
    const content = await handle.readFile();
    const { batches, wholeBytes } = readBatches(file, content);
    if (wholeBytes < content.length) {
      await cutAt(handle, wholeBytes);
      warn(
        `The last line of ${basename(file)} was incomplete (${content.length - wholeBytes} bytes) and was cut off. ` +
          'A line is incomplete when its write was interrupted before anybody heard that it succeeded.',
      );
    }
    return { journal: createJournal(handle, wholeBytes), batches };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function createJournal(handle: FileHandle, wholeBytes: number): Journal {
  let bytes = wholeBytes;
  let isTorn = false;
  const repair = async (): Promise<void> => {
    await cutAt(handle, bytes);
    isTorn = false;
  };

  return {
    get bytes() {
      return bytes;
    },

    async append(batch) {
      if (isTorn) {
        await repair();
      }
      const json = JSON.stringify(batch);
      const line = Buffer.from(`${toChecksum(json)} ${json}\n`);
      try {
        await handle.appendFile(line);
        await handle.datasync();
      } catch (error) {
        // Part of a refused line may be in the file: it must not come back at the next start, nor come before others.
        isTorn = true;
        await repair().catch(() => {});
        throw error;
      }
      bytes += line.length;
    },

    async clear() {
      await cutAt(handle, 0);
      bytes = 0;
      isTorn = false;
    },

    close: () => handle.close(),
  };
}

async function cutAt(handle: FileHandle, bytes: number): Promise<void> {
  await handle.truncate(bytes);
  await handle.sync();
}

function readBatches(file: string, content: Buffer): { batches: Batch[]; wholeBytes: number } {
  const batches: Batch[] = [];
  let start = 0;
  while (start < content.length) {
    const newline = content.indexOf(0x0a, start);
    const end = newline === -1 ? content.length : newline;
    const batch = newline === -1 ? null : toBatch(content.subarray(start, end));
    if (batch === null) {
      if (end + 1 >= content.length) {
        return { batches, wholeBytes: start };
      }
      throw new Error(
        `${file} is damaged: line ${batches.length + 1}, at byte ${start}, does not match its checksum, and whole lines follow it. ` +
          'Nothing was changed. Restore the file from a backup, or give up all changes from that line on: keep a copy, ' +
          `run "truncate -s ${start} ${basename(file)}" and start again.`,
      );
    }
    const previous = batches.at(-1);
    if (previous !== undefined && batch.sequence !== previous.sequence + 1) {
      throw new Error(
        `${file} is damaged: after batch ${previous.sequence} comes batch ${batch.sequence}. Nothing was changed. Restore the file from a backup.`,
      );
    }
    batches.push(batch);
    start = end + 1;
  }
  return { batches, wholeBytes: start };
}

function toBatch(line: Buffer): Batch | null {
  const json = line.subarray(9);
  if (line[8] !== 0x20 || line.toString('latin1', 0, 8) !== toChecksum(json)) {
    return null;
  }
  try {
    return batchSchema.parse(JSON.parse(json.toString()));
  } catch (error) {
    throw new Error(`A journal line matches its checksum and is no batch (${toReason(error)}).`, { cause: error });
  }
}
