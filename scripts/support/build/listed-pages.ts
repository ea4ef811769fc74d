import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Throws an Error that names the pages of the site map that no file in `site/pages/` made. */
export function checkListedPages(clientDir: string, paths: readonly string[]): void {
  const missing = paths.filter((path) => !existsSync(join(clientDir, `${path === '/' ? '/index' : path}.html`)));
  if (missing.length > 0) {
    const [first = ''] = missing;
    throw new Error(
      `site/content/pages.json lists ${missing.join(', ')}, and no file makes ${missing.length === 1 ? 'it' : 'them'}: add site/pages${first}.astro or take ${first} off the list.`,
    );
  }
}
