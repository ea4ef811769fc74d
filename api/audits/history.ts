import { z } from 'zod';
import { causes } from '../audit/causes.ts';
import type { AuditReport } from '../audit/report.ts';

/** Results of a site that are kept. */
export const resultsKept = 20;

/** What is kept of a result when its report is replaced. */
export const auditResult = z.strictObject({
  audited_at: z.iso.datetime().describe('When the site was audited.'),
  score: z.int().min(0).max(100),
  grade: z.string(),
  rubric: z.string().describe('Version of the checks and weights: scores of two versions are not quite comparable.'),
  causes: z.array(z.string()).describe('What there was to fix, by the ids of the plan.'),
});
export type AuditResult = z.infer<typeof auditResult>;

const namedCause = z.strictObject({ cause: z.string(), title: z.string() });

/** What is different from one result to a later one. */
export const auditChange = z.strictObject({
  since: z.iso.datetime().describe('The earlier result.'),
  points: z.int().min(-100).max(100).describe('What the score rose by.'),
  fixed: z.array(namedCause),
  new: z.array(namedCause),
  same_rubric: z.boolean().describe('False when the rubric changed meanwhile, which moves scores too.'),
  sentence: z.string().describe('The same for people: "+12 since 14 November, 5 fixed, 1 new".'),
});
export type AuditChange = z.infer<typeof auditChange>;

/** The last results of a site, the newest first, and what changed. */
export const auditHistory = z.strictObject({
  home: z.url().describe('The home page that they are of.'),
  change: auditChange.nullable().describe('Against the last result of an earlier day; null for a first one.'),
  results: z.array(auditResult).max(resultsKept),
});
export type AuditHistory = z.infer<typeof auditHistory>;

/** What is kept of a report; null of one that could be judged too little to be compared. */
export const toResult = ({ audited_at, score, grade, rubric, plan, provisional }: AuditReport): AuditResult | null =>
  provisional ? null : { audited_at, score, grade, rubric, causes: plan.map(({ cause }) => cause) };

const titleOf = (cause: string): string =>
  Object.hasOwn(causes, cause) ? causes[cause as keyof typeof causes].title : cause;

const dayOf = (moment: string): string => moment.slice(0, 10);

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** A day as a sentence says it, with the year where that is another one: "14 November", "14 November 2025". */
const toDay = (moment: string, now: string): string =>
  `${dayFormat.format(new Date(moment))}${moment.slice(0, 4) === now.slice(0, 4) ? '' : ` ${moment.slice(0, 4)}`}`;

/** How many points, with the sign in front: "+12", "−3", "±0". */
const signed = (points: number): string => (points === 0 ? '±0' : points > 0 ? `+${points}` : `−${Math.abs(points)}`);

/** What is different from an earlier result to a later one. Pure. */
export function changeBetween(earlier: AuditResult, later: AuditResult): AuditChange {
  const points = later.score - earlier.score;
  const named = (ids: string[]) => ids.map((cause) => ({ cause, title: titleOf(cause) }));
  const fixed = earlier.causes.filter((cause) => !later.causes.includes(cause));
  const added = later.causes.filter((cause) => !earlier.causes.includes(cause));
  const isSameDay = dayOf(earlier.audited_at) === dayOf(later.audited_at);
  const since = isSameDay ? `${earlier.audited_at.slice(11, 16)} UTC` : toDay(earlier.audited_at, later.audited_at);
  return {
    since: earlier.audited_at,
    points,
    fixed: named(fixed),
    new: named(added),
    same_rubric: earlier.rubric === later.rubric,
    sentence: `${signed(points)} since ${since}, ${fixed.length} fixed, ${added.length} new`,
  };
}

/**
 * The history of a site: what changed is counted against the last result of an earlier day, since who mends a site audits it
 * many times in one, and against the first of today when there is none. Pure; `results` are the newest first.
 */
export function toHistory(home: string, results: readonly AuditResult[]): AuditHistory {
  const [last, ...before] = results;
  const earlier = before.find(({ audited_at }) => dayOf(audited_at) !== dayOf(last?.audited_at ?? '')) ?? before.at(-1);
  return {
    home,
    change: last === undefined || earlier === undefined ? null : changeBetween(earlier, last),
    results: [...results],
  };
}

/** A page by its address, without what does not tell pages apart: its fragment and the name of an index file. */
export function toPageKey(page: string): string {
  const url = new URL(page);
  url.hash = '';
  url.pathname = url.pathname.replace(/\/index\.(?:html?|php|aspx?)$/i, '/');
  return url.href;
}

/** The last results of the page that a report is about. */
export const historyOf = (
  { final_url }: Pick<AuditReport, 'final_url'>,
  audits: { results(home: string): readonly AuditResult[] },
): AuditHistory => toHistory(toPageKey(final_url), audits.results(final_url));
