import type { RecordReference } from './answer.ts';

/** What the answerer needs of a dataset. The five datasets of the almanac fit. */
export interface AskableDataset {
  id: string;
  path: string;
  title: string;
  records: readonly { id: string }[];
}

/** One record, read by field name whatever its dataset. */
export interface Entry extends RecordReference {
  record: Readonly<Record<string, unknown>>;
}

/** Whether a record is a statement, which has no name but itself. */
export const isStatement = ({ record }: Entry): boolean => typeof record['statement'] === 'string';

/** Turns datasets into entries, in their order. */
export function toEntries(datasets: readonly AskableDataset[]): Entry[] {
  return datasets.flatMap((dataset) =>
    dataset.records.map((row) => {
      const record: Readonly<Record<string, unknown>> = { ...row };
      const title = [record.name, record.term, record.statement].find((value) => typeof value === 'string');
      return { dataset: dataset.id, id: row.id, title: title ?? row.id, path: `/${dataset.path}/${row.id}`, record };
    }),
  );
}

/** A value of a record with the field it comes from. `value` is never null: what is not confirmed is no fact. */
export interface Fact {
  entry: Entry;
  field: string;
  value: unknown;
  /** What the record adds about the standing of this one value. */
  caveat: string | null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a field. Null, an empty list, an annotated null and an operator that is unknown all mean unconfirmed and give null. */
export function readFact(entry: Entry, field: string): Fact | null {
  const raw = entry.record[field];
  const annotated = isObject(raw) && 'verify_status' in raw;
  const value = annotated ? raw.value : raw;
  if (value === null || value === undefined || value === 'Unknown' || (Array.isArray(value) && value.length === 0)) {
    return null;
  }
  const attributed = annotated && raw.verify_status === 'attributed-not-audited';
  return { entry, field, value, caveat: attributed ? 'This value is attributed and was not audited.' : null };
}

/** A field as text; an empty string when it holds no text. */
export function readText(entry: Entry, field: string): string {
  const value = readFact(entry, field)?.value;
  return typeof value === 'string' ? value : '';
}

/** A field as a list of texts; a single text is a list of one. */
export function readTexts(entry: Entry, field: string): string[] {
  const value = readFact(entry, field)?.value;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === 'string');
}
