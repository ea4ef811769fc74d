import { oncePerContent } from './once-per-exchange.ts';

/** A sitemap or a sitemap index (sitemaps.org 0.9). */
export interface SitemapFacts {
  kind: 'urlset' | 'index' | 'none';
  /** Pages of a urlset, or sitemaps of an index, in order; `loc` as written, entities undone. */
  entries: { loc: string; lastmod: string | null }[];
  /** True when entries beyond 50,000 or the end of a cut body were left unread. */
  cut: boolean;
}

const maxEntries = 50_000;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const toText = (xml: string): string =>
  xml
    .replace(/^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/, '$1')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')
    .trim();

/** The text between two marks of an entry. Only the entry is searched, so that a sitemap costs one pass. */
function between(entry: string, open: string, close: string): string | null {
  const start = entry.indexOf(open);
  const end = start === -1 ? -1 : entry.indexOf(close, start);
  return end === -1 ? null : toText(entry.slice(start + open.length, Math.min(end, start + open.length + 4096)));
}

/** The text without its comments; what follows one that never closes goes too. By position, in one pass. */
function withoutComments(xml: string): string {
  let kept = '';
  let at = 0;
  for (let open = xml.indexOf('<!--'); open !== -1; open = xml.indexOf('<!--', at)) {
    kept += xml.slice(at, open);
    const close = xml.indexOf('-->', open + 4);
    if (close === -1) {
      return kept;
    }
    at = close + 3;
  }
  return kept + xml.slice(at);
}

/** Reads a sitemap without resolving anything: no entities of its own, no external parts. Never throws. */
export function toSitemapFacts(text: string): SitemapFacts {
  const xml = withoutComments(text).replace(/<(\/?)\w{1,40}:(urlset|sitemapindex|url|sitemap|loc|lastmod)\b/g, '<$1$2');
  const root = /<(urlset|sitemapindex)[\s>]/.exec(xml)?.[1];
  if (root === undefined) {
    return { kind: 'none', entries: [], cut: false };
  }
  const element = root === 'urlset' ? 'url' : 'sitemap';
  const facts: SitemapFacts = { kind: root === 'urlset' ? 'urlset' : 'index', entries: [], cut: false };
  const opening = new RegExp(`<${element}[\\s>]`, 'g');
  const closing = `</${element}>`;
  for (let match = opening.exec(xml); match !== null; match = opening.exec(xml)) {
    const end = xml.indexOf(closing, match.index);
    if (end === -1 || facts.entries.length >= maxEntries) {
      facts.cut = true;
      break;
    }
    const entry = xml.slice(match.index, end);
    const loc = between(entry, '<loc>', '</loc>');
    if (loc !== null && loc !== '') {
      facts.entries.push({ loc, lastmod: between(entry, '<lastmod>', '</lastmod>') });
    }
    opening.lastIndex = end;
  }
  return facts;
}

/** The sitemap of an exchange. */
export const sitemapOf = oncePerContent((exchange) => toSitemapFacts(exchange.body));
