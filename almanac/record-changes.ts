import { z } from 'zod';
import { Day, Slug, WebAddress } from './dataset.ts';
import document from './record-changes.json' with { type: 'json' };

const about = {
  date: Day.describe('the day on which the record changed here'),
  dataset: z.enum(['crawlers', 'protocols', 'models', 'glossary', 'state']),
  id: Slug.describe('id of the record'),
};
const origin = {
  source: WebAddress.describe('where the fact was read'),
  note: z.string().min(1).optional(),
};

/**
 * One change of one record, as almanac/README.md describes it. `old` and `new` are the values of a field before and after,
 * in the shape that the record's schema gives the field. Changes of `sources` alone are not recorded.
 */
export const RecordChange = z.discriminatedUnion('kind', [
  z.strictObject({ ...about, kind: z.literal('added'), ...origin }),
  z.strictObject({ ...about, kind: z.literal('removed'), ...origin }),
  z.strictObject({
    ...about,
    kind: z.literal('changed'),
    field: z.string().min(1),
    old: z.json(),
    new: z.json(),
    ...origin,
  }),
]);
export type RecordChange = z.infer<typeof RecordChange>;

/** Every recorded change, oldest first. */
export const recordChanges: readonly RecordChange[] = z.array(RecordChange).parse(document);
