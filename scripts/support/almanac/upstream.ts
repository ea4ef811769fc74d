import type { z } from 'zod';
import type { AlmanacRecords, DatasetName } from './check.ts';

/** What an entry of an upstream says, as far as the watcher uses it. */
export type Fields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The entries of one document, by the name that the upstream gives them. */
export type Entries = Readonly<Record<string, Fields>>;

/** A document that was read and understood. */
export interface Edition {
  address: string;
  /** What it calls this edition: a version, a day, a revision; null when it says nothing. */
  version: string | null;
  entries: Entries;
}

/**
 * `new`: upstream has something that we lack. `changed`: it gives another value than the record. `contradiction`: it does,
 * and the record rests on a primary document, or another upstream gives a third value. `gone`: it was there last time.
 * `refreshed`: an address list was taken over. `unreadable`: a document couldn't be read, so nothing was compared.
 */
export type FindingKind = 'new' | 'changed' | 'contradiction' | 'gone' | 'refreshed' | 'unreadable';

/** One line of the report. */
export interface Finding {
  /** What `npm run almanac:take` is called with: "<upstream>/<dataset>/<record>/<field>" or "<upstream>/<kind>/<name>". */
  id: string;
  kind: FindingKind;
  upstream: string;
  /** The address of the document that says so. */
  source: string;
  message: string;
  /** The record it is about. */
  record?: { dataset: DatasetName; id: string };
  /** The field of the record that differs, its value here and the value upstream. */
  difference?: { field: string; ours: unknown; theirs: unknown };
  /** A record to begin with, for something new. */
  draft?: { dataset: DatasetName; record: Readonly<Record<string, unknown>> };
}

/** What came of comparing an upstream with the records. */
export interface Comparison {
  findings: Finding[];
  /** The records it speaks about, as "<dataset>/<id>". */
  covered: string[];
}

/** What an adapter compares with. */
export interface Known {
  records: AlmanacRecords;
  /** The entries of the last run, by address of the document. */
  previous: Readonly<Record<string, Entries>>;
  /** The day of the run. */
  today: string;
}

/** One source that others publish and that the watcher reads: an adapter. */
export interface Upstream {
  id: string;
  title: string;
  /** Under what terms it is published, and where that is said. */
  licence: string;
  /** What is compared, in one sentence; the README and the report print it. */
  compares: string;
  /** Addresses of it that records cite. Only a record that cites one is checked by it; null where records name the documents. */
  cited: RegExp | null;
  /** The documents to read for these records: https addresses, or "npm:<package>/<file>". */
  addresses(records: AlmanacRecords): string[];
  /** Understands a document. Throws an Error that says what is wrong with its shape. */
  parse(text: string, address: string): Edition;
  compare(editions: readonly Edition[], known: Known): Comparison;
  /** What is kept of an entry for the next run; all of it when this is left out. */
  keep?(fields: Fields): Fields;
}

/** Parses JSON and checks its shape. Throws an Error in a sentence: cut off, no JSON, or another shape. */
export function parseJson<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const start = text.trimStart().charAt(0);
    throw new Error(
      start === '{' || start === '['
        ? `it begins as JSON and isn't: it was cut off, or changed, after ${text.length} characters`
        : 'it is not JSON',
    );
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the document';
    throw new Error(`it has another shape: ${place}: ${issue?.message ?? 'unexpected'}`);
  }
  return parsed.data;
}

/** The entries that were there last time and are not in this edition. */
export const goneEntries = ({ address, entries }: Edition, { previous }: Known): string[] =>
  Object.keys(previous[address] ?? {}).filter((name) => !Object.hasOwn(entries, name));

/** A finding for each entry that was there last time and is not in this edition. */
export const goneFindings = (
  edition: Edition,
  known: Known,
  { upstream, source }: { upstream: string; source: (name: string) => string },
): Finding[] =>
  goneEntries(edition, known).map((name) => ({
    id: `${upstream}/gone/${name}`,
    kind: 'gone',
    upstream,
    source: source(name),
    message: `no longer lists ${name}`,
  }));

export const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
