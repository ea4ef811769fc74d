import { createHash } from 'node:crypto';
import type { Exchange, Fetch } from '../fetch/exchange.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { askCapabilities } from './evidence/capabilities.ts';
import type { ExchangeName } from './evidence/exchange-name.ts';
import { toGrowingEvidence } from './evidence/growing.ts';
import { askHome } from './evidence/home.ts';
import { askLlmsTxt } from './evidence/llms-txt.ts';
import { askOtherTwins, askPages, type Sample, usualPages } from './evidence/pages.ts';
import type { Evidence } from './evidence/recording.ts';
import { type Progress, RequestScheduler } from './evidence/request-scheduler.ts';
import { isSameSite } from './evidence/same-site.ts';
import { askSitemaps } from './evidence/sitemaps.ts';
import { asBrowser, asCrawler, browserAccept } from './evidence/user-agents.ts';
import { isSuccess } from './facts/headers.ts';
import { htmlOf } from './facts/html.ts';

export type { Exchange } from '../fetch/exchange.ts';
export type { ExchangeName } from './evidence/exchange-name.ts';
export { type Evidence, type EvidencePage, replayEvidence } from './evidence/recording.ts';
export type { Progress } from './evidence/request-scheduler.ts';

export interface GatherOptions {
  fetch: Fetch;
  /** The present moment. */
  now(): Date;
  /** What we send as User-Agent, with the address of the page about us: `PorchlightAudit/<version> (+https://…/about)`. */
  userAgent: string;
  signal?: AbortSignal | undefined;
  /** Told of each exchange when it has ended. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Told of each fact when it is there, as NotGathered names it, with the evidence so far. Begins when the home page has
   * been read: before that there may be no site to judge.
   */
  onFact?: ((fact: string, soFar: Evidence) => void) | undefined;
  /** For the whole of it, 20 s unless said otherwise. */
  timeoutMs?: number;
  /**
   * Asked when the home page is found on another site than the target's, before anything else is fetched there. False ends
   * the gathering: it rejects with MoveRefused.
   */
  mayMove?: ((home: URL) => Promise<boolean>) | undefined;
  /** Which pages to look at; five of the site's own lists unless said otherwise. */
  sample?: Sample;
}

/** Thrown when the caller doesn't let an audit go on at the site that the home page leads to. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

/** Our product token in robots.txt. */
export const robotsToken = 'PorchlightAudit';

const maxRequests = 60;
/** What each page beyond the usual ones may cost: the page, its markdown, and its markdown address. */
const requestsPerPage = 3;

/** A page in the folder of the site that nobody made: always the same for one host, so that a recording can be compared. */
export const missingPage = (host: string): string =>
  `no-such-page-${createHash('sha256').update(host).digest('hex').slice(0, 12)}`;

/** The exchange of a name, or null when it was not asked for. */
export const exchangeOf = ({ exchanges }: Pick<Evidence, 'exchanges'>, name: ExchangeName): Exchange | null =>
  exchanges[name] ?? null;

/** The folder of a site: the home page's address up to its last slash. */
export const rootOf = (home: string): URL => new URL('.', home);

/**
 * Gathers the facts of a site, each once, as many at the same time as the site's own answers allow. robots.txt comes
 * first and is honoured for `PorchlightAudit`. Takes a URL that `parseTarget` let through. Resolves whatever the site
 * does: `robots.state` is `unreachable` when there was no talking to it. Rejects with MoveRefused alone.
 */
export async function gatherEvidence(target: URL, options: GatherOptions): Promise<Evidence> {
  const { now, userAgent } = options;
  const startedMs = now().getTime();
  const scheduler = new RequestScheduler({
    fetch: options.fetch,
    now,
    signal: options.signal,
    onProgress: (progress) => {
      options.onProgress?.(progress);
      gathering.tell(`exchanges.${progress.name}`);
    },
    deadline: startedMs + (options.timeoutMs ?? 20_000),
    token: robotsToken,
    target,
    maxRequests: maxRequests + requestsPerPage * Math.max(0, (options.sample?.pages ?? usualPages) - usualPages),
  });
  const gathering = new Gathering(emptyEvidence(target, startedMs), scheduler, options.onFact);
  const finish = (): Evidence => ({
    ...gathering.evidence,
    durationMs: now().getTime() - startedMs,
    requests: scheduler.requests,
    repeated: scheduler.repeated(),
    exchanges: scheduler.exchanges(),
  });

  const stance = await scheduler.robots(target);
  gathering.evidence.robots = { state: stance.state, error: stance.error };
  if (stance.state === 'unreachable') {
    return finish();
  }
  const home = await askHome(scheduler, target);
  const base = home.outcome === 'ok' ? new URL(home.url) : target;
  if (registrableDomain(base) !== registrableDomain(target) && (await options.mayMove?.(base)) === false) {
    throw new MoveRefused(`The audit of ${target.host} may not go on at ${base.host}.`);
  }
  Object.assign(gathering.evidence, { home: base.href, origin: base.origin });
  if (home.outcome === 'ok') {
    gathering.settle({ origin: base.origin, home: base.href });
  }
  const sample = options.sample ?? {};
  const sitemaps = ownSitemaps(sample, base, stance.sitemaps);
  await askSite(scheduler, gathering, { home, base, userAgent, sitemaps, sample });
  return finish();
}

/** What the requests for the rest of a site start from. */
interface Start {
  home: Exchange;
  base: URL;
  userAgent: string;
  /** The sitemaps that the caller and robots.txt name. */
  sitemaps: string[];
  sample: Sample;
}

/** The sitemap that the caller names comes before those of robots.txt. */
const ownSitemaps = ({ sitemap }: Sample, base: URL, listed: string[]): string[] =>
  sitemap !== undefined && URL.canParse(sitemap, base) ? [new URL(sitemap, base).href, ...listed] : listed;

async function askSite(scheduler: RequestScheduler, gathering: Gathering, start: Start): Promise<void> {
  const { home, base, sample } = start;
  const root = rootOf(base.href);
  const forPages = scheduler.reserve(1 + requestsPerPage * ((sample.pages ?? usualPages) - 1));
  const forSitemaps = scheduler.reserve(5);
  const forCapabilities = scheduler.reserve(10);
  const llms = askLlmsTxt(scheduler, root);
  const sitemaps = askSitemaps(scheduler, root, home, start.sitemaps, forSitemaps);
  const capabilities = askCapabilities(scheduler, base, home, forCapabilities)
    .finally(forCapabilities.release)
    .then((mcp) => gathering.settle({ mcp }));
  // Started after what others wait for.
  const rest = [
    ...askVariants(scheduler, start),
    ...askFiles(scheduler, base),
    ...askNamedByHome(scheduler, base, home),
  ];
  const pages = askPages({ scheduler, root, base, from: forPages }, { home, sitemaps, llms: llms.file, sample });
  const links = llms.links.then((llmsLinks) => gathering.settle({ llmsLinks }));
  const sampled = await pages;
  await Promise.all([links, capabilities, ...rest]);
  // What is spared then is known, and the same each time.
  gathering.settle({ pages: await askOtherTwins(scheduler, sampled.pages), pagesFrom: sampled.from });
}

/** The home page as others would ask for it. */
function askVariants(scheduler: RequestScheduler, { base, userAgent }: Start): Promise<unknown>[] {
  return [
    scheduler.ask('home-head', base.href, { method: 'HEAD', accept: 'text/html' }),
    scheduler.ask('home-browser', base.href, { accept: browserAccept, userAgent: asBrowser(userAgent) }),
    scheduler.ask('home-gptbot', base.href, { userAgent: asCrawler('GPTBot', userAgent) }),
    scheduler.ask('home-claudebot', base.href, { userAgent: asCrawler('ClaudeBot', userAgent) }),
    ...(base.protocol === 'https:' && base.port === ''
      ? [scheduler.ask('home-http', `http://${base.host}${base.pathname}`, { accept: 'text/html' })]
      : []),
  ];
}

/** Files at known addresses, and an address that cannot exist. */
function askFiles(scheduler: RequestScheduler, base: URL): Promise<unknown>[] {
  const missing = new URL(missingPage(base.host), rootOf(base.href)).href;
  return [
    scheduler.ask('security-txt', new URL('/.well-known/security.txt', base).href),
    scheduler.ask('sitemap-md', new URL('sitemap.md', rootOf(base.href)).href),
    scheduler.ask('missing', missing, { accept: 'text/html', first: true }),
    scheduler.ask('missing-markdown', missing, { accept: 'text/markdown' }),
    scheduler.ask('missing-json', missing, { accept: 'application/json' }),
  ];
}

const emptyEvidence = (target: URL, startedMs: number): Evidence => ({
  format: 1,
  target: target.href,
  home: target.href,
  origin: target.origin,
  startedAt: new Date(startedMs).toISOString(),
  durationMs: 0,
  requests: 0,
  repeated: [],
  robots: { state: 'none', error: null },
  exchanges: {},
  pages: [],
  pagesFrom: 'none',
  llmsLinks: [],
  mcp: null,
});

/** Evidence that grows: members are settled one by one, and whoever listens hears of each. */
class Gathering {
  readonly evidence: Evidence;
  readonly #known = new Set<string>(['format', 'target', 'startedAt', 'robots'] satisfies (keyof Evidence)[]);
  readonly #soFar: Evidence;
  readonly #onFact: GatherOptions['onFact'];

  constructor(evidence: Evidence, scheduler: RequestScheduler, onFact: GatherOptions['onFact']) {
    this.evidence = evidence;
    this.#soFar = toGrowingEvidence(
      evidence,
      (member) => this.#known.has(member),
      (name) => scheduler.exchange(name),
    );
    this.#onFact = onFact;
  }

  /** Tells of a fact that is there. Before the home page was read there may be no site to judge. */
  tell(fact: string): void {
    if (this.#known.has('home')) {
      this.#onFact?.(fact, this.#soFar);
    }
  }

  settle(members: Partial<Evidence>): void {
    Object.assign(this.evidence, members);
    for (const member of Object.keys(members)) {
      this.#known.add(member);
      this.tell(member);
    }
  }
}

/** The feed and the scripts that the home page names. */
function askNamedByHome(scheduler: RequestScheduler, base: URL, home: Exchange): Promise<unknown>[] {
  if (!isSuccess(home)) {
    return [];
  }
  const facts = htmlOf(home);
  const feed = facts.headLinks.find(
    (link) =>
      link.rel.includes('alternate') &&
      /^application\/(atom|rss)\+xml$|^application\/feed\+json$/.test(link.type ?? ''),
  );
  const scripts = facts.scripts
    .filter(({ isRun }) => isRun)
    .map((script) => script.src)
    .filter((source) => source !== null)
    .filter((source, index, all) => new URL(source).origin === base.origin && all.indexOf(source) === index)
    .slice(0, Math.min(2, scheduler.spare));
  return [
    ...(feed === undefined || !isSameSite(base, feed.href) ? [] : [scheduler.ask('feed', feed.href)]),
    ...scripts.map((source, index) =>
      scheduler.ask(index === 0 ? 'script:1' : 'script:2', source, { maxBodyBytes: 512 * 1024 }),
    ),
  ];
}
