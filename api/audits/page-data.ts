import type { AuditReport } from '../audit/report.ts';
import type { FormProblem } from '../contract/form-problem.ts';
import type { AuditComparison } from './comparison.ts';
import type { AuditHistory } from './history.ts';
import type { LookAnswer } from './look.ts';

/** The last report on a site, as its page shows it. */
export interface ShownAudit {
  report: AuditReport;
  /** ISO 8601, UTC. */
  recorded_at: string;
  ageSeconds: number;
  /** False when it is shown this once, since it is not, or no longer, the one that is kept. */
  isKept: boolean;
  /** The last results of the page that the report is about. */
  history: AuditHistory;
  /** Id of the site in the directory, by which its badge is found. */
  listing: { id: string; isListed: boolean };
}

/** What `/audit/compare` shows: a comparison, or which of the two addresses has no report. */
export interface AuditComparePageData {
  /** The form's value. */
  typed: { a: string; b: string };
  comparison: AuditComparison | null;
  /** The addresses without a report. */
  missing: string[];
}

/** What `/audit/look` shows when it is more than the form. */
export interface AuditLookPageData {
  /** What is in the form. */
  url: string;
  /** Null before the form was sent, or when there is a problem. */
  sight: LookAnswer | null;
  problem: Pick<FormProblem, 'slug' | 'detail' | 'due'> | null;
}

/** What `/audit` shows when it is more than the form. */
export interface AuditPageData {
  /** The form's value. */
  url: string;
  /** Null when the address has no report, or when there is a problem. */
  last: ShownAudit | null;
  /** Why there is none; null when nothing went wrong. */
  problem: FormProblem | null;
}
