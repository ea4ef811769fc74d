import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { ContentCoding } from './negotiate.ts';
import { toOwnMemory } from './own-memory.ts';
import { type DeclaredTypes, type Form, type Forms, type SiteFiles, toSiteFiles } from './site-files.ts';

/** Most bytes of bodies that are held because somebody read them. */
const heldBytes = 8 * 1024 * 1024;

/** How long ago a body may have been read to stay when the service is at rest. */
const lately = 60_000;

/** Where the build puts the pack: the bytes of all bodies one after the other, and what is where. */
export const packFiles = (distDir: string): { bytes: string; index: string } => ({
  bytes: join(distDir, 'files.pack'),
  index: join(distDir, 'files.json'),
});

/** One form in the index: its length in bytes, its ETag, and where its bytes begin; null when they're what the gzip form holds. */
export type PackedForm = [length: number, etag: string, offset: number | null];

/** The forms of each file by its path below the folder of the built site. */
export type PackIndex = Record<string, Partial<Record<ContentCoding, PackedForm>> & { identity: PackedForm }>;

const unzip = promisify(gunzip);

/** Reads a stretch of the file. Throws an Error when the file ends before. */
async function readStretch(file: FileHandle, length: number, offset: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) {
      throw new Error(`the pack of the built site ends at byte ${offset + done}: run \`npm run build\``);
    }
    done += bytesRead;
  }
  return bytes;
}

/** The built site, read from its pack. */
export interface SitePack {
  site: SiteFiles;
  /** Lets go of the bodies that nobody has read lately; false when there were none. */
  release(): boolean;
  /** Closes the file: nothing can be read after it. */
  close(): Promise<void>;
}

/**
 * Opens the pack of a built site. What is read often stays in memory, up to a limit; and while anyone still sends a
 * body, all who ask for it share its bytes, so that many slow readers of a long file cost no more than one. The file is
 * held open: a build that takes the place of this one changes nothing for the service that runs.
 */
export async function openSitePack(
  distDir: string,
  declaredTypes: DeclaredTypes,
  { heldMs = lately }: { heldMs?: number } = {},
): Promise<SitePack> {
  const paths = packFiles(distDir);
  const index = JSON.parse(await readFile(paths.index, 'utf8')) as PackIndex;
  const file = await open(paths.bytes);
  const recent = new LRUCache<Form, Buffer>({
    maxSize: heldBytes,
    sizeCalculation: (bytes) => bytes.buffer.byteLength || 1,
    ...{ ttl: heldMs, updateAgeOnGet: true, ttlResolution: Math.min(heldMs, 1000) },
  });
  const alive = new WeakMap<Form, WeakRef<Buffer>>();
  const reading = new Map<Form, Promise<Buffer>>();

  const readOnce = (form: Form, load: () => Promise<Buffer>): Promise<Buffer> => {
    const running =
      reading.get(form) ??
      load()
        .then((bytes) => {
          recent.set(form, bytes);
          alive.set(form, new WeakRef(bytes));
          return bytes;
        })
        .finally(() => reading.delete(form));
    reading.set(form, running);
    return running;
  };
  const toPackedForm = ([length, etag]: PackedForm, load: () => Promise<Buffer>): Form => {
    const form: Form = {
      length,
      etag,
      read: () => recent.get(form) ?? alive.get(form)?.deref() ?? readOnce(form, load),
    };
    return form;
  };
  const fromFile = (packed: PackedForm): Form => {
    const [length, , offset] = packed;
    return toPackedForm(packed, () => readStretch(file, length, offset ?? 0));
  };
  const toForms = ({ identity, br, gzip }: PackIndex[string]): Forms => {
    const zipped = gzip && fromFile(gzip);
    return {
      identity:
        identity[2] === null && zipped !== undefined
          ? toPackedForm(identity, async () =>
              toOwnMemory(await unzip(await zipped.read(), { chunkSize: Math.max(identity[0] + 1, 64) })),
            )
          : fromFile(identity),
      ...(br ? { br: fromFile(br) } : {}),
      ...(zipped ? { gzip: zipped } : {}),
    };
  };
  const all = new Map(Object.entries(index).map(([name, forms]) => [name, toForms(forms)]));
  return {
    site: toSiteFiles(all, declaredTypes),
    release: () => recent.purgeStale(),
    close: () => file.close(),
  };
}
