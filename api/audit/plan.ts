import { type CauseId, causeIds, causes } from './causes.ts';
import type { Finding } from './check.ts';
import { type CheckId, weightingOf } from './rubric.ts';
import { pointsOf, scoreOf } from './score.ts';

/** One thing to change, and what that does to the score. */
export interface PlanStep {
  cause: CauseId;
  title: string;
  /** Ids of the partial and failed checks that it clears. */
  findings: CheckId[];
  /** Ids of the checks whose subject it brings into being. */
  unlocks: CheckId[];
  /** What the score rises by at this step, with the steps before it taken. */
  points: number;
  scoreAfter: number;
  minutes: number;
  /** The file or setting to change. */
  where: string;
}

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
export function planOf(findings: readonly Finding[]): PlanStep[] {
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
  return bundles.map(({ cause, own, absent }): PlanStep => {
    const cleared = new Set([...own, ...absent].map(({ check }) => check));
    now = now.map((finding) => (cleared.has(finding.check) ? isFixed(finding) : finding));
    const scoreAfter = scoreOf(now).score;
    const points = scoreAfter - score;
    score = scoreAfter;
    const { title, minutes, where } = causes[cause];
    const idsOf = (some: Finding[]): CheckId[] => some.map(({ check }) => check);
    return { cause, title, findings: idsOf(own), unlocks: idsOf(absent), points, scoreAfter, minutes, where };
  });
}
