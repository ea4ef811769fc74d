import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../stores/durable-file.ts';
import { openLock } from '../stores/lock.ts';
import { StorageUnavailable, toReason } from '../stores/storage-unavailable.ts';

/** One act of the owner. `entry` is the id of the guestbook entry or key it was about, null for none. */
export const ownerAct = z.strictObject({
  time: z.iso.datetime(),
  by: z.string().min(1),
  action: z.string().min(1),
  entry: z.string().nullable(),
  reason: z.string().nullable(),
});
export type OwnerAct = z.infer<typeof ownerAct>;

/** The owner's acts, in the order done. Nothing in it is ever changed or removed. */
export interface OwnerLog {
  /** Appends an act and returns when it is durable. Append first and act after, and no act goes unlogged. */
  append(act: Omit<OwnerAct, 'time'>): Promise<OwnerAct>;
  /** All acts, oldest first. Lines that are no acts, such as one that a power cut tore, are left out. */
  read(): Promise<OwnerAct[]>;
  close(): Promise<void>;
}

/** Opens a log of JSON lines. Throws StorageUnavailable, as `append` does, when the file cannot be written. */
export async function openOwnerLog({ file, now }: { file: string; now: () => Date }): Promise<OwnerLog> {
  const unavailable = (cause: unknown): never => {
    throw new StorageUnavailable(`${file} could not be written (${toReason(cause)}).`, { cause });
  };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(unavailable);
  const lock = openLock(`${file}.lock`);
  const handle = await open(file, 'a+', 0o600).catch((cause) => {
    lock.release();
    return unavailable(cause);
  });
  let previous: Promise<unknown> = syncFolder(dirname(file)).catch(unavailable);
  await previous;

  const write = async (act: OwnerAct): Promise<void> => {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1, '\n');
    if (size > 0) {
      await handle.read(last, 0, 1, size - 1);
    }
    // A torn line is ended, not removed: the next act starts on a line of its own.
    const start = last.toString() === '\n' ? '' : '\n';
    await handle.appendFile(`${start}${JSON.stringify(act)}\n`);
    await handle.datasync();
  };

  const once = async <Value>(done: Promise<void>, value: Value): Promise<Value> => {
    await done;
    return value;
  };

  return {
    append(act) {
      const timed = ownerAct.parse({ time: now().toISOString(), ...act });
      const written = previous.catch(() => {}).then(() => write(timed).catch(unavailable));
      previous = written;
      return once(written, timed);
    },

    async read() {
      const text = await readAll(handle);
      return text.split('\n').flatMap((line) => {
        try {
          return [ownerAct.parse(JSON.parse(line))];
        } catch {
          return [];
        }
      });
    },

    async close() {
      await previous.catch(() => {});
      await handle.close();
      lock.release();
    },
  };
}

async function readAll(handle: Awaited<ReturnType<typeof open>>): Promise<string> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(size);
  let read = 0;
  while (read < size) {
    const { bytesRead } = await handle.read(bytes, read, size - read, read);
    if (bytesRead === 0) {
      break;
    }
    read += bytesRead;
  }
  return bytes.toString('utf8', 0, read);
}
