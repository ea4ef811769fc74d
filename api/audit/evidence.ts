import { createHash } from 'node:crypto';
import type { Exchange, Fetch } from '../fetch/exchange.ts';
import { type Asker, createAsker, type Progress } from './evidence/asker.ts';
import { askCapabilities, type McpEvidence } from './evidence/capabilities.ts';
import { toGrowingEvidence } from './evidence/growing.ts';
import { askPages, type EvidencePage, type Sample } from './evidence/pages.ts';
import { isSameSite } from './evidence/same-site.ts';
import { askSitemaps } from './evidence/sitemaps.ts';
import { spread } from './evidence/spread.ts';
import { isSuccess } from './facts/headers.ts';
import { htmlOf } from './facts/html.ts';
import { llmsTxtOf } from './facts/llms-txt.ts';

export type { Exchange } from '../fetch/exchange.ts';
export type { Progress } from './evidence/asker.ts';
export type { McpEvidence } from './evidence/capabilities.ts';
export type { EvidencePage } from './evidence/pages.ts';
export { replayEvidence } from './evidence/recording.ts';

/**
 * Everything that checks judge a site by: plain JSON, so that a recording is the thing itself and gives the same report
 * again. Each fact is an exchange under a name. A name that is missing was not asked for (nothing claimed it); an
 * exchange with the outcome `robots-disallowed` or `not-asked` was wanted and not sent, and its `error` says why.
 *
 * | name | what was asked |
 * |---|---|
 * | `robots`, `robots:<host>` | /robots.txt of the target, and of further hosts before anything else was asked there |
 * | `home` | the target, `Accept: text/html`, as ourselves |
 * | `home-browser`, `home-gptbot`, `home-claudebot` | the same with another User-Agent, which still ends with our own |
 * | `home-head` | the same with HEAD |
 * | `home-markdown` | `Accept: text/markdown` |
 * | `home-html-preferred` | `Accept: text/html;q=0.9, text/markdown;q=0.1` |
 * | `home-markdown-refused` | `Accept: text/markdown;q=0` |
 * | `home-json` | `Accept: application/json` |
 * | `home-twin` | the markdown address of the home page |
 * | `home-http` | the home page's path over http, when it was found over https |
 * | `sitemap`, `sitemap:listed`, `sitemap:child:1` … `2` | /sitemap.xml, one that robots.txt names, two of an index |
 * | `llms-txt`, `llms-full-txt`, `llms-link:1` … `4` | the files, and links of the first |
 * | `security-txt`, `agents-json`, `api-catalog`, `ai-catalog`, `signature-directory`, `agent-skills`, `agent-card`, `mcp-server-card` | the files under /.well-known/ |
 * | `openapi`, `openapi:claimed` | /openapi.json, and the description that a catalog or Link header names elsewhere |
 * | `sitemap-md`, `feed` | /sitemap.md, and the feed that the home page names |
 * | `missing`, `missing-markdown`, `missing-json` | an address that cannot exist, in three Accepts |
 * | `script:1`, `script:2` | scripts of the home page from its own origin |
 * | `page:1`, `page:1:markdown`, `page:1:twin` … `page:4:twin` | the sampled pages, see `pages` |
 * | `skill:1` | the first skill of `agent-skills` |
 * | `mcp-server-card:catalog` | the card that `ai-catalog` names |
 * | `agent-card-endpoint` | the endpoint that `agent-card` names, for a task that does not exist |
 * | `oauth-resource`, `oauth-resource:named`, `oauth-server` | the metadata at the customary address, those that a 401 names, and those of the authorization server |
 * | `mcp-discover`, `mcp-initialize`, `mcp-tools`, `mcp-tools-session` | the endpoint in `mcp` |
 * | `priced:1`, `priced:2` | GET addresses that a description says cost something, without payment |
 */
export interface Evidence {
  format: 1;
  /** The address that was asked for. */
  target: string;
  /** Where the home page was found after redirects; the target when it was not found. */
  home: string;
  /** The origin of `home`: where all files were looked for. */
  origin: string;
  startedAt: string;
  durationMs: number;
  /** Requests sent, redirects and repetitions included; at most 60. */
  requests: number;
  /** Names of the exchanges that were asked a second time, after a time-out, a broken connection or a 5xx. */
  repeated: string[];
  /**
   * What robots.txt allows us. `none`: there is no such file. `unreachable`: it could not be had (5xx or no connection),
   * so that nothing else was asked for (RFC 9309 section 2.3.1.4); `error` says at which step.
   */
  robots: { state: 'rules' | 'none' | 'unreachable'; error: string | null };
  exchanges: Record<string, Exchange>;
  /** The home page, then up to four more. */
  pages: EvidencePage[];
  /** Where the sampled pages were taken from. */
  pagesFrom: 'sitemap' | 'llms.txt' | 'links' | 'none';
  llmsLinks: { url: string; name: string }[];
  /** The MCP endpoint that the site claims, or null. */
  mcp: McpEvidence | null;
}

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
  /** Which pages to look at; five of the site's own lists unless said otherwise. */
  sample?: Sample;
}

/** Our product token in robots.txt. */
export const robotsToken = 'PorchlightAudit';

const maxRequests = 60;
/** What each page beyond the usual five may cost: the page, its markdown, and its markdown address. */
const requestsPerPage = 3;

const wellKnownFiles: Record<string, string> = {
  'llms-full-txt': '/llms-full.txt',
  'security-txt': '/.well-known/security.txt',
  'sitemap-md': '/sitemap.md',
};

// A browser's User-Agent, so that filters see one, and our own after it, so that nobody is deceived.
const asBrowser = (userAgent: string): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 ${userAgent}`;

const asCrawler = (token: string, userAgent: string): string => `Mozilla/5.0 (compatible; ${token}/1.0) ${userAgent}`;

/** An address of the site that nobody made: always the same for one host, so that a recording can be compared. */
export const missingPath = (host: string): string =>
  `/no-such-page-${createHash('sha256').update(host).digest('hex').slice(0, 12)}`;

/** The exchange of a name, or null when it was not asked for. */
export const exchangeOf = (evidence: Evidence, name: string): Exchange | null => evidence.exchanges[name] ?? null;

/**
 * Gathers the facts of a site, each once, as many at the same time as the site's own answers allow. robots.txt comes
 * first and is honoured for `PorchlightAudit`. Takes a URL that `parseTarget` let through. Resolves whatever the site
 * does: `robots.state` is `unreachable` when there was no talking to it.
 */
export async function gatherEvidence(target: URL, options: GatherOptions): Promise<Evidence> {
  const { now, userAgent } = options;
  const startedMs = now().getTime();
  const asker = createAsker({
    fetch: options.fetch,
    now,
    signal: options.signal,
    onProgress: (progress) => {
      options.onProgress?.(progress);
      tell(`exchanges.${progress.name}`);
    },
    deadline: startedMs + (options.timeoutMs ?? 20_000),
    token: robotsToken,
    target,
    maxRequests: maxRequests + requestsPerPage * Math.max(0, (options.sample?.pages ?? 5) - 5),
  });
  const evidence: Evidence = {
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
  };
  const known = new Set<string>(['format', 'target', 'startedAt', 'robots'] satisfies (keyof Evidence)[]);
  const soFar = toGrowingEvidence(evidence, (member) => known.has(member), asker.exchange);
  const tell = (fact: string): void => {
    if (known.has('home')) {
      options.onFact?.(fact, soFar);
    }
  };
  const settle = (members: Partial<Evidence>): void => {
    Object.assign(evidence, members);
    for (const member of Object.keys(members)) {
      known.add(member);
      tell(member);
    }
  };
  const finish = (): Evidence => ({
    ...evidence,
    durationMs: now().getTime() - startedMs,
    requests: asker.requests(),
    repeated: asker.repeated().sort(),
    exchanges: asker.exchanges(),
  });

  const stance = await asker.robots(target);
  evidence.robots = { state: stance.state, error: stance.error };
  if (stance.state === 'unreachable') {
    return finish();
  }

  const home = await asker.ask('home', target.href, { accept: 'text/html', first: true });
  const base = home.outcome === 'ok' ? new URL(home.url) : target;
  evidence.home = base.href;
  evidence.origin = base.origin;
  if (home.outcome === 'ok') {
    settle({ origin: base.origin, home: base.href });
  }
  const at = (path: string): string => new URL(path, base.origin).href;

  const forPages = asker.reserve(1 + requestsPerPage * ((options.sample?.pages ?? 5) - 1));
  const forSitemaps = asker.reserve(3);
  const forCapabilities = asker.reserve(10);

  const llms = asker.ask('llms-txt', at('/llms.txt'), { first: true });
  const sitemaps = askSitemaps(asker, base, ownSitemaps(options.sample, base, stance.sitemaps), forSitemaps);
  const capabilities = askCapabilities(asker, base, home, forCapabilities)
    .finally(forCapabilities.release)
    .then((mcp) => settle({ mcp }));
  // Started after what others wait for.
  const variants = [
    asker.ask('home-head', base.href, { method: 'HEAD', accept: 'text/html' }),
    asker.ask('home-browser', base.href, {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      userAgent: asBrowser(userAgent),
    }),
    asker.ask('home-gptbot', base.href, { userAgent: asCrawler('GPTBot', userAgent) }),
    asker.ask('home-claudebot', base.href, { userAgent: asCrawler('ClaudeBot', userAgent) }),
    asker.ask('home-html-preferred', base.href, { accept: 'text/html;q=0.9, text/markdown;q=0.1' }),
    asker.ask('home-markdown-refused', base.href, { accept: 'text/markdown;q=0' }),
    asker.ask('home-json', base.href, { accept: 'application/json' }),
    ...(base.protocol === 'https:' && base.port === ''
      ? [asker.ask('home-http', `http://${base.host}${base.pathname}`, { accept: 'text/html' })]
      : []),
  ];
  const pages = askPages(asker, base, { home, sitemaps, llms, sample: options.sample ?? {} }, forPages).then(
    (sampled) => settle({ pages: sampled.pages, pagesFrom: sampled.from }),
  );
  const files = Object.entries(wellKnownFiles).map(([name, path]) => asker.ask(name, at(path)));
  const missing = [
    asker.ask('missing', at(missingPath(base.host)), { accept: 'text/html' }),
    asker.ask('missing-markdown', at(missingPath(base.host)), { accept: 'text/markdown' }),
    asker.ask('missing-json', at(missingPath(base.host)), { accept: 'application/json' }),
  ];
  const fromHome = isSuccess(home) ? askNamedByHome(asker, base, home) : [];

  const links = llms.then((exchange) => askLlmsLinks(asker, base, exchange)).then((llmsLinks) => settle({ llmsLinks }));

  await Promise.all([links, capabilities, pages, ...variants, ...files, ...missing, ...fromHome]);
  return finish();
}

/** The sitemap that the caller names comes before those of robots.txt. */
const ownSitemaps = (sample: Sample | undefined, base: URL, listed: string[]): string[] =>
  sample?.sitemap !== undefined && URL.canParse(sample.sitemap, base)
    ? [new URL(sample.sitemap, base).href, ...listed]
    : listed;

/** The feed and the scripts that the home page names. */
function askNamedByHome(asker: Asker, base: URL, home: Exchange): Promise<unknown>[] {
  const facts = htmlOf(home);
  const feed = facts.headLinks.find(
    (link) =>
      link.rel.includes('alternate') &&
      /^application\/(atom|rss)\+xml$|^application\/feed\+json$/.test(link.type ?? ''),
  );
  const scripts = facts.scripts
    .map((script) => script.src)
    .filter((source) => source !== null)
    .filter((source, index, all) => new URL(source).origin === base.origin && all.indexOf(source) === index)
    .slice(0, Math.min(2, asker.spare()));
  return [
    ...(feed === undefined || !isSameSite(base, feed.href) ? [] : [asker.ask('feed', feed.href)]),
    ...scripts.map((source, index) => asker.ask(`script:${index + 1}`, source, { maxBodyBytes: 512 * 1024 })),
  ];
}

/** Up to four links of llms.txt that lead to the site itself, spread over the file. */
async function askLlmsLinks(asker: Asker, base: URL, llms: Exchange): Promise<Evidence['llmsLinks']> {
  if (!isSuccess(llms)) {
    return [];
  }
  const addresses = llmsTxtOf(llms)
    .links.filter((link) => URL.canParse(link.href, llms.url))
    .map((link) => {
      const url = new URL(link.href, llms.url);
      url.hash = '';
      return url.href;
    })
    .filter((href, index, all) => isSameSite(base, href) && all.indexOf(href) === index);
  const chosen = spread(addresses, Math.min(4, asker.spare()));
  return Promise.all(
    chosen.map(async (url, index) => {
      const name = `llms-link:${index + 1}`;
      await asker.ask(name, url);
      return { url, name };
    }),
  );
}
