import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import { llmsTxtOf } from '../facts/llms-txt.ts';
import { isMarkdownText } from '../facts/markdown.ts';
import type { ExchangeName } from './exchange-name.ts';
import type { Evidence, EvidencePage } from './recording.ts';
import type { Reservation } from './request-budget.ts';
import type { RequestScheduler } from './request-scheduler.ts';
import { isSameSite } from './same-site.ts';
import { spread } from './spread.ts';
import { advertisedTwin, customaryTwins } from './twin-addresses.ts';

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

/** What pages are asked with. */
interface Asking {
  scheduler: RequestScheduler;
  /** The folder of the site. */
  root: URL;
  /** The address of the home page. */
  base: URL;
  from: Reservation;
}

/** How many pages are looked at, the home page among them, unless the caller says otherwise. */
export const usualPages = 5;
const notPages =
  /\.(?:md|mdx|txt|json|xml|atom|rss|pdf|zip|gz|csv|jsonl|ya?ml|png|jpe?g|gif|svg|webp|avif|ico|css|m?js|mp[34])$/i;
/** Addresses that a CDN adds to every site: they say nothing of it. */
const ofCdn = /^\/cdn-cgi\//;
const indexFile = /\/index\.(?:html?|php|aspx?)$/i;

/** An address without what does not tell pages apart: its fragment and the name of an index file. */
const pageKey = (url: URL): string => `${url.origin}${url.pathname.replace(indexFile, '/')}${url.search}`;

/** The addresses of other pages of the site: sorted, each once, without fragment. */
function pagesAmong(addresses: string[], root: URL, base: URL): string[] {
  const found = new Map<string, string>();
  for (const address of addresses) {
    if (!URL.canParse(address, base)) {
      continue;
    }
    const url = new URL(address, base);
    url.hash = '';
    const key = pageKey(url);
    const isOwn = url.origin === root.origin && url.pathname.startsWith(root.pathname) && key !== pageKey(base);
    if (isOwn && key !== pageKey(root) && !notPages.test(url.pathname) && !ofCdn.test(url.pathname)) {
      found.set(key, found.get(key) ?? url.href);
    }
  }
  return [...found.values()].sort();
}

/** Asks for the markdown address of a page: the one it names, else the commonest form. */
async function askTwin(
  { scheduler, base, from }: Asking,
  name: ExchangeName,
  page: Exchange,
): Promise<EvidencePage['twin']> {
  if (!isSuccess(page)) {
    return null;
  }
  const named = advertisedTwin(page);
  const url = named ?? customaryTwins(page.url)[0];
  if (!isSameSite(base, url)) {
    return null;
  }
  await scheduler.ask(name, url, { first: true, from });
  return { name, url, advertised: named !== null };
}

/**
 * Asks for the home page and up to four others in each form they may have. `base` is the home page's address, `root` the
 * folder of the site.
 */
export async function askPages(
  asking: Asking,
  sources: Sources,
): Promise<{ pages: EvidencePage[]; from: Evidence['pagesFrom'] }> {
  const { scheduler, base, from } = asking;
  const [sampled, twin, markdown] = await Promise.all([
    askSampled(asking, sources),
    askTwin(asking, 'home-twin', sources.home),
    scheduler.ask('home-markdown', base.href, { accept: 'text/markdown' }),
  ]);
  from.release();
  const negotiated = [markdown, ...sampled.pages.map((page) => scheduler.exchange(page.markdown) ?? null)];
  if (negotiated.some(isMarkdownText)) {
    await Promise.all([
      scheduler.ask('home-html-preferred', base.href, { accept: 'text/html;q=0.9, text/markdown;q=0.1' }),
      scheduler.ask('home-markdown-refused', base.href, { accept: 'text/markdown;q=0' }),
    ]);
  }
  return {
    pages: [{ url: base.href, html: 'home', markdown: 'home-markdown', twin }, ...sampled.pages],
    from: sampled.from,
  };
}

async function askSampled(asking: Asking, { home, sitemaps, llms, sample }: Sources): ReturnType<typeof askPages> {
  const { root, base } = asking;
  const [listed, index] = await Promise.all([sitemaps, llms]);
  const indexed = isSuccess(index) ? llmsTxtOf(index).links.map((link) => link.href) : [];
  const links = isSuccess(home) ? htmlOf(home).links : [];
  // What a site asks robots not to follow are its tools: forms to edit a page, old versions, logins.
  const followed = links.filter(({ rel }) => !rel.includes('nofollow')).map((link) => link.href);
  const sources = [
    { from: 'sitemap', pages: pagesAmong(listed, root, base) },
    { from: 'llms.txt', pages: pagesAmong(indexed, root, base) },
    { from: 'links', pages: pagesAmong(followed, root, base) },
  ] as const;
  const source = sources.find(({ pages }) => pages.length > 0);
  const wanted = pagesAmong([...(sample.paths ?? [])], root, base);
  const others = (source?.pages ?? []).filter((url) => !wanted.includes(url));
  const room = (sample.pages ?? usualPages) - 1;
  const chosen = [...wanted, ...spread(others, Math.max(0, room - wanted.length))].slice(
    0,
    Math.max(room, wanted.length),
  );
  const pages = await Promise.all(chosen.map((url, index) => askPage(asking, index + 1, url)));
  return { pages, from: source?.from ?? 'none' };
}

async function askPage(asking: Asking, place: number, url: string): Promise<EvidencePage> {
  const { scheduler, from } = asking;
  const [twin] = await Promise.all([
    scheduler
      .ask(`page:${place}`, url, { accept: 'text/html', first: true, from })
      .then((html) => askTwin(asking, `page:${place}:twin`, html)),
    scheduler.ask(`page:${place}:markdown`, url, { accept: 'text/markdown', from }),
  ]);
  return { url, html: `page:${place}`, markdown: `page:${place}:markdown`, twin };
}

/**
 * Asks for the other customary forms of markdown addresses where the commonest brought none: all forms for the home page
 * and the first page, and for the others the form that was found there.
 */
export async function askOtherTwins(scheduler: RequestScheduler, pages: EvidencePage[]): Promise<EvidencePage[]> {
  const found = (page: EvidencePage): boolean => {
    const exchange = page.twin === null ? undefined : scheduler.exchange(page.twin.name);
    return exchange !== undefined && isMarkdownText(exchange);
  };
  if (pages.some((page) => found(page) || page.twin?.advertised === true)) {
    return pages;
  }
  const tryForm = async (page: EvidencePage, form: 2 | 3): Promise<EvidencePage | null> => {
    const html = scheduler.exchange(page.html);
    const url = html === undefined ? undefined : customaryTwins(html.url)[form - 1];
    const name = page.html === 'home' ? (`home-twin:${form}` as const) : twinName(page, form);
    if (page.twin === null || url === undefined || name === null || scheduler.spare === 0) {
      return null;
    }
    const exchange = await scheduler.ask(name, url, { first: true });
    return isMarkdownText(exchange) ? { ...page, twin: { name, url, advertised: false } } : null;
  };
  const [home, first, ...rest] = pages;
  const tried = await Promise.all(
    [home, first].flatMap((page) =>
      page === undefined
        ? []
        : ([2, 3] as const).map(async (form) => ({ page, form, better: await tryForm(page, form) })),
    ),
  );
  const better = (page: EvidencePage): EvidencePage =>
    tried.find((one) => one.page === page && one.better !== null)?.better ?? page;
  const form = tried.find((one) => one.page === first && one.better !== null)?.form;
  const others = await Promise.all(
    rest.map(async (page) => (form === undefined ? page : ((await tryForm(page, form)) ?? page))),
  );
  return [home, first].flatMap((page) => (page === undefined ? [] : [better(page)])).concat(others);
}

const twinName = ({ html }: EvidencePage, form: 2 | 3): ExchangeName | null => {
  const place = /^page:(\d+)$/.exec(html)?.[1];
  return place === undefined ? null : `page:${Number(place)}:twin:${form}`;
};
