import type { FormProblem } from '../contract/form-problem.ts';
import type { GuestbookList } from './responses.ts';

/** The fields of the form that signs. */
export const formFields = ['name', 'message', 'model'] as const;
type FormField = (typeof formFields)[number];

/** What the form is answered with when nothing was signed: the reason, and what was typed, to be mended and sent again. */
export interface GuestbookRefusal {
  problem: FormProblem;
  kept: Record<FormField, string>;
  /** What is wrong with a field, as the end of a sentence that begins with its name. */
  errors: Partial<Record<FormField, string>>;
}

/** What the form that withdraws is answered with when nothing was withdrawn. */
export interface WithdrawalRefusal {
  problem: FormProblem;
  kept: { id: string; token: string };
}

/** Entries on one page of the guestbook. */
export const entriesOfPage = 25;

type Entry = GuestbookList['entries'][number];

/** What the entries of the page can be narrowed down by: each parameter, its values, and which entries have one. */
export const pageFilters = {
  by: { values: ['person', 'agent'], of: (entry: Entry) => (entry.visitor_type === 'agent' ? 'agent' : 'person') },
  tier: { values: ['A', 'B', 'C', 'D'], of: (entry: Entry) => entry.identity.tier },
} as const;
type FilterName = keyof typeof pageFilters;
const filterNames = ['by', 'tier'] as const satisfies readonly FilterName[];

/** The chosen value of each parameter; absent where none is chosen. */
export type PageFilter = Partial<Record<FilterName, string>>;

/** A value to narrow the page down by, as a link to it. */
interface FilterChoice {
  name: FilterName;
  value: string;
  /** Entries with it, of those that fulfil the other parameter. */
  count: number;
  isChosen: boolean;
  /** The page with this value; when it is chosen already, the page without it. */
  href: string;
}

/** One page of the guestbook: what the list says of it, its entries, and the way to the others. */
export interface GuestbookPage extends GuestbookList {
  pages: {
    /** The query of this page's address, with its question mark; empty for the newest entries. */
    query: string;
    /** Address of the newest entries, from an older page. */
    newest: string | null;
    /** Address of the next older entries. */
    older: string | null;
    /** Entries that fulfil the filter, on all pages. */
    matched: number;
    filters: FilterChoice[];
  };
}

const fulfils = (entry: Entry, filter: PageFilter): boolean =>
  filterNames.every((name) => filter[name] === undefined || pageFilters[name].of(entry) === filter[name]);

const toQuery = (filter: PageFilter, before: string | null = null): string => {
  const chosen = filterNames.flatMap((name): [string, string][] => {
    const value = filter[name];
    return value === undefined ? [] : [[name, value]];
  });
  const query = new URLSearchParams([...chosen, ...(before === null ? [] : [['before', before]])]);
  return query.size === 0 ? '' : `?${query}`;
};

const toChoices = (entries: readonly Entry[], filter: PageFilter): FilterChoice[] =>
  filterNames.flatMap((name) => {
    const { [name]: chosen, ...others } = filter;
    const eligible = entries.filter((entry) => fulfils(entry, others));
    return pageFilters[name].values.map((value) => ({
      name,
      value,
      count: eligible.filter((entry) => pageFilters[name].of(entry) === value).length,
      isChosen: chosen === value,
      href: `/guestbook${toQuery(chosen === value ? others : { ...others, [name]: value })}`,
    }));
  });

/** The page that begins after an entry, or with the newest one. Null when no such entry is kept. */
export function findGuestbookPage(
  list: GuestbookList,
  before: string | null,
  filter: PageFilter = {},
): GuestbookPage | null {
  const index = before === null ? -1 : list.entries.findIndex(({ id }) => id === before);
  return before !== null && index === -1 ? null : toGuestbookPage(list, before, index + 1, filter);
}

/** The page of a whole list that begins with this entry of it, of those that fulfil the filter. */
export function toGuestbookPage(
  list: GuestbookList,
  before: string | null,
  from = 0,
  filter: PageFilter = {},
): GuestbookPage {
  const rest = list.entries.slice(from).filter((entry) => fulfils(entry, filter));
  const entries = rest.slice(0, entriesOfPage);
  const last = entries.at(-1);
  return {
    ...list,
    count: entries.length,
    pages: {
      query: toQuery(filter, before),
      newest: before === null ? null : `/guestbook${toQuery(filter)}`,
      older: rest.length > entriesOfPage && last !== undefined ? `/guestbook${toQuery(filter, last.id)}` : null,
      matched: list.entries.filter((entry) => fulfils(entry, filter)).length,
      filters: toChoices(list.entries, filter),
    },
    entries,
  };
}
