import { z } from 'zod';
import document from './changes.json' with { type: 'json' };
import { Day, Slug } from './dataset.ts';

/** A change of the catalog or the almanac that a reader may want to hear of. */
export const Change = z.strictObject({
  id: Slug,
  date: Day,
  title: z.string().min(5),
  path: z.string().startsWith('/'),
  summary: z.string().min(20),
});
export type Change = z.infer<typeof Change>;

/** The changes, newest first. */
export const changes: readonly Change[] = z
  .array(Change)
  .min(1)
  .parse(document)
  .toSorted((one, other) => other.date.localeCompare(one.date));
