import type { GuestbookList } from './responses.ts';

/** Entries on one page of the guestbook. */
export const entriesOfPage = 25;

/** One page of the guestbook: what the list says of it, its entries, and the way to the others. */
export interface GuestbookPage extends GuestbookList {
  pages: {
    /** The query of this page's address, with its question mark; empty for the newest entries. */
    query: string;
    /** Address of the newest entries, from an older page. */
    newest: string | null;
    /** Address of the next older entries. */
    older: string | null;
  };
}

/** The page that begins after an entry, or with the newest one. Null when no such entry is kept. */
export function findGuestbookPage(list: GuestbookList, before: string): GuestbookPage | null {
  const index = list.entries.findIndex(({ id }) => id === before);
  return index === -1 ? null : toGuestbookPage(list, before, index + 1);
}

/** The page of a whole list that begins with this entry of it. */
export function toGuestbookPage(list: GuestbookList, before: string | null, from = 0): GuestbookPage {
  const entries = list.entries.slice(from, from + entriesOfPage);
  const last = entries.at(-1);
  const isMore = from + entriesOfPage < list.entries.length;
  return {
    ...list,
    count: entries.length,
    pages: {
      query: before === null ? '' : `?before=${before}`,
      newest: before === null ? null : '/guestbook',
      older: isMore && last !== undefined ? `/guestbook?before=${last.id}` : null,
    },
    entries,
  };
}
