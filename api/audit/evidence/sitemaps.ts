import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess, linkHeaderOf } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import { type SitemapFacts, sitemapOf } from '../facts/sitemap.ts';
import type { Reservation } from './request-budget.ts';
import type { RequestScheduler } from './request-scheduler.ts';
import { isSameSite } from './same-site.ts';
import { spread } from './spread.ts';

/** Names that generators give a sitemap when it is not /sitemap.xml: Astro, many plugins, WordPress. */
const usualNames = ['sitemap-index.xml', 'sitemap_index.xml', 'wp-sitemap.xml'];

const placesOfChildren = [1, 2] as const;
const placesOfUsual = [1, 2, 3] as const;

/** The sitemap that a page names by rel=sitemap, as a link element or in a Link header. */
function linkedSitemap(home: Exchange): string | null {
  const links = isSuccess(home) ? [...linkHeaderOf(home), ...htmlOf(home).headLinks] : [];
  return links.find(({ rel }) => rel.includes('sitemap'))?.href ?? null;
}

/**
 * Asks for /sitemap.xml, for those that robots.txt and the home page name, for the other usual names where none of these
 * is one, and for two of an index; returns the pages they list. `root`: the folder of the site.
 */
export async function askSitemaps(
  scheduler: RequestScheduler,
  root: URL,
  home: Exchange,
  listed: string[],
  from: Reservation,
): Promise<string[]> {
  const usual = new URL('sitemap.xml', root).href;
  const other = listed.find((address) => address !== usual && isSameSite(root, address));
  const linked = linkedSitemap(home);
  const asked = await Promise.all([
    scheduler.ask('sitemap', usual, { first: true }),
    ...(other === undefined ? [] : [scheduler.ask('sitemap:listed', other, { first: true, from })]),
    ...(linked === null || linked === usual || linked === other || !isSameSite(root, linked)
      ? []
      : [scheduler.ask('sitemap:linked', linked, { first: true, from })]),
  ]);
  const guessed = factsOf(asked).some(({ kind }) => kind !== 'none')
    ? []
    : await Promise.all(
        placesOfUsual.map((place) =>
          scheduler.ask(`sitemap:usual:${place}`, new URL(usualNames[place - 1] ?? '', root).href, {
            first: true,
            from,
          }),
        ),
      );
  const found = factsOf([...asked, ...guessed]);
  const children = found
    .filter((facts) => facts.kind === 'index')
    .flatMap((facts) => facts.entries.map((entry) => entry.loc))
    .filter((address, index, all) => isSameSite(root, address) && all.indexOf(address) === index);
  const chosen = spread(children, placesOfChildren.length);
  const below = await Promise.all(
    placesOfChildren.flatMap((place) => {
      const address = chosen[place - 1];
      return address === undefined ? [] : [scheduler.ask(`sitemap:child:${place}`, address, { first: true, from })];
    }),
  );
  from.release();
  return [...found, ...factsOf(below)]
    .filter((facts) => facts.kind === 'urlset')
    .flatMap((facts) => facts.entries.map((entry) => entry.loc));
}

const factsOf = (asked: Exchange[]): SitemapFacts[] => asked.filter(isSuccess).map(sitemapOf);
