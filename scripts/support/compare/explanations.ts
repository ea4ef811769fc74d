import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { auditorIds, otherAuditors } from './auditor.ts';
import { directions } from './differences.ts';

/** Names of sites; an alias of a list puts its names in its place. */
const Sites = z.preprocess(
  (names) => (Array.isArray(names) ? names.flat(Number.POSITIVE_INFINITY) : names),
  z.array(z.string()).min(1),
);

const About = z.strictObject({ topic: z.string(), auditor: z.enum(otherAuditors) });

/** Why our audit and another one contradict each other on some sites. */
const Explanation = About.extend({
  direction: z.enum(directions),
  /** The sites whose evidence was looked at, by both auditors. */
  sites: Sites,
  /** One or two sentences, for a reader who has not seen the sites. */
  why: z.string(),
});
export type Explanation = z.infer<typeof Explanation>;

/** A check of ours leaves a site out where another auditor counts one absence again. */
const CountedOnce = About.extend({ sites: Sites, absence: z.string(), check: z.string() }).transform(
  ({ absence, check, ...rest }): Explanation => ({
    ...rest,
    direction: 'ours-not-applicable',
    why: `${absence} We count that once, in the check on ${check}, and leave out what depends on it; the other counts it here again.`,
  }),
);

/** What we do not judge on the host that serves JSON alone, and another auditor counts. */
const NoPages = About.extend({ what: z.string() }).transform(
  ({ what, ...rest }): Explanation => ({
    ...rest,
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: `The host serves JSON alone. We recognise that and do not judge ${what} there; the other counts the JSON as a page.`,
  }),
);

/** Why an auditor comes to no result on a site where another one does. */
const Silence = z.strictObject({ site: z.string(), auditor: z.enum(auditorIds), why: z.string() });
export type Silence = z.infer<typeof Silence>;

const ExplanationsFile = z.strictObject({
  lists: z.array(Sites),
  differences: z.array(Explanation),
  counted_once: z.array(CountedOnce),
  no_pages: z.array(NoPages),
  silences: z.array(Silence),
});

const file = ExplanationsFile.parse(parse(readFileSync(new URL('explanations.yaml', import.meta.url), 'utf8')));

/** The explanation of every difference that is known. */
export const explanations: readonly Explanation[] = [...file.differences, ...file.counted_once, ...file.no_pages];

/** The explanation of every result that is missing. */
export const silences: readonly Silence[] = file.silences;
