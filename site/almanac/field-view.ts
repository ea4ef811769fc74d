import { datasets } from '#almanac/datasets/index.ts';
import { recordFields } from '#almanac/record-fields.ts';
import { knownDate } from '../dates.ts';
import { codeLanguage } from './code-language.ts';
import { labelOf, wordOf } from './labels.ts';
import { type Reference, recordReference, referencesIn } from './references.ts';

/** A piece of a line: plain text, or text with a meaning. `out` is the address of another site. */
export type Piece = string | Reference | { soft: string } | { code: string } | { number: string } | { out: string };

/** How the value of a field is shown. */
export type FieldView =
  | { as: 'line'; pieces: Piece[] }
  | { as: 'list'; items: Piece[][] }
  | { as: 'lists'; lists: { title: string; items: Piece[][] }[] }
  | { as: 'code'; code: string; language: string }
  | { as: 'folded'; summary: string; text: string };

type Row = Record<string, unknown>;

/** The fields of a dataset whose values are shown in words: those that its schema closes, and its dates. */
const inWords = new Map(
  datasets.map((dataset) => {
    const fields = recordFields(dataset);
    const named = (are: readonly { name: string }[]): Set<string> => new Set(are.map(({ name }) => name));
    const closed = named(fields.filter(({ values }) => values !== null));
    return [dataset.path as string, { closed, dates: named(fields.filter(({ kind }) => kind === 'date')) }];
  }),
);
/** The day on which the records of a dataset were last changed. */
const updatedOf = new Map(datasets.map(({ path, updated }) => [path as string, updated]));
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isRow);

const toText = (value: unknown, field = ''): string => {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  return typeof value === 'number' ? value.toLocaleString('en', { useGrouping: field !== 'year' }) : String(value);
};

const line = (...pieces: Piece[]): FieldView => ({ as: 'line', pieces });

const listOr = (none: string, items: Piece[][]): FieldView =>
  items.length === 0 ? line({ soft: none }) : { as: 'list', items };

const toLinks = (references: readonly Reference[]): FieldView =>
  references.length === 0
    ? line({ soft: 'none' })
    : line(...references.flatMap((reference, index) => (index === 0 ? [reference] : [', ', reference])));

const rowsView =
  (none: string, toItem: (row: Row) => Piece[]) =>
  (value: unknown): FieldView | null =>
    isRows(value) ? listOr(none, value.map(toItem)) : null;

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\/\S+$/.test(value);

const inCode = (value: unknown): FieldView => line(isAddress(value) ? { out: value } : { code: String(value) });

function pricesView(value: unknown): FieldView | null {
  if (!isRow(value)) {
    return null;
  }
  const pair = (row: Row): string => `${toText(row['input'])} and ${toText(row['output'])}`;
  const parts = [
    `${toText(value['input'])} input, ${toText(value['output'])} output`,
    ...(value['cached_input'] === null ? [] : [`, ${toText(value['cached_input'])} cached input`]),
    ...(value['valid_until'] === null ? [] : [`, until ${knownDate(String(value['valid_until']))}`]),
    ...(isRow(value['afterwards']) ? [`, then ${pair(value['afterwards'])}`] : []),
    ...(value['long_context'] as Row[]).map((tier) => `; above ${toText(tier['above'])} input tokens ${pair(tier)}`),
    `; as of ${knownDate(String(value['seen']))} at `,
  ];
  return line(parts.join(''), { out: String(value['source']) });
}

/** Who adopts a protocol, together where one source names them. */
function adoptersView(rows: readonly Row[]): FieldView {
  const items = [...Map.groupBy(rows, ({ source }) => String(source))].map(([source, named]): Piece[] => {
    const names = named.map(({ value }) => String(value));
    return [`${names.join(names.some((name) => name.includes(',')) ? '; ' : ', ')} (`, { out: source }, ')'];
  });
  const [only] = items;
  return only !== undefined && items.length === 1 ? line(...only) : listOr('none recorded', items);
}

/** Fields that are shown in a way of their own; null when the value isn't of the shape that this needs. */
const byField: Record<string, (value: unknown) => FieldView | null> = {
  entities: (value) =>
    isRows(value) ? toLinks(value.map(({ dataset, id }) => recordReference(String(dataset), String(id)))) : null,
  relationships: rowsView('none', ({ predicate, target, note }) => [
    `${labelOf(String(predicate))} `,
    recordReference('protocols', String(target)),
    `: ${note}`,
  ]),
  notable_adopters: (value) => (isRows(value) ? adoptersView(value) : null),
  releases: (value) =>
    isRows(value)
      ? listOr(
          'none recorded',
          value.toReversed().map(({ version, date }) => [`${version}, ${knownDate(String(date))}`]),
        )
      : null,
  sdks: rowsView('none recorded', ({ name, language, version, version_as_of: day, repository }) => [
    `${name}, ${language}${version === null ? '' : `, version ${version}`}`,
    day === null ? '' : `, the newest on ${knownDate(String(day))}`,
    ...(repository === null ? [] : [' (', { out: String(repository) }, ')']),
  ]),
  operator_country: (value) => line(countries.of(String(value)) ?? String(value)),
  ip_ranges: (value) => {
    const prefixes = isRow(value) ? (value['prefixes'] as string[]) : null;
    return prefixes === null
      ? null
      : {
          as: 'folded',
          summary: `${prefixes.length} prefixes, as published on ${knownDate(String((value as Row)['seen']))}`,
          text: prefixes.join(', '),
        };
  },
  ua_examples: (value) =>
    isRow(value)
      ? {
          as: 'lists',
          lists: [
            { title: 'Recognised:', examples: value['accepted'] as string[] },
            { title: 'Not this one:', examples: value['rejected'] as string[] },
          ].flatMap(({ title, examples }) =>
            examples.length === 0 ? [] : [{ title, items: examples.map((code) => [{ code }]) }],
          ),
        }
      : null,
  pricing_usd_per_mtok: pricesView,
  robots_snippet: (value) => ({ as: 'code', language: 'txt', code: String(value) }),
  code_example: (value) => ({ as: 'code', language: codeLanguage(String(value)), code: String(value) }),
  agent_readiness_link: (value) => line({ href: String(value), text: String(value) }),
  ua_substring: inCode,
  ua_full: inCode,
  robots_token: inCode,
  api_id: inCode,
  discovery_endpoint: inCode,
};

function listView(field: string, values: readonly unknown[]): FieldView {
  if (values.length === 0) {
    return line({ soft: 'none' });
  }
  return field.startsWith('ua_')
    ? line(...values.map((code) => ({ code: String(code) })))
    : line(values.map((value) => toText(value, field)).join(', '));
}

function objectView(field: string, object: Row): FieldView {
  if (!('verify_status' in object)) {
    return {
      as: 'list',
      items: Object.entries(object).map(([name, member]) => [`${labelOf(name)}: ${toText(member, field)}`]),
    };
  }
  const { value, note, source_hint } = object;
  return line(value === null ? { soft: 'not confirmed' } : toText(value, field), '. ', { soft: String(note) }, ' ', {
    out: String(source_hint),
  });
}

/** A value in the words of a reader, where its field is closed or a date. */
function readable(path: string, field: string, value: unknown): unknown {
  const { closed, dates } = inWords.get(path) ?? {};
  if (closed?.has(field)) {
    return Array.isArray(value) ? value.map((one) => wordOf(String(one))) : wordOf(String(value));
  }
  if (!dates?.has(field) || typeof value !== 'string') {
    return value;
  }
  const isAhead = field === 'retired_on' && value > String(updatedOf.get(path));
  return isAhead ? `announced for ${knownDate(value)}` : knownDate(value);
}

/** How the value of one field of a record is shown. `nullWord` is what a null says. */
export function viewField(path: string, field: string, value: unknown, nullWord: string): FieldView {
  if (value === null || value === undefined) {
    return line({ soft: nullWord });
  }
  const references = referencesIn(path, field, value);
  const special = references === null ? byField[field]?.(value) : toLinks(references);
  if (special) {
    return special;
  }
  if (isRow(value)) {
    return objectView(field, value);
  }
  const words = readable(path, field, value);
  if (Array.isArray(words)) {
    return listView(field, words);
  }
  if (typeof words === 'number') {
    return line({ number: toText(words, field) });
  }
  return line(isAddress(words) ? { out: words } : toText(words, field));
}
