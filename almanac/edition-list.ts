import { z } from 'zod';
import { Day } from './dataset.ts';
import document from './editions/list.json' with { type: 'json' };

/** The name of an edition: the day on which it was written, and its number on that day. */
export const EditionVersion = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}\.[1-9]\d{0,2}$/, 'expected YYYY-MM-DD.N')
  .refine((version) => Day.safeParse(version.slice(0, 10)).success, 'expected a day of the calendar');

/** An edition of a dataset: its data at one time, which never changes. */
export const EditionEntry = z.strictObject({
  version: EditionVersion.describe('the day and the number of the edition on that day'),
  date: Day.describe('the day from which it was the data'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of `data` as canonical JSON (RFC 8785)'),
  records: z.int().positive().describe('how many records it has'),
});
export type EditionEntry = z.infer<typeof EditionEntry>;

/** What `editions/list.json` holds for each dataset by its name in paths. */
export const EditionList = z.record(
  z.string(),
  z.strictObject({
    /** Oldest first. */
    editions: z.array(EditionEntry).min(1),
    /** By the id of a record the edition in which it changed last: from that one on it's the same. */
    last_changed: z.record(z.string(), EditionVersion),
  }),
);
export type EditionList = z.infer<typeof EditionList>;

const list = EditionList.parse(document);

/** The editions of a dataset, oldest first; none for a name that is no dataset's. */
export const editionsOf = (path: string): readonly EditionEntry[] => list[path]?.editions ?? [];

/** The path of the API that answers a dataset as its newest edition has it. */
export function snapshotPath(path: string): { version: string; path: string } {
  const version = editionsOf(path).at(-1)?.version ?? '';
  return { version, path: `/api/${path}/snapshots/${version}` };
}

/** The path that answers a record as it is now: in the edition in which it changed last, so that it stays when others change. */
export function recordSnapshotPath(path: string, id: string): { version: string; path: string } {
  const version = list[path]?.last_changed[id] ?? snapshotPath(path).version;
  return { version, path: `/api/${path}/snapshots/${version}?id=${id}` };
}
