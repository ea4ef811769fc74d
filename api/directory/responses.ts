import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Directory, Listing } from './store.ts';
import { recheckPolicy } from './time.ts';

/** A site in the directory as the API shows it. */
export const DirectoryEntry = z.object({
  id: z.string().describe('The first 12 hexadecimal characters of the SHA-256 of the origin.'),
  url: z.url(),
  score: z.int().min(70).max(100),
  grade: z.string(),
  certified_at: z.iso.datetime(),
  badge: z.string().describe('Path of the badge with this score.'),
  tier: z.literal('standard'),
  checked_at: z.iso
    .datetime()
    .describe('When it was last audited for the directory: every 30 days, and when it joins again.'),
  below_since: z.iso
    .datetime()
    .nullable()
    .describe('Since when its audits have not certified it; it leaves after 90 days. Null when the last one did.'),
});
export type DirectoryEntry = z.infer<typeof DirectoryEntry>;

/** The answer of `GET /api/directory`. */
export const DirectoryList = z.object({
  description: z.string(),
  how_to_join: z.string(),
  badge: z.string().describe('How a badge is embedded.'),
  count: z.int(),
  sites: z.array(DirectoryEntry).describe('The newest certification first.'),
});
export type DirectoryList = z.infer<typeof DirectoryList>;

/** A listing as the API shows it. */
export const toDirectoryEntry = (listing: Listing): DirectoryEntry => ({
  ...listing,
  badge: `/badge.svg?score=${listing.score}`,
});

/** The whole directory as the API shows it. */
export function toDirectoryList(directory: Directory, { baseUrl }: Pick<Config, 'baseUrl'>): DirectoryList {
  const sites = directory.list().map(toDirectoryEntry);
  return {
    description: 'Sites that passed the live audit of this site with a score of at least 70.',
    how_to_join: `POST ${baseUrl}/api/directory with {"url": "https://your-site.example"}. The site is audited while you wait; from 70 it is listed, under its origin. Three tries an hour for one client network. Each site is audited again every ${recheckPolicy.everyDays} days; one that is below the mark for ${recheckPolicy.graceDays} days leaves.`,
    badge: `<img src="${baseUrl}/badge/ID.svg" alt="Agent-readiness badge"> shows what the directory holds for the site with this id; ${baseUrl}/badge.svg?score=NN draws any score from 0 to 100.`,
    count: sites.length,
    sites,
  };
}

/** Sites that the page of the directory shows, the newest; `GET /api/directory` has all of them. */
export const sitesOnPage = 200;

/** The list as the page shows it: `count` still says how many sites are listed. */
export const toShownList = (list: DirectoryList): DirectoryList => ({
  ...list,
  sites: list.sites.slice(0, sitesOnPage),
});
