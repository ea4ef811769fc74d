import { type Model, models } from '#almanac/datasets/models.ts';

/** A column of the table of prices, and how the table is sorted by it. */
export interface PriceColumn {
  /** The end of the address of the table that is sorted by it; null for the first table. */
  slug: string | null;
  title: string;
  /** What is compared: the smallest first when `isAscending`. Models without a value come last. */
  value(model: Model): number | string | null;
  isAscending: boolean;
}

export const priceColumns: readonly PriceColumn[] = [
  { slug: 'name', title: 'Model', value: ({ name }) => name, isAscending: true },
  { slug: 'maker', title: 'Maker', value: ({ provider }) => provider, isAscending: true },
  { slug: null, title: 'Input', value: ({ pricing_usd_per_mtok: price }) => price?.input ?? null, isAscending: true },
  {
    slug: 'cached',
    title: 'Cached input',
    value: ({ pricing_usd_per_mtok: price }) => price?.cached_input ?? null,
    isAscending: true,
  },
  {
    slug: 'output',
    title: 'Output',
    value: ({ pricing_usd_per_mtok: price }) => price?.output ?? null,
    isAscending: true,
  },
  { slug: 'context', title: 'Context', value: ({ context_window }) => context_window, isAscending: false },
  { slug: 'max-output', title: 'Longest output', value: ({ max_output }) => max_output, isAscending: false },
  { slug: 'cut-off', title: 'Cut-off', value: ({ knowledge_cutoff }) => knowledge_cutoff, isAscending: false },
  { slug: 'released', title: 'Released', value: ({ released }) => released, isAscending: false },
];

/** The address of the table that is sorted by a column. */
export const pricePath = ({ slug }: PriceColumn): string =>
  slug === null ? '/models/prices' : `/models/prices/${slug}`;

/** Rows of a part of the table, with what they have in common. */
export interface PriceGroup {
  title: string;
  rows: Model[];
}

/** Rows in a part: on phones the first is open, the others are folded. */
const rowsInGroup = 20;

/** The priced models in the order of a column, in parts: by maker, or a fixed number in a row with their first and last value. */
export function groupsBy(column: PriceColumn): PriceGroup[] {
  const rows = sortedBy(column);
  if (column.slug === 'maker') {
    return [...Map.groupBy(rows, ({ provider }) => provider)].map(([title, own]) => ({ title, rows: own }));
  }
  const shown = (model: Model | undefined): string => {
    const value = model === undefined ? null : column.value(model);
    return value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: 4 });
  };
  return Array.from({ length: Math.ceil(rows.length / rowsInGroup) }, (_, index) => {
    const part = rows.slice(index * rowsInGroup, (index + 1) * rowsInGroup);
    const [from, to] = [shown(part[0]), shown(part.at(-1))];
    return { title: `${column.title}: ${from === to ? from : `${from} to ${to}`}`, rows: part };
  });
}

/** Models that are for sale: those that are retired, and those without a known price, are left out. */
const priced: readonly Model[] = models.records.filter(
  ({ status, pricing_usd_per_mtok: price }) => status !== 'retired' && price !== null,
);

/** The priced models in the order of a column; equal ones by name. */
export function sortedBy({ value, isAscending }: PriceColumn): Model[] {
  const compare = (one: number | string, other: number | string): number =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), 'en');
  return priced.toSorted((first, second) => {
    const [one, other] = [value(first), value(second)];
    const byValue =
      one === null || other === null
        ? Number(one === null) - Number(other === null)
        : compare(one, other) * (isAscending ? 1 : -1);
    return byValue || first.name.localeCompare(second.name, 'en');
  });
}
