import type { Crawler } from '#almanac/datasets/crawlers.ts';
import { identifyUserAgent } from '#almanac/identify.ts';
import type { Finding } from '../upstream.ts';

/** The crawler record that a token of a list, or a User-Agent, stands for: by its string, its robots token or its name. */
export function createCrawlerFinder(crawlers: readonly Crawler[]): (name: string) => Crawler | undefined {
  const byName = new Map(
    crawlers.flatMap((crawler) =>
      [crawler.name, crawler.robots_token, crawler.ua_substring, ...crawler.aliases].flatMap((name) =>
        name === null ? [] : [[name.toLowerCase(), crawler] as const],
      ),
    ),
  );
  const byId = new Map(crawlers.map((crawler) => [crawler.id, crawler]));
  return (name) => byName.get(name.toLowerCase()) ?? byId.get(identifyUserAgent(name).crawler?.id ?? '');
}

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** What a list of names says about a bot that no record knows. */
interface ListedCrawler {
  upstream: { id: string; title: string; page: string };
  message: string;
  operator: string | null;
  userAgent: string | null;
  today: string;
}

/** The finding that a list names a bot that no record knows. */
export const newCrawler = (token: string, listed: ListedCrawler): Finding => ({
  id: `${listed.upstream.id}/new/${token}`,
  kind: 'new',
  upstream: listed.upstream.id,
  source: listed.upstream.page,
  message: listed.message,
  draft: { dataset: 'crawlers', record: draftCrawler(token, listed) },
});

/** A record to begin with: what the list says, and null for everything else. */
function draftCrawler(token: string, { upstream, ...facts }: ListedCrawler): Readonly<Record<string, unknown>> {
  const id = token
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const userAgent = facts.userAgent ?? token;
  return {
    id,
    name: token,
    operator: facts.operator ?? 'not known',
    operator_country: null,
    purpose: 'Its purpose is not documented.',
    bot_type: 'undocumented',
    aliases: [],
    ua_substring: token,
    ua_full: userAgent,
    ua_examples: { accepted: [userAgent], rejected: [browser, `My${token}any/1.0`] },
    sends_own_user_agent: true,
    robots_token: token,
    respects_robots: null,
    opt_out_mechanism: `Disallow ${token} in robots.txt; the sources we read do not say whether the bot follows it.`,
    blocking_effect: null,
    robots_snippet: `User-agent: ${token}\nDisallow: /`,
    verify: 'No way to verify this name is known: the User-Agent string alone proves nothing.',
    verification_methods: ['user-agent-only'],
    published_ip_range_url: null,
    reverse_dns_suffix: null,
    supports_web_bot_auth: null,
    signature_agent_domain: null,
    jwks_url: null,
    documentation_url: null,
    status: 'unconfirmed',
    replaces: null,
    replaced_by: null,
    sources: [{ title: upstream.title, url: upstream.page }],
    evidence: 'secondary',
    primary_source: null,
    conflicts: [],
    source_as_of: facts.today,
    checked_by_person: null,
    note: `Known from ${upstream.title} alone; no document of its operator was found.`,
  };
}
