import { z } from 'zod';
import type { Evidence } from '../evidence.ts';
import { headerOf, isSuccess } from '../facts/headers.ts';
import type { HtmlFacts } from '../facts/html.ts';
import { isMarkdownText } from '../facts/markdown.ts';
import { robotsOf } from '../facts/robots.ts';
import { readPages } from '../judging/sampled-pages.ts';
import { sitemapEntries, sitemapExchanges } from '../judging/sitemaps.ts';
import { twinAnswerOf } from '../judging/twins.ts';

const maxPages = 100;

/** A page as the generated files list it. */
const briefPage = z.strictObject({
  url: z.url(),
  title: z.string(),
  description: z.string().nullable(),
  markdown: z.url().nullable().describe('Its markdown address, where that answered with markdown.'),
  lastmod: z
    .string()
    .nullable()
    .describe('The day of its last change, from the sitemap or from Last-Modified; null when neither says it.'),
});
export type BriefPage = z.infer<typeof briefPage>;

/** What fixes are made of: everything they need to know of a site, as plain data. Texts are the site's own words. */
export const siteBrief = z.strictObject({
  origin: z.url(),
  home: z.url(),
  name: z.string(),
  summary: z.string().describe("The home page's own description, or its first sentence."),
  language: z.string().nullable(),
  pages: z
    .array(briefPage)
    .max(maxPages)
    .describe('The home page first, then the pages of the sitemap and those that sampled pages link to.'),
  more: z.int().min(0).describe('How many more pages are known than `pages` holds.'),
  sitemap: z.url().nullable().describe('The address of a working sitemap.'),
  robots: z.string().nullable().describe('The robots.txt that was read, at most 8,000 characters.'),
  has_llms_txt: z.boolean(),
  contact: z.string().nullable().describe('A mail address that the sampled pages link to.'),
});
export type SiteBrief = z.infer<typeof siteBrief>;

/** One line without control characters, cut at a word. */
function lineOfText(text: string, length: number): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length).replace(/\s+\S*$/, '')}…`;
}

/** A page without fragment; `/index.html` and `/` are one. */
function pageKey(address: string, base: string): string | null {
  if (!URL.canParse(address, base)) {
    return null;
  }
  const url = new URL(address, base);
  url.hash = '';
  url.pathname = url.pathname.replace(/\/index\.html?$/i, '/');
  return url.href;
}

const isPage = (url: URL): boolean =>
  !/\.(?!html?$|php$|aspx?$)[a-z0-9]{1,5}$/i.test(url.pathname) && url.search === '' && /^https?:$/.test(url.protocol);

/** What the last part of a path says, as words. */
function titleOfPath({ pathname, host }: URL): string {
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  const words = decodeWords(last)
    .replace(/\.[a-z]{1,5}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim();
  return words === '' ? host : `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

function decodeWords(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What a page says first: its text begins with what leads to other pages, so the words after its heading are taken. */
function textAfterHeading({ text, headings }: HtmlFacts): string {
  const heading = headings.find(({ level }) => level === 1)?.text ?? '';
  const at = heading === '' ? -1 : text.indexOf(heading);
  return (at === -1 ? '' : text.slice(at + heading.length).trim()) || text;
}

/** The first sentence of a text; null when it does not begin with one. */
const firstSentence = (text: string): string | null => /^.{20,240}?[.!?。](?=\s|$)/u.exec(text)?.[0] ?? null;

/** What the home page says of itself, else the beginning of its text. */
function summaryOf(home: HtmlFacts): string {
  const text = textAfterHeading(home);
  return home.description ?? firstSentence(text) ?? text.slice(0, 200);
}

/** What tells a page from the others that were read: its heading, else its title. Empty when it shares both. */
function ownTitle(facts: HtmlFacts, all: readonly HtmlFacts[]): string {
  const headingOf = ({ headings }: HtmlFacts): string => headings.find(({ level }) => level === 1)?.text ?? '';
  const isOwn = (of: (facts: HtmlFacts) => string): boolean =>
    all.every((other) => other === facts || of(other) !== of(facts));
  const titleOf = ({ title }: HtmlFacts): string => title ?? '';
  return (isOwn(headingOf) && headingOf(facts)) || (isOwn(titleOf) && titleOf(facts)) || '';
}

/** The name of the site: what it calls itself, else the part of its title that pages share, else the host. */
function nameOf(evidence: Evidence): string {
  const [home, ...others] = readPages(evidence).map(({ facts }) => facts);
  const own = home?.meta['og:site_name'] ?? home?.meta['application-name'];
  if (own !== undefined && own.trim() !== '') {
    return lineOfText(own, 80);
  }
  const parts = (home?.title ?? '').split(/\s+[|·–—:-]\s+/u).filter((part) => part !== '');
  const shared = parts.find((part) => others.some(({ title }) => title !== home?.title && title?.includes(part)));
  return lineOfText(shared ?? parts[0] ?? new URL(evidence.origin).host, 80);
}

/** Gathers what fixes need from the evidence. Pure. */
export function siteBriefOf(evidence: Evidence): SiteBrief {
  const read = readPages(evidence);
  const home = read.find(({ page }) => page.html === 'home')?.facts;
  const found = new Map<string, BriefPage>();
  const add = (address: string, title: string, more: Partial<BriefPage> = {}): void => {
    const key = pageKey(address, evidence.home);
    const url = key === null ? null : new URL(key);
    if (key === null || url === null || url.origin !== evidence.origin || !isPage(url)) {
      return;
    }
    const before = found.get(key);
    const words = lineOfText(title, 120);
    found.set(key, {
      url: key,
      title: before?.title ?? (words === '' ? titleOfPath(url) : words),
      description: before?.description ?? more.description ?? null,
      markdown: before?.markdown ?? more.markdown ?? null,
      lastmod: before?.lastmod ?? more.lastmod ?? null,
    });
  };
  const all = read.map(({ facts }) => facts);
  const texts = new Map(
    read.flatMap(({ facts }) =>
      facts.links
        .filter(({ text }) => /\p{L}{2}/u.test(text) && text.length <= 100)
        .map(({ href, text }): [string, string] => [pageKey(href, evidence.home) ?? href, text]),
    ),
  );
  for (const { page, exchange, facts } of read) {
    const twin = twinAnswerOf(evidence, page);
    const changed = Date.parse(headerOf(exchange, 'last-modified') ?? '');
    const title = ownTitle(facts, all) || texts.get(pageKey(page.url, evidence.home) ?? '') || facts.title || '';
    const description = facts.description ?? firstSentence(textAfterHeading(facts));
    add(page.url, title, {
      description: description === null ? null : lineOfText(description, 240),
      markdown: isMarkdownText(twin) ? twin.url : null,
      lastmod: Number.isNaN(changed) ? null : new Date(changed).toISOString().slice(0, 10),
    });
  }
  for (const { loc, lastmod } of sitemapEntries(evidence)) {
    add(loc, texts.get(pageKey(loc, evidence.home) ?? '') ?? '', { lastmod });
  }
  for (const { facts } of read) {
    for (const { href, text, rel } of facts.links) {
      if (!rel.includes('nofollow') && texts.has(pageKey(href, evidence.home) ?? '')) {
        add(href, text);
      }
    }
  }
  const robots = evidence.exchanges['robots'] ?? null;
  const llms = evidence.exchanges['llms-txt'] ?? null;
  const mail = read
    .flatMap(({ facts }) => facts.links)
    .map(({ href }) => /^mailto:([^?\s]+@[^?\s]+\.[a-z]{2,})/i.exec(href)?.[1])
    .find((address) => address !== undefined);
  const pages = [...found.values()];
  return {
    origin: evidence.origin,
    home: evidence.home,
    name: nameOf(evidence),
    summary: lineOfText(home === undefined ? '' : summaryOf(home), 300),
    language: home?.lang ?? null,
    pages: pages.slice(0, maxPages),
    more: Math.max(0, pages.length - maxPages),
    sitemap: sitemapExchanges(evidence)[0]?.url ?? null,
    robots: isSuccess(robots) && robotsOf(robots).groups.length > 0 ? robots.body.slice(0, 8000) : null,
    has_llms_txt: isSuccess(llms),
    contact: mail ?? null,
  };
}
