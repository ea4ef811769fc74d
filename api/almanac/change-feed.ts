import { Feed } from 'feed';
import type { Config } from '../config.ts';

/** What an entry of a feed is made from. */
export interface FeedChange {
  number: number;
  date: string;
  title: string;
  summary: string;
  url: string;
}

/**
 * The recorded changes as a feed: Atom (RFC 4287) and JSON Feed 1.1. `address` is where the same changes are JSON, and the
 * feed with its `format`.
 */
export function changeFeed(
  config: Pick<Config, 'baseUrl' | 'siteName'>,
  address: string,
  changes: readonly FeedChange[],
): { atom: string; jsonFeed: string } {
  const withFormat = (format: string): string => {
    const url = new URL(address);
    url.searchParams.set('format', format);
    return url.href;
  };
  const feed = new Feed({
    id: address,
    title: `${config.siteName}: changes of the almanac`,
    description: 'Every recorded change of a record: what was added, changed and removed, with its source.',
    link: `${config.baseUrl}/changes`,
    updated: new Date(`${changes[0]?.date ?? '1970-01-01'}T00:00:00Z`),
    generator: config.siteName,
    copyright: 'CC BY 4.0',
    feedLinks: { atom: withFormat('atom'), json: withFormat('json-feed') },
  });
  for (const { number, date, title, summary, url } of changes) {
    feed.addItem({
      id: `${config.baseUrl}/changes#change-${number}`,
      title,
      link: url,
      description: summary,
      date: new Date(`${date}T00:00:00Z`),
    });
  }
  return { atom: feed.atom1(), jsonFeed: feed.json1() };
}
