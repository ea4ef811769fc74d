import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { applyPatch, type Operation } from 'rfc6902';
import { z } from 'zod';
import { Day } from './dataset.ts';
import type { AlmanacDataset } from './datasets/index.ts';
import { type EditionEntry, editionsOf } from './edition-list.ts';

const Row = z.record(z.string(), z.unknown());

/** A dataset as an edition holds it: what its file says, without the fields that are worked out when it's loaded. */
export const EditionData = z.object({
  title: z.string(),
  description: z.string(),
  updated: Day,
  fields: z.array(z.string()).describe('Fields that are worked out, such as last_verified, are not among them.'),
  records: z.array(Row),
});
export type EditionData = z.infer<typeof EditionData>;

const DatasetFile = EditionData.extend({ records: z.array(Row.and(z.object({ id: z.string() }))) });

/** The same with the records under their ids, so that a patch names a record by its id and not by its place. */
const KeyedData = z.strictObject({
  ...EditionData.shape,
  order: z.array(z.string()),
  records: z.record(z.string(), Row),
});
type KeyedData = z.infer<typeof KeyedData>;

/** What `editions/<dataset>.json` holds: the first edition whole, and for each later one a JSON Patch (RFC 6902) from the one before. */
export const EditionFile = z.strictObject({
  first: KeyedData,
  patches: z.record(z.string(), z.array(z.custom<Operation>((value) => typeof value === 'object' && value !== null))),
});
export type EditionFile = z.infer<typeof EditionFile>;

/** The parsed file of a dataset as an edition has it; throws when it is no dataset. */
export function toKeyed(file: unknown): KeyedData {
  const { records, ...rest } = DatasetFile.parse(file);
  const held = new Set(records.flatMap((record) => Object.keys(record)));
  return {
    ...rest,
    fields: rest.fields.filter((field) => held.has(field)),
    order: records.map(({ id }) => id),
    records: Object.fromEntries(records.map((record) => [record.id, record])),
  };
}

/** The records in their order, each with its fields in the order of the list. */
export function fromKeyed({ order, records, ...rest }: KeyedData): EditionData {
  const inOrder = (row: Record<string, unknown>): Record<string, unknown> => ({
    ...Object.fromEntries(rest.fields.filter((field) => field in row).map((field) => [field, row[field]])),
    ...row,
  });
  return { ...rest, records: order.map((id) => inOrder(records[id] ?? {})) };
}

/** SHA-256 of the data as canonical JSON (RFC 8785), in lower-case hexadecimal. */
export const digestOf = (data: EditionData): string =>
  createHash('sha256')
    .update(String(canonicalize(data)))
    .digest('hex');

/** Rebuilds an edition from the first one and the patches after it. Throws when a patch doesn't fit. */
export function rebuild(file: EditionFile, version: string): KeyedData {
  const data = structuredClone(file.first) as KeyedData;
  const wanted = Object.keys(file.patches);
  for (const each of wanted.slice(0, wanted.indexOf(version) + 1)) {
    const failed = applyPatch(data, structuredClone(file.patches[each] ?? [])).find((error) => error !== null);
    if (failed !== undefined) {
      throw new Error(`edition ${each} can't be rebuilt: ${failed.message}`);
    }
  }
  return data;
}

/** The files are read when an edition is asked for, and stay in memory from then on. */
const files: Readonly<Record<AlmanacDataset['path'], () => Promise<{ default: unknown }>>> = {
  crawlers: () => import('./editions/crawlers.json', { with: { type: 'json' } }),
  protocols: () => import('./editions/protocols.json', { with: { type: 'json' } }),
  models: () => import('./editions/models.json', { with: { type: 'json' } }),
  glossary: () => import('./editions/glossary.json', { with: { type: 'json' } }),
  state: () => import('./editions/state.json', { with: { type: 'json' } }),
};

const rebuilt = new Map<string, { version: string; data: EditionData }>();

/** The data of an edition. The last one that was asked for is kept for each dataset. */
export async function readEdition(path: string, { version }: EditionEntry): Promise<EditionData> {
  const kept = rebuilt.get(path);
  if (kept?.version === version) {
    return kept.data;
  }
  const { default: document } = (await files[path]?.()) ?? { default: null };
  const data = fromKeyed(rebuild(EditionFile.parse(document), version));
  rebuilt.set(path, { version, data });
  return data;
}

/** The edition with a version, or the last one of a day or before it; undefined when the first edition is later. */
export const editionAt = (path: string, when: string): EditionEntry | undefined =>
  editionsOf(path).findLast(({ version, date }) => (when.includes('.') ? version === when : date <= when));
