import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageContent } from '#almanac/pages.ts';

/** The file of the build that holds the text of all pages by sections. It is not in the folder that is served. */
export const builtPassagesFile = (distDir: string): string => join(distDir, 'passages.json');

/** Reads the pages that the build wrote down. Throws an Error when the file is not there or cannot be read. */
export async function readBuiltPassages(distDir: string): Promise<PageContent> {
  const file = builtPassagesFile(distDir);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as PageContent;
  } catch (cause) {
    throw new Error(`The passages ${file} cannot be read. Build the site anew.`, { cause });
  }
}
