import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { otherAuditors } from './auditor.ts';

const Checks = z.array(z.string()).min(1);

/** A thing that several auditors look at, and the checks by which each of them does. */
const Topic = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Ids of checks, as the auditors themselves name them. An auditor that does not look at it is left out. */
  checks: z.strictObject({
    ours: Checks,
    afdocs: Checks.optional(),
    'agent-readability': Checks.optional(),
    lighthouse: Checks.optional(),
  }),
});
export type Topic = z.infer<typeof Topic>;

/** A check of another auditor that ours has no counterpart for, and why. */
const Foreign = z.strictObject({ auditor: z.enum(otherAuditors), check: z.string(), why: z.string() });
export type Foreign = z.infer<typeof Foreign>;

const TopicsFile = z.strictObject({ topics: z.array(Topic), without_counterpart: z.array(Foreign) });

const file = TopicsFile.parse(parse(readFileSync(new URL('topics.yaml', import.meta.url), 'utf8')));

/** What our audit and another one both look at, in the order of our rubric. A check belongs to one topic at most. */
export const topics: readonly Topic[] = file.topics;

/** The checks of the others that ours has no counterpart for. */
export const withoutCounterpart: readonly Foreign[] = file.without_counterpart;
