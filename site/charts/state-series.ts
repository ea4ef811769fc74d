import type { Statement } from '#almanac/datasets/state.ts';
import { toFraction } from './time-scale.ts';

/** A figure of a series. `at` is its place in time: the year it covers if it says so, else its date. */
export interface Point {
  id: string;
  date: string;
  period: string | null;
  at: string;
  value: number;
}

/** Statements that measure the same thing at different dates, oldest first. */
export interface Series {
  id: string;
  title: string;
  topic: Statement['topic'];
  unit: string;
  /** Everyone whose figures are in it, without the place where they were seen. */
  publishers: string[];
  points: Point[];
}

/** What each series measures, in words. */
export const seriesTitles: Readonly<Record<string, string>> = {
  'a2a-partners-listed': 'Partners listed by the A2A project',
  'a2a-supporting-organisations': 'Organisations said to support A2A',
  'agents-md-projects': 'Public projects with an AGENTS.md',
  'ai-robots-txt-entries': 'AI user agents listed by ai.robots.txt',
  'ai-robots-txt-respecting': 'AI agents that ai.robots.txt says follow robots.txt',
  'cloudflare-crawl-growth': 'Growth of AI and search crawling',
  'cloudflare-crawl-to-refer-anthropic': 'Pages crawled per visitor sent: Anthropic',
  'cloudflare-crawl-to-refer-openai': 'Pages crawled per visitor sent: OpenAI',
  'cloudflare-training-share': 'AI crawling done for training',
  'crawler-user-agents-patterns': 'Patterns in crawler-user-agents',
  'hasdata-gptbot-disallowed': 'Domains that disallow GPTBot',
  'hasdata-gptbot-disallowed-cloudflare': 'Sites behind Cloudflare that disallow GPTBot',
  'hasdata-gptbot-disallowed-news': 'News publishers that disallow GPTBot',
  'hasdata-gptbot-served-anyway': 'Sites that disallow GPTBot and serve it anyway',
  'hasdata-llms-txt-published': 'Domains with an llms.txt',
  'imperva-automated-share': 'Automated traffic',
  'imperva-bad-bot-share': 'Traffic by bad bots',
  'mcp-sdk-downloads': 'Downloads of the MCP SDKs',
  'mcp-seps': 'Proposals to change MCP',
  'models-dev-provider-models': 'Models that providers offer, by models.dev',
  'models-dev-providers': 'Providers of models, by models.dev',
  'mpp-services-listed': 'Services listed by MPP',
  'originality-ai-txt': 'Sites with an ai.txt',
  'originality-llms-full-txt': 'Sites with an llms-full.txt',
  'originality-llms-txt': 'Sites with an llms.txt',
  'radar-applebot-share': 'Requests of AI crawlers made by Applebot',
  'radar-googlebot-share': 'Requests of AI crawlers made by Googlebot',
  'radar-search-purpose': 'Requests of AI crawlers made for AI search',
  'radar-training-purpose': 'Requests of AI crawlers made for training',
  'tollbit-visits-per-ai-bot-visit': 'Visits for each visit of an AI bot',
  'ucp-endorsers': 'Endorsers of UCP',
  'ucp-tech-council-members': 'Members of the UCP tech council',
  'web-almanac-ccbot-named': 'Sites whose robots.txt names CCBot',
  'web-almanac-google-extended-named': 'Sites whose robots.txt names Google-Extended',
  'web-almanac-gptbot-named': 'Sites whose robots.txt names GPTBot',
  'web-almanac-robots-txt-served': 'Sites that serve a robots.txt',
  'x402-ecosystem-listings': 'Projects listed by x402',
};

/** A figure that covers a whole year is published later; on the chart it's in the year that it covers. */
const coveredYear = (period: string | null): string | undefined =>
  /^(?:year|crawl of) (\d{4})$/.exec(period ?? '')?.[1];

/** The series of at least two points, in the order of `topics` and then by title. */
export function toSeries(topics: readonly Statement['topic'][], records: readonly Statement[]): Series[] {
  const bySeries = Map.groupBy(
    records.filter(({ series, value }) => series !== null && value !== null),
    ({ series }) => series ?? '',
  );
  return [...bySeries]
    .flatMap(([id, rows]): Series[] => {
      const points = rows
        .map(({ id: statement, date, period, value }): Point => {
          return { id: statement, date, period, at: coveredYear(period) ?? date, value: value ?? 0 };
        })
        .sort((a, b) => toFraction(a.at) - toFraction(b.at) || a.id.localeCompare(b.id, 'en'));
      const [row] = rows;
      if (row === undefined || points.length < 2) {
        return [];
      }
      const title = seriesTitles[id] ?? id.replaceAll('-', ' ');
      const publishers = [...new Set(rows.map(({ publisher }) => publisher.replace(/ \(.*$/, '')))];
      return [{ id, title, topic: row.topic, unit: row.unit ?? '', publishers, points }];
    })
    .sort((a, b) => topics.indexOf(a.topic) - topics.indexOf(b.topic) || a.title.localeCompare(b.title, 'en'));
}
