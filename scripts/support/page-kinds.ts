import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sitePages } from '#site/site-map.ts';

/** A page that stands for all of its kind. */
export interface PageOfKind {
  kind: string;
  path: string;
}

/**
 * One page of each kind of the site map: the one with the most HTML in the folder of built files, because what breaks or
 * is slow shows there first.
 */
export function pagesByKind(clientDir: string): PageOfKind[] {
  const sizeOf = (path: string): number => {
    const file = join(clientDir, `${path === '/' ? '/index' : path}.html`);
    return existsSync(file) ? statSync(file).size : 0;
  };
  return [...Map.groupBy(sitePages, (page) => page.kind)].map(([kind, pages]) => ({
    kind,
    path: pages.map((page) => page.path).reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one)),
  }));
}
