import { Feed } from 'feed';
import type { Config } from '../config.ts';
import { escapeMarkup } from '../text/escape-markup.ts';
import type { PagedFeed } from '../text/feed-documents.ts';

/** What an entry of a feed is made from. */
export interface FeedChange {
  number: number;
  date: string;
  title: string;
  summary: string;
  url: string;
}

/** The recorded changes, or a page of them, as a feed. All pages of a list have its `id`; `self` is where this one is. */
export function changeFeed(
  config: Pick<Config, 'baseUrl' | 'siteName'>,
  { id, self, next }: { id: string; self: { atom: string; json: string }; next: PagedFeed['next'] },
  changes: readonly FeedChange[],
): PagedFeed {
  const feed = new Feed({
    id,
    title: `${config.siteName}: changes of the almanac`,
    description: 'Every recorded change of a record: what was added, changed and removed, with its source.',
    link: `${config.baseUrl}/changes`,
    language: 'en',
    updated: new Date(`${changes[0]?.date ?? '1970-01-01'}T00:00:00Z`),
    generator: config.siteName,
    copyright: 'CC BY 4.0',
    feedLinks: self,
    author: { name: config.siteName, link: `${config.baseUrl}/about` },
  });
  for (const { number, date, title, summary, url } of changes) {
    feed.addItem({
      id: `${config.baseUrl}/changes#change-${number}`,
      title,
      link: url,
      description: escapeMarkup(summary),
      date: new Date(`${date}T00:00:00Z`),
    });
  }
  return { feed, next };
}
