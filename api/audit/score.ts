import type { Finding, ScoreCap } from './check.ts';
import { weightingOf } from './rubric.ts';

/** What findings come to. All of it is exact: points and weights are multiples of a quarter. */
export interface Score {
  /** 0 to 100, rounded down, under the lowest cap; 0 when nothing could be judged. */
  score: number;
  /** The same points over the weight of all findings, judged or not. */
  fullScore: number;
  /** The lowest ceiling and the finding that set it. */
  cap: { score: ScoreCap; finding: Finding } | null;
  /** The share of the applicable weight that was judged, 0 to 1. */
  coverage: number;
}

/** Under this coverage a result is provisional and cannot be certified. */
export const leastCoverage = 0.8;

/**
 * The points of a finding, out of its weight; null when it leaves the sum. A check whose subject does not exist gets
 * none: its weight counts against the finding about the absence.
 */
export function pointsOf({ check, status, countedBy }: Finding): number | null {
  const { weight } = weightingOf(check);
  if (countedBy !== null) {
    return 0;
  }
  if (status === 'not-applicable' || status === 'unchecked') {
    return null;
  }
  return status === 'pass' ? weight : status === 'partial' ? weight / 2 : 0;
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

const percent = (points: number, weight: number): number => Math.floor((points * 100) / weight);

/** The weighted mean of the findings that were judged, 0 to 100, rounded down; null when none was. */
export function meanOf(findings: readonly Finding[]): number | null {
  const judged = findings.filter((finding) => pointsOf(finding) !== null);
  const weight = sum(judged.map(({ check }) => weightingOf(check).weight));
  return weight === 0 ? null : percent(sum(judged.map((finding) => pointsOf(finding) ?? 0)), weight);
}

/** Scores all findings of a site. */
export function scoreOf(findings: readonly Finding[]): Score {
  const weightOf = (some: readonly Finding[]): number => sum(some.map(({ check }) => weightingOf(check).weight));
  const applicable = findings.filter(({ status, countedBy }) => status !== 'not-applicable' || countedBy !== null);
  const judged = applicable.filter(({ status }) => status !== 'unchecked');
  const capping = findings.reduce<Score['cap']>(
    (lowest, finding) =>
      finding.cap !== null && (lowest === null || finding.cap < lowest.score)
        ? { score: finding.cap, finding }
        : lowest,
    null,
  );
  const ceiling = capping?.score ?? 100;
  const points = sum(judged.map((finding) => pointsOf(finding) ?? 0));
  return {
    score: Math.min(meanOf(judged) ?? 0, ceiling),
    fullScore: Math.min(findings.length === 0 ? 0 : percent(points, weightOf(findings)), ceiling),
    cap: capping,
    coverage: applicable.length === 0 ? 0 : weightOf(judged) / weightOf(applicable),
  };
}
