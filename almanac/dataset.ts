import { z } from 'zod';
import type { NullWord, NullWords } from './null-words.ts';
import { checkedByMachine } from './watch/log.ts';

/** A calendar day, YYYY-MM-DD (RFC 3339 section 5.6 full-date). */
export const Day = z.iso.date();

/** A day, a month or a year: as exact as the source states it and no more exact. */
export const PartialDate = z
  .string()
  .regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/, 'expected YYYY, YYYY-MM or YYYY-MM-DD');

/** A lower-case slug; it is the record's id, its address and the target of links between records. */
export const Slug = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'expected a lower-case slug such as "gpt-4.1"');

/** An absolute http(s) address. A bare IP address is never a source. */
export const WebAddress = z
  .url({ protocol: /^https?$/ })
  .refine((value) => !/^https?:\/\/(\d{1,3}(\.\d{1,3}){3}|\[)/.test(value), 'an IP address is not a citable source');

/** Where a fact can be looked up: the primary document wherever one is known. */
export const Source = z.strictObject({ title: z.string().min(3), url: WebAddress });
export type Source = z.infer<typeof Source>;

/** Two or more sources that contradict each other about one field: both are shown, none is chosen silently. */
export const Conflict = z.strictObject({
  field: z.string().min(1),
  values: z
    .array(z.strictObject({ value: z.union([z.string(), z.number(), z.boolean(), z.null()]), source: WebAddress }))
    .min(2),
  note: z.string().nullable(),
});
export type Conflict = z.infer<typeof Conflict>;

/** How current a record is. The file holds the first and the third; the other two are worked out when it's loaded. */
export const standing = {
  source_as_of: Day.nullable().describe(
    'the day of the copy of the sources that was read, or the newest day that the copy itself proves; null when none was opened',
  ),
  checked_by_machine: Day.nullable().describe(
    'the last day on which the watcher compared the record with an upstream and found no difference; null when it never has',
  ),
  checked_by_person: Day.nullable().describe('the last day on which a person opened the sources; null when nobody has'),
  last_verified: Day.nullable().describe(
    'the latest of source_as_of, checked_by_machine and checked_by_person: what the record says held on that day',
  ),
};

/** What every record says about its own standing. `primary_source` names the origin when the evidence is second-hand. */
export const provenance = {
  sources: z.array(Source).min(1),
  evidence: z.enum(['primary', 'secondary']),
  primary_source: WebAddress.nullable(),
  conflicts: z.array(Conflict),
  ...standing,
  note: z.string().nullable(),
};

/** A record as it is in the file, before it is checked. */
export type FileRow = Readonly<Record<string, unknown>>;

/** A dataset as it is defined: an id, a schema for its records and the JSON document that holds them. */
interface DatasetDefinition<Schema extends z.ZodType<{ id: string }>> {
  id: string;
  /** The path segment of its pages and of its API: `/crawlers`, `/api/crawlers`. */
  path: string;
  record: Schema;
  /** The fields that a compact list shows: enough to choose a record by. */
  compact: readonly (keyof z.output<Schema> & string)[];
  /** Fields that follow from the others or from what the watcher saw: the file must not hold them. */
  derive?: (row: FileRow) => Record<string, unknown>;
  /** What null means where it can mean more than that no source confirms a value. */
  nulls: NullWords<z.output<Schema>>;
  /** The parsed JSON file: `{title, description, updated, fields, records}`; extra keys begin with `_`. */
  document: unknown;
}

export interface Dataset<Row extends { id: string }> {
  id: string;
  path: string;
  /** The schema of a record: what its fields are and what each means. */
  record: z.ZodType<Row>;
  title: string;
  description: string;
  updated: string;
  fields: string[];
  /** The fields that a compact list shows. */
  compact: readonly string[];
  records: Row[];
  get(id: string): Row | undefined;
  /** Why a field of a record is null. */
  nullWord(record: Row, field: keyof Row): NullWord;
  /** The same dataset from another document; throws as at first loading. */
  reload(document: unknown): Dataset<Row>;
}

const Envelope = z
  .object({
    title: z.string().min(3),
    description: z.string().min(50),
    updated: Day,
    fields: z.array(z.string()).min(1),
    records: z.array(z.unknown()).min(1),
  })
  .catchall(z.unknown())
  .superRefine((envelope, context) => {
    const known = new Set(['title', 'description', 'updated', 'fields', 'records']);
    for (const key of Object.keys(envelope)) {
      if (!known.has(key) && !key.startsWith('_')) {
        context.addIssue({ code: 'custom', message: `unknown key "${key}": extra keys begin with "_"` });
      }
    }
  });

const isRow = (row: unknown): row is FileRow => typeof row === 'object' && row !== null && !Array.isArray(row);

/** Days are strings of one length, so the order of text is the order of time. */
const latest = (days: readonly unknown[]): string | null =>
  days
    .filter((day) => typeof day === 'string')
    .toSorted()
    .at(-1) ?? null;

/** The fields of a record that its file doesn't hold. */
function derivedFields(row: FileRow, definition: Pick<DatasetDefinition<never>, 'path' | 'derive'>): FileRow {
  const checked = checkedByMachine(definition.path, String(row['id']));
  return {
    ...definition.derive?.(row),
    checked_by_machine: checked,
    last_verified: latest([row['source_as_of'], checked, row['checked_by_person']]),
  };
}

/** A record whole: `fields` first and in their order, then what else it has. */
function completeRow(row: FileRow, derived: FileRow, fields: readonly string[]): FileRow {
  const whole: FileRow = { ...row, ...derived };
  const ordered = fields.filter((field) => field in whole).map((field) => [field, whole[field]] as const);
  return { ...Object.fromEntries(ordered), ...whole };
}

/**
 * Checks a dataset's document against its schema and returns it ready for look-ups.
 * Throws one Error that names every bad record, e.g. `crawlers[12] gptbot: ua_substring: expected string`.
 */
export function defineDataset<Schema extends z.ZodType<{ id: string }>>(
  definition: DatasetDefinition<Schema>,
): Dataset<z.output<Schema>> {
  const envelope = Envelope.safeParse(definition.document);
  if (!envelope.success) {
    throw new Error(`${definition.id}: ${z.prettifyError(envelope.error)}`);
  }
  const problems: string[] = [];
  const byId = new Map<string, z.output<Schema>>();
  const records: z.output<Schema>[] = [];
  envelope.data.records.forEach((row, index) => {
    const rowId = isRow(row) && 'id' in row ? String(row['id']) : '(no id)';
    const derived = isRow(row) ? derivedFields(row, definition) : {};
    const held = isRow(row) ? Object.keys(derived).filter((field) => field in row) : [];
    problems.push(
      ...held.map(
        (field) => `${definition.id}[${index}] ${rowId}: ${field}: is worked out and must not be in the file`,
      ),
    );
    const parsed = definition.record.safeParse(isRow(row) ? completeRow(row, derived, envelope.data.fields) : row);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) {
        problems.push(`${definition.id}[${index}] ${rowId}: ${issue.path.join('.') || '(record)'}: ${issue.message}`);
      }
      return;
    }
    if (byId.has(parsed.data.id)) {
      problems.push(`${definition.id}[${index}] ${rowId}: id: already used by an earlier record`);
    }
    byId.set(parsed.data.id, parsed.data);
    records.push(parsed.data);
  });
  if (problems.length > 0) {
    throw new Error(`almanac/datasets/${definition.id}.json does not fit its schema:\n${problems.join('\n')}`);
  }
  const { title, description, updated, fields } = envelope.data;
  return {
    id: definition.id,
    path: definition.path,
    record: definition.record as unknown as z.ZodType<z.output<Schema>>,
    title,
    description,
    updated,
    fields,
    compact: definition.compact,
    records,
    get: (id) => byId.get(id),
    nullWord: (record, field) => {
      const word = definition.nulls[field] ?? 'not confirmed';
      return typeof word === 'function' ? word(record) : word;
    },
    reload: (document) => defineDataset({ ...definition, document }),
  };
}
