import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { PageContent } from '#almanac/pages.ts';

/** Where the build puts the text of all pages by sections. Neither file is in the folder that is served. */
export const builtPassagesFile = (distDir: string): string => join(distDir, 'passages.json');

/** Where it puts what reading them for questions came to, in gzip. */
export const builtAnswererFile = (distDir: string): string => join(distDir, 'answerer.bin');

/** Reads the pages that the build wrote down. Throws an Error when the file is not there or cannot be read. */
export async function readBuiltPassages(distDir: string): Promise<PageContent> {
  const file = builtPassagesFile(distDir);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as PageContent;
  } catch (cause) {
    throw new Error(`The passages ${file} cannot be read. Build the site anew.`, { cause });
  }
}

/** What `prepareAnswerer` gave for the pages of a build, on disk: megabytes that are needed once in a while. */
export interface BuiltAnswerer {
  read(): Buffer;
  close(): void;
}

/**
 * Opens what the build prepared for questions, and holds it open: a build that takes the place of this one changes nothing
 * for the service that runs. Throws an Error when the file can't be opened.
 */
export function openBuiltAnswerer(distDir: string): BuiltAnswerer {
  const file = openBuilt(builtAnswererFile(distDir));
  return {
    read() {
      const bytes = Buffer.allocUnsafeSlow(fstatSync(file).size);
      let done = 0;
      let count: number;
      do {
        count = readSync(file, bytes, done, bytes.length - done, done);
        done += count;
      } while (count > 0 && done < bytes.length);
      return gunzipSync(bytes.subarray(0, done));
    },
    close: () => closeSync(file),
  };
}

function openBuilt(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (cause) {
    throw new Error(`What the build prepared for questions, ${file}, cannot be read. Build the site anew.`, { cause });
  }
}
