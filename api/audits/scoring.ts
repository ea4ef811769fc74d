import { type DescribedCause, describeCauses, describeRubric, type RubricEntry } from '../audit/describe-rubric.ts';
import { certifiableFrom, type Grade, gradeBands } from '../audit/grade.ts';
import { rubricChanges, rubricGroups, rubricVersion } from '../audit/rubric.ts';
import { leastCoverage } from '../audit/score.ts';

export { scoreOutcome } from '../audit/grade.ts';

/** How an audit is scored, as a page and its JSON twin show it. */
export interface Scoring {
  /** Version of the checks and weights. */
  rubric: string;
  groups: { id: string; name: string; weight: number; checks: number }[];
  bands: { from: number; to: number; grade: Grade }[];
  certifiable_from: number;
  /** Share of the applicable weight under which a result is provisional. */
  least_coverage: number;
  checks: RubricEntry[];
  /** What findings go back to: the heading, an owner's minutes, the file or setting, and the checks that it can clear. */
  causes: DescribedCause[];
  /** What moved with each version, newest first, and why. */
  changes: { version: string; moved: string; why: string }[];
}

/** Writes down the rubric that audits are scored by. */
export const describeScoring = (): Scoring => ({
  rubric: rubricVersion,
  groups: Object.entries(rubricGroups).map(([id, { name, weight, checks }]) => ({
    id,
    name,
    weight,
    checks: Object.keys(checks).length,
  })),
  bands: gradeBands.map(({ from, grade }, index) => ({ from, to: (gradeBands[index - 1]?.from ?? 101) - 1, grade })),
  certifiable_from: certifiableFrom,
  least_coverage: leastCoverage,
  checks: describeRubric(),
  causes: describeCauses(),
  changes: [...rubricChanges],
});
