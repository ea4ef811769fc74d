import dates from './content/page-dates.json' with { type: 'json' };

/** What a page said when it last changed, and on which day that was. */
export interface PageDate {
  /** A hash of the page's own content: its `<main>` as markdown, without what the owner's settings put into it. */
  content: string;
  /** YYYY-MM-DD. */
  updated: string;
}

/** The record by path. `npm run pages:dates` writes it; a test compares it with the built pages. */
export const pageDates: Readonly<Record<string, PageDate>> = dates as Record<string, PageDate>;

/** The day on which a page's own content changed last; today for one that isn't in the record yet. */
export const changedOn = (path: string): string =>
  pageDates[path]?.updated ?? new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
