import { createHash } from 'node:crypto';
import { z } from 'zod';
import { origin } from '../http/origin.ts';
import { openStore, type StoreOptions } from '../stores/durable-store.ts';
import { StorageUnavailable } from '../stores/storage-unavailable.ts';
import { createStore, type Store, type StoreDefinition } from '../stores/store.ts';

/** A site that passed the audit. */
export const listing = z.strictObject({
  /** The first 12 hexadecimal characters of the SHA-256 of the origin. */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  /** The origin of the site. */
  url: origin,
  score: z.int().min(70).max(100),
  grade: z.string().min(1).max(60),
  /** ISO 8601, UTC, with milliseconds. */
  certified_at: z.iso.datetime({ precision: 3 }),
  tier: z.literal('standard'),
  /** When it was last audited for the directory. */
  checked_at: z.iso.datetime({ precision: 3 }),
  /** Since when its audits have not certified it; null when the last one did. */
  below_since: z.iso.datetime({ precision: 3 }).nullable(),
});
export type Listing = z.infer<typeof listing>;

const directoryState = z.strictObject({ listings: z.array(listing) });
type DirectoryState = z.infer<typeof directoryState>;

const byCertification = (a: Listing, b: Listing): number =>
  a.certified_at === b.certified_at ? (a.id < b.id ? -1 : 1) : a.certified_at > b.certified_at ? -1 : 1;

/** A listing that is new or different, or the id of one that leaves. */
type DirectoryChange = Listing | { id: string; delisted: true };

/** A state of version 1 did not say when a site was checked again. */
const firstState = z.object({ listings: z.array(listing.omit({ checked_at: true, below_since: true })) });

const definition: StoreDefinition<DirectoryState, DirectoryChange> = {
  version: 2,
  state: directoryState,
  empty: () => ({ listings: [] }),
  apply({ listings }, change) {
    const others = listings.filter(({ id }) => id !== change.id);
    return { listings: 'delisted' in change ? others : [change, ...others].sort(byCertification) };
  },
  migrate: (state) => ({
    listings: firstState
      .parse(state)
      .listings.map((each) => ({ ...each, checked_at: each.certified_at, below_since: null })),
  }),
};

/** A site that an audit has just certified. */
export type Certified = Omit<Listing, 'id' | 'checked_at' | 'below_since'>;

/** The directory of sites that passed the audit. Reads are answered from memory. */
export interface Directory {
  /** Newest certification first. */
  list(): readonly Listing[];
  get(id: string): Listing | null;
  /**
   * Lists a site, or replaces its listing in place: one listing per origin. A certification older than the one listed
   * changes nothing. Throws an Error when a field is not valid, StorageUnavailable when it could not be stored or there is
   * no room for another site.
   */
  put(site: Certified): Promise<{ listing: Listing; isNew: boolean }>;
  /**
   * Notes that a site was checked at a moment and not certified: it keeps its listing, which says since when. Resolves with
   * it, or with null when it is not listed. Throws StorageUnavailable.
   */
  mark(id: string, at: string): Promise<Listing | null>;
  /** Takes a site out of the directory. False when it is not listed. Throws StorageUnavailable. */
  remove(id: string): Promise<boolean>;
  /** Calls back after each change. Returns the function that ends it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** The id of a site in the directory, from its origin. */
export function toListingId(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 12);
}

/** What a directory holds for an origin: the id, by which its badge is found, and whether it's listed. */
export function findListing(directory: Directory, url: string): { id: string; isListed: boolean } {
  const id = toListingId(url);
  return { id, isListed: directory.get(id) !== null };
}

interface DirectoryOptions {
  /** Sites listed at most, 5,000 unless given. */
  maxListings?: number;
}

/** Opens the directory; see openStore for what it throws. */
export async function openDirectory({ maxListings, ...options }: DirectoryOptions & StoreOptions): Promise<Directory> {
  return toDirectory(await openStore(definition, options), { maxListings });
}

/** Builds a directory in memory, with the same rules, for tests. */
export function createDirectory(options: DirectoryOptions = {}): Directory {
  return toDirectory(createStore(definition), options);
}

function toDirectory(
  store: Store<DirectoryState, DirectoryChange>,
  { maxListings = 5_000 }: DirectoryOptions,
): Directory {
  return {
    list: () => store.state.listings,

    get: (id) => store.state.listings.find((each) => each.id === id) ?? null,

    put: (site) =>
      store.update(({ listings }) => {
        const result = listing.safeParse({
          ...site,
          id: toListingId(site.url),
          checked_at: site.certified_at,
          below_since: null,
        });
        if (!result.success) {
          throw new Error(`The listing is not valid: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
        }
        const listed = listings.find(({ id }) => id === result.data.id);
        // 48 bits can be searched for a match; nobody takes over the listing and the badge of another site that way.
        if (listed !== undefined && listed.url !== result.data.url) {
          throw new Error(
            `The id ${listed.id} belongs to ${listed.url}; ${result.data.url} cannot be listed under it.`,
          );
        }
        if (listed !== undefined && listed.certified_at >= result.data.certified_at) {
          return { change: null, result: { listing: listed, isNew: false } };
        }
        if (listed === undefined && listings.length >= maxListings) {
          throw new StorageUnavailable(`${maxListings} sites are listed, which is all there is room for.`);
        }
        return { change: result.data, result: { listing: result.data, isNew: listed === undefined } };
      }),

    mark: (id, at) =>
      store.update(({ listings }) => {
        const listed = listings.find((each) => each.id === id);
        if (listed === undefined) {
          return { change: null, result: null };
        }
        const marked = listing.parse({ ...listed, checked_at: at, below_since: listed.below_since ?? at });
        return { change: marked, result: marked };
      }),

    remove: (id) =>
      store.update(({ listings }) => {
        const isListed = listings.some((each) => each.id === id);
        return { change: isListed ? { id, delisted: true } : null, result: isListed };
      }),

    onChange: (listener) => store.onChange(listener),

    close: () => store.close(),
  };
}
