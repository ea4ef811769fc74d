import { Feed } from 'feed';
import type { Config } from '../config.ts';
import { type AuditHistory, type AuditResult, changeBetween } from './history.ts';

/** Path of the feed of a site's results, with `url` in the query. */
export const auditFeedPath = '/audit/feed.atom';

/** What a result says in the feed: its score, and what changed since the one before. */
function describe(result: AuditResult, before: AuditResult | undefined): string {
  const open = `${result.causes.length} to fix, by rubric ${result.rubric}.`;
  return before === undefined ? open : `${changeBetween(before, result).sentence}; ${open}`;
}

/** The last results of a site as Atom (RFC 4287), the newest first. Pure. */
export function toAuditFeed(
  { home, results }: AuditHistory,
  { baseUrl, siteName }: Pick<Config, 'baseUrl' | 'siteName'>,
): string {
  const query = new URLSearchParams({ url: home });
  const page = `${baseUrl}/audit?${query}`;
  const feed = new Feed({
    id: page,
    title: `${siteName}: audits of ${new URL(home).host}`,
    link: page,
    language: 'en',
    updated: new Date(results[0]?.audited_at ?? 0),
    generator: siteName,
    copyright: '',
    feedLinks: { atom: `${baseUrl}${auditFeedPath}?${query}` },
    author: { name: siteName, link: `${baseUrl}/about` },
  });
  for (const [index, result] of results.entries()) {
    feed.addItem({
      id: `${page}#${result.audited_at}`,
      title: `${result.score} of 100: ${result.grade}`,
      link: page,
      description: describe(result, results[index + 1]),
      date: new Date(result.audited_at),
    });
  }
  return feed.atom1();
}
