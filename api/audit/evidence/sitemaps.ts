import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess } from '../facts/headers.ts';
import { type SitemapFacts, sitemapOf } from '../facts/sitemap.ts';
import type { Asker, Reservation } from './asker.ts';
import { isSameSite } from './same-site.ts';
import { spread } from './spread.ts';

/** Asks for /sitemap.xml, one that robots.txt names elsewhere, and two of an index; returns the pages they list. */
export async function askSitemaps(asker: Asker, base: URL, listed: string[], from: Reservation): Promise<string[]> {
  const usual = new URL('/sitemap.xml', base).href;
  const other = listed.find((address) => address !== usual && isSameSite(base, address));
  const asked = await Promise.all([
    asker.ask('sitemap', usual, { first: true }),
    ...(other === undefined ? [] : [asker.ask('sitemap:listed', other, { first: true, from })]),
  ]);
  const found = factsOf(asked);
  const children = found
    .filter((facts) => facts.kind === 'index')
    .flatMap((facts) => facts.entries.map((entry) => entry.loc))
    .filter((address, index, all) => isSameSite(base, address) && all.indexOf(address) === index);
  const below = await Promise.all(
    spread(children, 2).map((address, index) =>
      asker.ask(`sitemap:child:${index + 1}`, address, { first: true, from }),
    ),
  );
  from.release();
  return [...found, ...factsOf(below)]
    .filter((facts) => facts.kind === 'urlset')
    .flatMap((facts) => facts.entries.map((entry) => entry.loc));
}

const factsOf = (asked: Exchange[]): SitemapFacts[] => asked.filter(isSuccess).map(sitemapOf);
