import { type RecordChange, recordChanges } from './record-changes.ts';

/** A change with its number in the record of changes, which is appended to and never renumbered. */
export type NumberedChange = RecordChange & { number: number };

export interface ChangeQuery {
  /** Changes of this day or later: YYYY, YYYY-MM or YYYY-MM-DD. */
  since?: string;
  /** Name of the dataset in paths, such as "state". */
  dataset?: string;
  id?: string;
  kind?: RecordChange['kind'];
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

/** The recorded changes of the datasets that fulfil a query, newest first. */
export function listChanges({ since, dataset, id, kind, limit, before }: ChangeQuery): ChangeList {
  const matching = newestFirst.filter(
    (change) =>
      (since === undefined || change.date >= since) &&
      (dataset === undefined || change.dataset === dataset) &&
      (id === undefined || change.id === id) &&
      (kind === undefined || change.kind === kind),
  );
  const start = before === undefined ? 0 : matching.findIndex(({ number }) => number === before) + 1;
  const changes = matching.slice(start, limit === undefined ? undefined : start + limit);
  return {
    changes,
    matched: matching.length,
    next: start + changes.length < matching.length ? (changes.at(-1)?.number ?? null) : null,
  };
}

type Bare<Change> = Change extends RecordChange ? Omit<Change, 'dataset' | 'id'> : never;

/** The newest changes of one record, at most ten; `dataset` is its name in paths. */
export const changesOfRecord = (dataset: string, id: string): Bare<RecordChange>[] =>
  listChanges({ dataset, id, limit: 10 }).changes.map(
    ({ number: _number, dataset: _dataset, id: _id, ...change }) => change as Bare<RecordChange>,
  );

/** A value as a reader compares it with another: text as it stands, anything else as JSON. */
const inWords = (value: unknown): string =>
  value === null ? 'nothing' : typeof value === 'string' ? `"${value}"` : JSON.stringify(value);

const cut = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 199)}…`);

/** A change in one sentence. `title` is the name of its record. */
export const changeSentence = (change: Bare<RecordChange>, title: string): string =>
  change.kind === 'changed'
    ? `${title}: ${change.field} was ${cut(inWords(change.old))} and is now ${cut(inWords(change.new))}.`
    : `${title} was ${change.kind}.`;
