import type { Feed } from 'feed';
import { escapeMarkup } from './escape-markup.ts';

/** A feed that may be a page of a longer one: where the older entries follow, as Atom and as JSON Feed, or null at the end. */
export interface PagedFeed {
  feed: Feed;
  next: { atom: string; json: string } | null;
}

/** Atom (RFC 4287), with the link to the next page that RFC 5005 has. */
export function toAtom({ feed, next }: PagedFeed): string {
  const atom = feed.atom1();
  return next === null
    ? atom
    : atom.replace(
        /<link rel="self"[^>]*>/,
        (self) => `${self}\n    <link rel="next" href="${escapeMarkup(next.atom)}"/>`,
      );
}

/** JSON Feed 1.1; the library writes version 1, which has one author and no language. */
export function toJsonFeed({ feed, next }: PagedFeed): string {
  const { version: _version, author, items, ...head } = JSON.parse(feed.json1()) as Record<string, unknown>;
  return JSON.stringify(
    {
      version: 'https://jsonfeed.org/version/1.1',
      ...head,
      ...(next === null ? {} : { next_url: next.json }),
      ...(author === undefined ? {} : { authors: [author] }),
      language: feed.options.language,
      items,
    },
    null,
    2,
  );
}
