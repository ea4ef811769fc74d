import { type AlmanacDataset, crawlers } from './datasets/index.ts';
import type { Row } from './record-fields.ts';
import { refusedUse, uses } from './robots-txt.ts';

/** A filter of a list by what follows from several fields of a record. */
export interface DerivedFilter {
  name: string;
  values: readonly string[];
  description: string;
  read(row: Row): string | null;
}

const robotsUse: DerivedFilter = {
  name: 'robots_use',
  values: Object.keys(uses),
  description:
    'Only records whose robots.txt token /api/robots refuses when this use is off: active ones, with opt-out tokens and archives.',
  read: ({ id }) => {
    const crawler = crawlers.get(id);
    return crawler === undefined ? null : refusedUse(crawler);
  },
};

/** The filters of a dataset's list that are no fields of its records. */
export const derivedFilters = ({ path }: AlmanacDataset): readonly DerivedFilter[] =>
  path === crawlers.path ? [robotsUse] : [];
