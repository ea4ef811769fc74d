import { formatDate, formatNumber } from './ask/format.ts';
import { labelOf } from './ask/records.ts';
import { type RecordChange, recordChanges } from './record-changes.ts';
import { UnknownCursor } from './record-list.ts';

/** A change with its number in the record of changes, which is appended to and never renumbered. */
export type NumberedChange = RecordChange & { number: number };

export interface ChangeQuery {
  /** Changes of this day or later: YYYY, YYYY-MM or YYYY-MM-DD. */
  since?: string;
  /** Name of the dataset in paths, such as "state". */
  dataset?: string;
  id?: string;
  kind?: RecordChange['kind'];
  /** Only changes of these fields. */
  fields?: readonly string[];
  limit?: number;
  /** Only changes with a smaller number: where a page before ended. */
  before?: number;
}

export interface ChangeList {
  /** Newest first. */
  changes: NumberedChange[];
  /** How many fulfil the conditions, before `limit` and `before`. */
  matched: number;
  /** Number of the last change shown, when older ones follow; else null. */
  next: number | null;
}

const newestFirst: readonly NumberedChange[] = recordChanges
  .map((change, index): NumberedChange => ({ ...change, number: index + 1 }))
  .toSorted((one, other) => other.date.localeCompare(one.date) || other.number - one.number);

const matchingChanges = ({ since, dataset, id, kind, fields }: ChangeQuery): NumberedChange[] =>
  newestFirst.filter(
    (change) =>
      (since === undefined || change.date >= since) &&
      (dataset === undefined || change.dataset === dataset) &&
      (id === undefined || change.id === id) &&
      (kind === undefined || change.kind === kind) &&
      (fields === undefined || (change.kind === 'changed' && fields.includes(change.field))),
  );

/** Where a list goes on after the change with a number. Throws `UnknownCursor` when it isn't of this list. */
function startAfter<Item>(
  before: number | undefined,
  items: readonly Item[],
  numberOf: (item: Item) => number,
): number {
  if (before === undefined) {
    return 0;
  }
  const place = items.findIndex((item) => numberOf(item) === before);
  if (place === -1) {
    throw new UnknownCursor(`no change of this list has the number ${before}`);
  }
  return place + 1;
}

/** The recorded changes of the datasets that fulfil a query, newest first. Throws `UnknownCursor`. */
export function listChanges({ limit, before, ...conditions }: ChangeQuery): ChangeList {
  const matching = matchingChanges(conditions);
  const start = startAfter(before, matching, ({ number }) => number);
  const changes = matching.slice(start, limit === undefined ? undefined : start + limit);
  return {
    changes,
    matched: matching.length,
    next: start + changes.length < matching.length ? (changes.at(-1)?.number ?? null) : null,
  };
}

/** What changes are counted by. */
export const changeGroupings = ['record', 'day', 'dataset'] as const;
export type ChangeGrouping = (typeof changeGroupings)[number];

/** How many changes there are of each kind; a kind without any is left out. */
export type ChangeKinds = Partial<Record<RecordChange['kind'], number>>;

/** The changes of a record, a day or a dataset, counted. */
export interface ChangeGroup {
  newest: NumberedChange;
  kinds: ChangeKinds;
  /** How many records changed. */
  records: number;
  /** Fields that changed, those of most changes first. */
  fields: string[];
}

export interface GroupedChanges {
  /** That of the newest change first. */
  groups: ChangeGroup[];
  /** How many changes, groups and records fulfil the conditions, before `limit` and `before`. */
  matched: number;
  matchedGroups: number;
  records: number;
  /** By dataset in paths. */
  datasets: Map<string, ChangeKinds>;
  next: number | null;
}

const groupKeys: Readonly<Record<ChangeGrouping, (change: RecordChange) => string>> = {
  record: ({ dataset, id }) => `${dataset}/${id}`,
  day: ({ date }) => date,
  dataset: ({ dataset }) => dataset,
};

/** How many there are of each, those of most first. */
const tally = <Value extends string>(values: readonly Value[]): [Value, number][] =>
  [...Map.groupBy(values, (value) => value)]
    .map(([value, same]): [Value, number] => [value, same.length])
    .toSorted(([, one], [, other]) => other - one);

const countKinds = (changes: readonly RecordChange[]): ChangeKinds =>
  Object.fromEntries(tally(changes.map(({ kind }) => kind)));

const countRecords = (changes: readonly RecordChange[]): number => new Set(changes.map(groupKeys.record)).size;

/** The recorded changes that fulfil a query, counted by record, day or dataset. Throws `UnknownCursor`. */
export function groupChanges(by: ChangeGrouping, { limit, before, ...conditions }: ChangeQuery): GroupedChanges {
  const matching = matchingChanges(conditions);
  const all = [...Map.groupBy(matching, groupKeys[by]).values()].flatMap((changes): ChangeGroup[] => {
    const [newest] = changes;
    const fields = changes.flatMap((change) => (change.kind === 'changed' ? [change.field] : []));
    return newest === undefined
      ? []
      : [
          {
            ...{ newest, kinds: countKinds(changes), records: countRecords(changes) },
            fields: tally(fields).map(([field]) => field),
          },
        ];
  });
  const start = startAfter(before, all, ({ newest }) => newest.number);
  const groups = all.slice(start, limit === undefined ? undefined : start + limit);
  return {
    groups,
    matched: matching.length,
    matchedGroups: all.length,
    records: countRecords(matching),
    datasets: new Map(
      [...Map.groupBy(matching, groupKeys.dataset)].map(([dataset, changes]) => [dataset, countKinds(changes)]),
    ),
    next: start + groups.length < all.length ? (groups.at(-1)?.newest.number ?? null) : null,
  };
}

type Bare<Change> = Change extends RecordChange ? Omit<Change, 'dataset' | 'id'> : never;

/** The newest changes of one record, at most ten; `dataset` is its name in paths. */
export const changesOfRecord = (dataset: string, id: string): Bare<RecordChange>[] =>
  listChanges({ dataset, id, limit: 10 }).changes.map(
    ({ number: _number, dataset: _dataset, id: _id, ...change }) => change as Bare<RecordChange>,
  );

/** What some objects are called by, and what is told of them in brackets. */
const shapes: readonly { name: string; more: readonly string[] }[] = [
  { name: 'name', more: ['language', 'version'] },
  { name: 'version', more: ['date'] },
  { name: 'title', more: [] },
  { name: 'value', more: [] },
];

/** The numbers of a window, and none of a year or version. */
const LARGE = 10_000;

/** A value of a field as a person reads it. */
function inWords(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return 'nothing';
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value === 'number') {
    return value < LARGE ? String(value) : formatNumber(value);
  }
  if (Array.isArray(value)) {
    return value.map(inWords).join(', ');
  }
  if (typeof value !== 'object') {
    const text = String(value);
    return /^\d{4}-\d{2}(-\d{2})?$/.test(text) ? formatDate(text) : /\s/.test(text) ? `“${text}”` : text;
  }
  if ('verify_status' in value && 'value' in value) {
    return value.value === null ? 'unconfirmed' : `${inWords(value.value)} (unconfirmed)`;
  }
  // What sources disagree on: the sources are in the record.
  if ('field' in value && 'values' in value && Array.isArray(value.values)) {
    const said = value.values.map((one: { value: unknown }) => inWords(one.value));
    return `${labelOf(String(value.field))} ${said.join(' or ')}`;
  }
  return objectInWords(value as Record<string, unknown>);
}

function objectInWords(value: Record<string, unknown>): string {
  const shape = shapes.find(({ name }) => typeof value[name] === 'string');
  if (shape !== undefined) {
    const more = shape.more.flatMap((name) => (typeof value[name] === 'string' ? inWords(value[name]) : []));
    return `${String(value[shape.name])}${more.length === 0 ? '' : ` (${more.join(' ')})`}`;
  }
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${labelOf(name)} ${typeof part === 'string' ? part : inWords(part)}`)
    .join(' ');
}

/** Most characters of a value in a sentence, and how many of them come before what is new. */
const longest = 200;
const lead = 60;
/** From this length on a text is told as it is now: what it was is in the record of changes. */
const prose = 80;

function cut(text: string, from = 0): string {
  const rest = text.slice(from);
  return `${from > 0 ? '“…' : ''}${rest.length <= longest ? rest : `${rest.slice(0, longest - 1)}…”`}`;
}

/** What a list gained and lost; null when it only has another order, or when one of the two values is no list. */
function listDifference(old: unknown, now: unknown): string | null {
  if (!Array.isArray(old) || !Array.isArray(now)) {
    return null;
  }
  const missingFrom = (list: unknown[], others: unknown[]): unknown[] => {
    const known = new Set(others.map((item) => JSON.stringify(item)));
    return list.filter((item) => !known.has(JSON.stringify(item)));
  };
  const [added, removed] = [missingFrom(now, old), missingFrom(old, now)];
  const parts = [
    ...(added.length > 0 ? [`gained ${cut(inWords(added))}`] : []),
    ...(removed.length > 0 ? [`lost ${cut(inWords(removed))}`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : null;
}

/** Whether a value is an object with members of its own, rather than a value that waits for its confirmation. */
const hasMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('verify_status' in value);

/** Both values; of long texts the new one, from a little before the place where it parts from the old one. */
function wasAndIs(old: unknown, now: unknown): string {
  const [was, is] = [inWords(old), inWords(now)];
  if (was.length > prose && is.length > prose) {
    let same = 0;
    while (same < was.length && was[same] === is[same]) {
      same += 1;
    }
    return `now reads ${cut(is, same < longest - lead ? 0 : same - lead)}`;
  }
  return `${old === null ? 'had no value' : `was ${cut(was)}`} and ${now === null ? 'has none now' : `is now ${cut(is)}`}`;
}

/** An example in JSON is to be read in its record, and not in a sentence. */
const isJson = (value: unknown): boolean => typeof value === 'string' && /^\s*[{[]|":/.test(value);

/** How a value changed: of lists what came and went, of objects the members that differ, else both values. */
function difference(old: unknown, now: unknown): string {
  if (hasMembers(old) && hasMembers(now)) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const parts = names
      .map((name) => ({ name: labelOf(name), old: old[name] ?? null, now: now[name] ?? null }))
      .filter((member) => inWords(member.old) !== inWords(member.now))
      .map((member) => `${member.name} ${difference(member.old, member.now)}`);
    return parts.length > 0 ? `changed: ${parts.join('; ')}` : wasAndIs(old, now);
  }
  return isJson(old) || isJson(now) ? 'changed' : (listDifference(old, now) ?? wasAndIs(old, now));
}

/** A sentence that ends within its quotation needs no full stop after it. */
const endSentence = (text: string): string => (/[.!?…]”$/.test(text) ? text : `${text}.`);

/** A change in one sentence. `title` is the name of its record. */
export const changeSentence = (change: Bare<RecordChange>, title: string): string =>
  change.kind === 'changed'
    ? `${title}: ${endSentence(`${labelOf(change.field)} ${difference(change.old, change.new)}`)}`
    : `${title} was ${change.kind}.`;
