import { datasets } from '#almanac/datasets/index.ts';
import { askPagePath } from '../almanac/page.ts';
import { robotsPagePath } from '../almanac/robots-page.ts';
import { lookPagePath } from '../audits/look-page.ts';
import { auditPagePath, comparePagePath } from '../audits/page.ts';
import { directoryPagePath } from '../directory/live.ts';
import { guestbookPagePaths } from '../guestbook/live.ts';
import { guestbookEntryPrefix } from '../guestbook/pages.ts';

/** Pages that show live data: the service renders them again when their data changes, or for each request. */
export const livePaths: readonly string[] = [
  ...guestbookPagePaths,
  askPagePath,
  auditPagePath,
  comparePagePath,
  lookPagePath,
  directoryPagePath,
];

/** Prebuilt pages that the service renders for a query which narrows down or chooses what they show. */
export const narrowedPaths: readonly string[] = [...datasets.map(({ path }) => `/${path}`), robotsPagePath];

/** What the addresses of pages begin with that are rendered for each request and built for none: those of single entries. */
export const livePrefixes: readonly string[] = [guestbookEntryPrefix];
