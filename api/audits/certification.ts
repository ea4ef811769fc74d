import { certifiableFrom } from '../audit/grade.ts';
import { leastCoverage } from '../audit/score.ts';

/** What the audit of a site must show for the directory to list it. */
export const certification = {
  /** Lowest score. */
  from: certifiableFrom,
  /** Lowest share of the applicable weight that could be judged, from 0 to 1. */
  coverage: leastCoverage,
} as const;
