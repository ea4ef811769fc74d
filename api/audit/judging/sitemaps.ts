import type { Exchange } from '../../fetch/exchange.ts';
import { namedExchanges } from '../evidence/exchange-name.ts';
import type { Evidence } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';
import { sitemapOf } from '../facts/sitemap.ts';
import { isHtml } from './gates.ts';

/** The sitemaps and sitemap indexes that were read, in the order of their names. */
export const sitemapExchanges = (evidence: Evidence): Exchange[] =>
  namedExchanges(evidence.exchanges)
    .filter(([name]) => name === 'sitemap' || name.startsWith('sitemap:'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, exchange]) => exchange)
    .filter(isSuccess)
    .filter((exchange) => !isHtml(exchange) && sitemapOf(exchange).kind !== 'none');

/** The pages that they list. */
export const sitemapEntries = (evidence: Evidence): { loc: string; lastmod: string | null }[] =>
  sitemapExchanges(evidence).flatMap((exchange) =>
    sitemapOf(exchange).kind === 'urlset' ? sitemapOf(exchange).entries : [],
  );
