import { isDeepStrictEqual } from 'node:util';
import type { Pair } from './pairs.ts';
import { viewOf } from './views.ts';

type Row = Record<string, unknown>;

/** The fields of two records, by how they compare; each list is in the order in which a record's page shows them. */
export interface Comparison {
  /** Both have a value, and the values differ. */
  different: string[];
  /** Only one of the two has a value. */
  oneSided: string[];
  same: string[];
  /** Neither has a value. */
  neither: string[];
}

/**
 * What is no property of the thing itself: examples, names that are in the title already, and what is on the page in
 * another form.
 */
const leftOut = new Set([
  'full_name',
  'abbreviation',
  'also_known_as',
  'aliases',
  'snippet',
  'code_example',
  'robots_snippet',
  'ua_full',
  'ua_examples',
  'ip_ranges',
  'relationships',
  'agent_readiness_link',
  'entity_uri',
  'taxonomy_layer',
  'layer_legacy',
  'canonical_spec_url',
  'spec_url',
  'documentation_url',
  'license_source',
  'weights_url',
  'api_id',
  'releases',
  'sdks',
]);

/** A value that says nothing: null, an empty list, or a statement about a missing figure. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && 'verify_status' in value && 'value' in value && value.value === null);

/** When and where a price was read doesn't make it another price. */
const comparable = (field: string, value: unknown): unknown =>
  field === 'pricing_usd_per_mtok' && typeof value === 'object' && value !== null
    ? { ...value, source: null, seen: null }
    : value;

/** Compares two records of a dataset field by field. */
export function compare({ dataset, one, other }: Pair): Comparison {
  const { card, groups, lede } = viewOf(dataset);
  const facts = groups.filter(({ title }) => title !== 'Standing').flatMap(({ fields }) => fields);
  const fields = [...new Set([...card, ...facts])].filter((field) => field !== lede && !leftOut.has(field));
  const [first, second] = [one as unknown as Row, other as unknown as Row];
  const result: Comparison = { different: [], oneSided: [], same: [], neither: [] };
  for (const field of fields) {
    const [left, right] = [first[field], second[field]];
    const kind =
      isEmpty(left) && isEmpty(right)
        ? 'neither'
        : isEmpty(left) || isEmpty(right)
          ? 'oneSided'
          : isDeepStrictEqual(comparable(field, left), comparable(field, right))
            ? 'same'
            : 'different';
    result[kind].push(field);
  }
  return result;
}

/** What the records say about how the two relate: `[from, predicate, to, note]`, from either side. */
export function relationsBetween({ one, other }: Pair): [from: string, predicate: string, to: string, note: string][] {
  const said = (from: Pair['one'], to: Pair['one']) =>
    'relationships' in from
      ? from.relationships
          .filter(({ target }) => target === to.id)
          .map(({ predicate, note }): [string, string, string, string] => [from.id, predicate, to.id, note ?? ''])
      : [];
  return [...said(one, other), ...said(other, one)];
}
