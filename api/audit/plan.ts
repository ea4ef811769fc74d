import { z } from 'zod';
import { type CauseId, causeIds, causes } from './causes.ts';
import type { Finding } from './check.ts';
import { type CheckId, weightingOf } from './rubric.ts';
import { pointsOf, scoreOf } from './score.ts';

const points = z.int().min(0);

/** A step of the plan: one cause, and what it brings to clear it. */
export const PlanStep = z.strictObject({
  cause: z.string().describe('Its id; all are listed at /audit/scoring.'),
  title: z.string(),
  findings: z.array(z.string()).describe('The partial and failed checks that it clears.'),
  unlocks: z.array(z.string()).describe('Checks that apply once it is done, and are counted as passed.'),
  points: points.describe('What the score rises by, with the steps before it taken.'),
  score_after: points.max(100),
  minutes: z.int().min(0).describe('A practised owner’s time, for a site of ordinary size.'),
  where: z.string().describe('The file or setting to change.'),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** A step as it's planned now. That of an older report may name a cause that is no more. */
export type PlannedStep = PlanStep & { cause: CauseId };

/** The findings that a cause clears, and the checks that are counted by them. */
interface Bundle {
  cause: CauseId;
  own: Finding[];
  absent: Finding[];
}

const lostBy = ({ own, absent }: Bundle): number =>
  [...own, ...absent].reduce((sum, finding) => sum + weightingOf(finding.check).weight - (pointsOf(finding) ?? 0), 0);

const lowestCap = ({ own }: Bundle): number => Math.min(100, ...own.map(({ cap }) => cap ?? 100));

const isFixed = (finding: Finding): Finding => ({ ...finding, status: 'pass', cap: null, countedBy: null });

/**
 * What to fix first: the causes of all findings, those that cap the score before the others, then by the weight they
 * cost. Pure. The score and the points of all steps add up to the score after the last one, which is 100.
 */
export function planOf(findings: readonly Finding[]): PlannedStep[] {
  const bundles = causeIds
    .map((cause): Bundle => {
      const own = findings.filter((finding) => finding.cause === cause);
      const ids = own.map(({ check }) => check);
      return { cause, own, absent: findings.filter(({ countedBy }) => countedBy !== null && ids.includes(countedBy)) };
    })
    .filter(({ own }) => own.length > 0)
    .sort((one, other) => lowestCap(one) - lowestCap(other) || lostBy(other) - lostBy(one));
  let now = findings;
  let score = scoreOf(findings).score;
  return bundles.map(({ cause, own, absent }) => {
    const cleared = new Set([...own, ...absent].map(({ check }) => check));
    now = now.map((finding) => (cleared.has(finding.check) ? isFixed(finding) : finding));
    const before = score;
    score = scoreOf(now).score;
    const { title, minutes, where } = causes[cause];
    const idsOf = (some: Finding[]): CheckId[] => some.map(({ check }) => check);
    return {
      cause,
      title,
      findings: idsOf(own),
      unlocks: idsOf(absent),
      points: score - before,
      score_after: score,
      minutes,
      where,
    };
  });
}
