import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess, linkHeaderOf } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import { llmsTxtOf } from '../facts/llms-txt.ts';
import type { Asker, Reservation } from './asker.ts';
import { isSameSite } from './same-site.ts';
import { spread } from './spread.ts';

/** A page that was looked at, with the names of its exchanges. */
export interface EvidencePage {
  url: string;
  /** The page with `Accept: text/html`. */
  html: string;
  /** The page with `Accept: text/markdown`. */
  markdown: string;
  /** The markdown address of the page: the one it advertises by rel=alternate, else the customary one. */
  twin: { name: string; url: string; advertised: boolean } | null;
}

/** Which pages are looked at. */
export interface Sample {
  /** How many, the home page among them; 5 unless given. */
  pages?: number | undefined;
  /** Paths of pages that are looked at in any case. */
  paths?: readonly string[] | undefined;
  /** Where the sitemap is, absolute or relative to the home page. */
  sitemap?: string | undefined;
}

/** What the sample is taken from. */
interface Sources {
  home: Exchange;
  sitemaps: Promise<string[]>;
  llms: Promise<Exchange>;
  sample: Sample;
}

const usualPages = 5;
const notPages =
  /\.(?:md|mdx|txt|json|xml|atom|rss|pdf|zip|gz|csv|jsonl|ya?ml|png|jpe?g|gif|svg|webp|avif|ico|css|m?js|mp[34])$/i;

/** The addresses of other pages of the origin: sorted, each once, without fragment. */
function pagesAmong(addresses: string[], base: URL, home: string): string[] {
  const found = new Set<string>();
  for (const address of addresses) {
    if (URL.canParse(address, base)) {
      const url = new URL(address, base);
      url.hash = '';
      if (url.origin === base.origin && url.href !== home && url.pathname !== '/' && !notPages.test(url.pathname)) {
        found.add(url.href);
      }
    }
  }
  return [...found].sort();
}

/** Where a page's markdown twin would be by custom: `/a` → `/a.md`, `/a.html` → `/a.md`, `/a/` → `/a/index.md`. */
export function customaryTwin(page: string): string {
  const url = new URL(page);
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.endsWith('/') ? `${url.pathname}index.md` : `${url.pathname.replace(/\.html?$/i, '')}.md`;
  return url.href;
}

function twinOf(exchange: Exchange): { url: string; advertised: boolean } {
  const links = [...linkHeaderOf(exchange), ...htmlOf(exchange).headLinks];
  const found = links.find((link) => link.rel.includes('alternate') && link.type === 'text/markdown');
  return found === undefined
    ? { url: customaryTwin(exchange.url), advertised: false }
    : { url: found.href, advertised: true };
}

async function askTwin(
  asker: Asker,
  base: URL,
  name: string,
  page: Exchange,
  from: Reservation,
): Promise<EvidencePage['twin']> {
  if (!isSuccess(page)) {
    return null;
  }
  const twin = twinOf(page);
  if (!isSameSite(base, twin.url)) {
    return null;
  }
  await asker.ask(name, twin.url, { first: true, from });
  return { name, ...twin };
}

/** Asks for the home page and up to four others in each form they may have. */
export async function askPages(
  asker: Asker,
  base: URL,
  sources: Sources,
  from: Reservation,
): Promise<{ pages: EvidencePage[]; from: 'sitemap' | 'llms.txt' | 'links' | 'none' }> {
  const [sampled, twin] = await Promise.all([
    askSampled(asker, base, sources, from),
    askTwin(asker, base, 'home-twin', sources.home, from),
    asker.ask('home-markdown', base.href, { accept: 'text/markdown' }),
  ]);
  from.release();
  return {
    pages: [{ url: base.href, html: 'home', markdown: 'home-markdown', twin }, ...sampled.pages],
    from: sampled.from,
  };
}

async function askSampled(
  asker: Asker,
  base: URL,
  { home, sitemaps, llms, sample }: Sources,
  from: Reservation,
): ReturnType<typeof askPages> {
  const [listed, index] = await Promise.all([sitemaps, llms]);
  const indexed = isSuccess(index) ? llmsTxtOf(index).links.map((link) => link.href) : [];
  const linked = isSuccess(home) ? htmlOf(home).links.map((link) => link.href) : [];
  const sources = [
    { from: 'sitemap', pages: pagesAmong(listed, base, base.href) },
    { from: 'llms.txt', pages: pagesAmong(indexed, base, base.href) },
    { from: 'links', pages: pagesAmong(linked, base, base.href) },
  ] as const;
  const source = sources.find(({ pages }) => pages.length > 0);
  const wanted = pagesAmong([...(sample.paths ?? [])], base, base.href);
  const others = (source?.pages ?? []).filter((url) => !wanted.includes(url));
  const room = (sample.pages ?? usualPages) - 1;
  const chosen = [...wanted, ...spread(others, Math.max(0, room - wanted.length))].slice(
    0,
    Math.max(room, wanted.length),
  );
  const pages = await Promise.all(
    chosen.map(async (url, place): Promise<EvidencePage> => {
      const name = `page:${place + 1}`;
      const [twin] = await Promise.all([
        asker
          .ask(name, url, { accept: 'text/html', first: true, from })
          .then((html) => askTwin(asker, base, `${name}:twin`, html, from)),
        asker.ask(`${name}:markdown`, url, { accept: 'text/markdown', from }),
      ]);
      return { url, html: name, markdown: `${name}:markdown`, twin };
    }),
  );
  return { pages, from: source?.from ?? 'none' };
}
