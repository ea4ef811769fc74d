import { crawlers } from '#almanac/datasets/crawlers.ts';
import { kindOfCrawler } from '#almanac/identify.ts';

const tokens = crawlers.records
  .filter((crawler) => ['ai-crawler', 'ai-agent'].includes(kindOfCrawler(crawler)))
  .flatMap((crawler) => crawler.ua_substring ?? [])
  .toSorted((one, other) => other.length - one.length || one.localeCompare(other))
  .map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));

/**
 * Matches the User-Agents that name an AI crawler or agent of the almanac, as a pattern that both JavaScript and PCRE
 * read; to be used without regard to case.
 */
export const aiAgentPattern: string = `(?:^|[^A-Za-z0-9_-])(?:${tokens.join('|')})(?![A-Za-z0-9_-])`;

const pattern = new RegExp(aiAgentPattern, 'i');

/** Whether a client says that it is an AI crawler or agent. It is a claim, and decides only about a default. */
export const isDeclaredAiAgent = (userAgent: string | undefined): boolean =>
  userAgent !== undefined && pattern.test(userAgent.slice(0, 1024));
