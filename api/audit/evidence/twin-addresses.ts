import type { Exchange } from '../../fetch/exchange.ts';
import { linkHeaderOf } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';

/**
 * Where the markdown of a page is by custom, the commonest form first: `.md` in place of the extension or after the
 * path, index.md in a folder, and `.md` after an HTML extension (llmstxt.org, version of August 2026).
 */
export function customaryTwins(page: string): [string, ...string[]] {
  const at = (path: string): string => {
    const url = new URL(page);
    url.search = '';
    url.hash = '';
    url.pathname = path;
    return url.href;
  };
  const { pathname } = new URL(page);
  if (pathname.endsWith('/')) {
    const parent = pathname.slice(0, -1);
    const beside = parent === '' ? [] : [at(`${parent}.md`)];
    return [at(`${pathname}index.md`), ...beside, at(`${pathname}index.html.md`)];
  }
  return /\.html?$/i.test(pathname)
    ? [at(pathname.replace(/\.html?$/i, '.md')), at(`${pathname}.md`)]
    : [at(`${pathname}.md`), at(`${pathname}/index.md`)];
}

/** Where the markdown of a page would be by the commonest custom. */
export const customaryTwin = (page: string): string => customaryTwins(page)[0];

/** The markdown that a page names: in a Link header, in its head, or by a link that people see. */
export function advertisedTwin(exchange: Exchange): string | null {
  const facts = htmlOf(exchange);
  const links = [...linkHeaderOf(exchange), ...facts.headLinks, ...facts.links];
  return links.find(({ rel, type }) => rel.includes('alternate') && type === 'text/markdown')?.href ?? null;
}
