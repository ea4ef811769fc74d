import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { type PageDate, pageDates } from '#site/page-dates.ts';
import { datedPaths, twinPaths } from '#site/site-map.ts';

const frontMatter = /^---\n.*?\n---\n/s;

/** A hash of what a page says itself: its markdown twin without the front matter and without the owner's settings. */
export function contentHash(markdown: string, config: Config): string {
  const { baseUrl, siteName, ownerName, contact } = config;
  const settings: [string, string][] = [
    [baseUrl, '{base_url}'],
    // As it is written in the query of an address.
    [encodeURIComponent(baseUrl), '{base_url}'],
    [new URL(baseUrl).host, '{host}'],
    [contact, '{contact}'],
    [ownerName, '{owner}'],
    [siteName, '{site}'],
  ];
  const own = settings.reduce((text, [value, name]) => text.replaceAll(value, name), markdown.replace(frontMatter, ''));
  return createHash('sha256').update(own).digest('hex').slice(0, 16);
}

/** The content of each page whose day of change is recorded, in a build of these settings. */
export async function builtContents(clientDir: string, config: Config): Promise<Map<string, string>> {
  const entries = datedPaths.map(async (path): Promise<[string, string]> => {
    const markdown = await readFile(join(clientDir, twinPaths(path).markdown), 'utf8');
    return [path, contentHash(markdown, config)];
  });
  return new Map(await Promise.all(entries));
}

/** Pages whose content isn't the recorded one, and recorded pages that are gone. */
export const undated = (contents: Map<string, string>): string[] => [
  ...[...contents].filter(([path, content]) => pageDates[path]?.content !== content).map(([path]) => path),
  ...Object.keys(pageDates).filter((path) => !contents.has(path)),
];

/** The record with the day of those pages that have changed since. */
export const redated = (contents: Map<string, string>, today: string): Record<string, PageDate> =>
  Object.fromEntries(
    [...contents].map(([path, content]) => {
      const known = pageDates[path];
      return [path, known?.content === content ? known : { content, updated: today }];
    }),
  );
