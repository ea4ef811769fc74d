import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { sitePages, twinPaths } from '#site/site-map.ts';

const frontMatter = /^---\n.*?\n---\n\n/s;

/** The markdown twin of every page in reading order, each under its own address. */
export async function toLlmsFull(clientDir: string, config: Config): Promise<string> {
  const parts = await Promise.all(
    sitePages.map(async ({ path }) => {
      const markdown = await readFile(join(clientDir, twinPaths(path).markdown), 'utf8');
      return `Source: ${config.baseUrl}${path}\n\n${markdown.replace(frontMatter, '').trim()}\n`;
    }),
  );
  return `# ${config.siteName}: all pages\n\n> The markdown twin of every page, each under its address. This file is for an index of your own; to read, start at ${config.baseUrl}/llms.txt and fetch single twins.\n\n---\n\n${parts.join('\n---\n\n')}`;
}
