import type { AlmanacDataset } from './datasets/index.ts';
import { derivedFilters } from './derived-filters.ts';
import { fieldValue, pickFields, type RecordField, type Row, recordFields, rowsOf } from './record-fields.ts';

/** What to list. Every condition has to hold. */
export interface ListQuery {
  /** By field or derived filter: the value or the values of which it has one; of a list, one member. "null" is a missing value; a date matches by its beginning. */
  equals?: Readonly<Record<string, string | readonly string[]>>;
  /** By field: the least value, and the greatest. Numbers compare as numbers, dates as the days that they cover. */
  from?: Readonly<Record<string, string>>;
  to?: Readonly<Record<string, string>>;
  /** Fields in order of weight; one that begins with "-" sorts from the greatest. */
  sort?: readonly string[];
  /** Fields to show of each record; `id` is always one of them. All of them unless given. */
  fields?: readonly string[];
  /** Most records to return, and the id of the record after which they begin. */
  limit?: number;
  after?: string;
}

/** The records that were asked for. `next` is the id to go on after, or null at the end. */
export interface RecordList {
  records: Row[];
  /** How many records fulfil the conditions, before `limit`. */
  matched: number;
  next: string | null;
}

/** What a page should begin after isn't of this list. */
export class UnknownCursor extends Error {}

/** Whether a value is the one that is wanted. */
const holds = (value: unknown, wanted: string, isDate: boolean): boolean => {
  if (Array.isArray(value)) {
    return value.some((member) => holds(member, wanted, isDate));
  }
  const text = String(value).toLowerCase();
  return text === wanted.toLowerCase() || (isDate && text.startsWith(`${wanted}-`));
};

/** Whether some record of a dataset has a value in a field. */
export const isHeld = (dataset: AlmanacDataset, { name, kind }: RecordField, wanted: string): boolean =>
  rowsOf(dataset).some((row) => holds(fieldValue(row, name), wanted, kind === 'date'));

/** The first and the last day that a date covers: "2026-09" is all of September. As texts, which sort like days. */
const daysOf = (date: string): readonly [first: string, last: string] => [
  date + '-01-01'.slice(date.length - 4),
  date + '-12-31'.slice(date.length - 4),
];

/** Whether a value lies in a range. What is missing lies in none, and a date lies in each that it touches. */
function isWithin(
  value: unknown,
  kind: RecordField['kind'],
  from: string | undefined,
  to: string | undefined,
): boolean {
  if (value === null || Array.isArray(value)) {
    return false;
  }
  if (kind === 'number') {
    return Number(value) >= Number(from ?? -Infinity) && Number(value) <= Number(to ?? Infinity);
  }
  const [first, last] = daysOf(String(value));
  return (from === undefined || last >= daysOf(from)[0]) && (to === undefined || first <= daysOf(to)[1]);
}

/** Whether no value can lie in a range, because it ends before it begins. */
export const isUpsideDown = ({ kind }: RecordField, from: string, to: string): boolean =>
  kind === 'number' ? Number(from) > Number(to) : daysOf(from)[0] > daysOf(to)[1];

const byValue = (one: unknown, other: unknown): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en', { numeric: true });

/** Orders by one field; what is missing comes last in both directions. */
function comparison(key: string): (one: Row, other: Row) => number {
  const isDescending = key.startsWith('-');
  const field = isDescending ? key.slice(1) : key;
  return (one, other) => {
    const [left, right] = [fieldValue(one, field), fieldValue(other, field)];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null);
    }
    return isDescending ? byValue(right, left) : byValue(left, right);
  };
}

function toCondition(field: RecordField, query: ListQuery): ((row: Row) => boolean) | null {
  const given = query.equals?.[field.name];
  const wanted = typeof given === 'string' ? [given] : given;
  const from = query.from?.[field.name];
  const to = query.to?.[field.name];
  if (wanted === undefined && from === undefined && to === undefined) {
    return null;
  }
  return (row) => {
    const value = fieldValue(row, field.name);
    return (
      (wanted === undefined || wanted.some((each) => holds(value, each, field.kind === 'date'))) &&
      ((from === undefined && to === undefined) || isWithin(value, field.kind, from, to))
    );
  };
}

/** The records of a dataset that fulfil a query, in its order, a page of them. Throws `UnknownCursor`. */
export function listRecords(dataset: AlmanacDataset, query: ListQuery): RecordList {
  const conditions = [
    ...recordFields(dataset).flatMap((field) => toCondition(field, query) ?? []),
    ...derivedFilters(dataset).flatMap(({ name, read }) => {
      const wanted = query.equals?.[name];
      return wanted === undefined ? [] : (row: Row) => [wanted].flat().some((each) => each === read(row));
    }),
  ];
  const orders = (query.sort ?? []).map(comparison);
  const found = rowsOf(dataset).filter((row) => conditions.every((condition) => condition(row)));
  const sorted =
    orders.length === 0
      ? found
      : found.toSorted((one, other) => orders.reduce((order, compare) => order || compare(one, other), 0));
  const position = query.after === undefined ? -1 : sorted.findIndex(({ id }) => id === query.after);
  if (query.after !== undefined && position === -1) {
    throw new UnknownCursor(`no record of this list has the id "${query.after}"`);
  }
  const start = position + 1;
  const page = sorted.slice(start, query.limit === undefined ? undefined : start + query.limit);
  const { fields } = query;
  return {
    records: fields === undefined ? page : page.map((row) => pickFields(row, fields)),
    matched: found.length,
    next: start + page.length < sorted.length ? (page.at(-1)?.id ?? null) : null,
  };
}
