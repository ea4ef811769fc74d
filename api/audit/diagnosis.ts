import { clauseOf } from './causes.ts';
import type { Finding } from './check.ts';
import type { PlannedStep } from './plan.ts';
import { leastCoverage, type Score } from './score.ts';

const points = (count: number): string => `${count} point${count === 1 ? '' : 's'}`;

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** What agents get of the pages, as the first half of the sentence. */
function opening(findings: readonly Finding[]): string {
  const content = findings.find(({ check }) => check === 'content-without-scripts')?.status;
  switch (content) {
    case 'pass':
      return 'Agents can read the pages';
    case 'partial':
      return 'Agents can read some of the pages';
    case 'fail':
      return 'Agents cannot read the pages';
    default:
      return 'This host serves no pages that could be read';
  }
}

/** The state of a site in one sentence, in our own words alone: what agents get, and what costs the most points. */
export function diagnosisOf(
  findings: readonly Finding[],
  { cap, coverage }: Score,
  plan: readonly PlannedStep[],
): string {
  if (coverage < leastCoverage) {
    return `Only ${Math.floor(coverage * 100)} % of what applies could be judged, which is too little for a score.`;
  }
  const [first, second] = plan;
  if (first === undefined) {
    return `${opening(findings)}, and everything that applies is right.`;
  }
  if (cap !== null && cap.finding.cause !== null) {
    return `${capital(clauseOf(cap.finding.cause))}: until that is fixed, the score cannot pass ${cap.score}.`;
  }
  const costs = [first, ...(second === undefined ? [] : [second])]
    .map((step) => `${clauseOf(step.cause)} (${points(step.points)})`)
    .join(', and ');
  return `${opening(findings)}; what costs most: ${costs}.`;
}
