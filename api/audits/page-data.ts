import type { AuditReport } from '../audit/report.ts';
import type { FormProblem } from '../contract/form-problem.ts';
import type { AuditComparison } from './comparison.ts';
import type { AuditHistory } from './history.ts';
import type { LookAnswer } from './look.ts';

/** The tested configuration of a server that puts right what a report found there, for each stack that is shown. */
export interface ServerFix {
  /** Ids of the checks that it puts right. */
  checks: string[];
  /** The stack that the audit recognised first. */
  stacks: {
    /** As the tabs of techniques name it, so that a choice there is a choice here. */
    id: string;
    title: string;
    /** Versions that it was run with; null when it could only be read against documentation. */
    tested_with: string | null;
    /** Files that work together; `place` says what their paths are relative to. */
    files: { path: string; place: 'site' | 'project' | 'server'; language: string; text: string }[];
    steps: string[];
    limits: string[];
  }[];
  /** The script that makes the markdown, which the steps name; null when none runs it. */
  script: { path: string; place: 'site' | 'project' | 'server'; language: string; text: string } | null;
}

/** The last report on a site, as its page shows it. */
export interface ShownAudit {
  report: AuditReport;
  /** ISO 8601, UTC. */
  recorded_at: string;
  ageSeconds: number;
  /** False when it is shown this once, since it is not, or no longer, the one that is kept. */
  isKept: boolean;
  /** Null when the server needs no change. */
  serverFix: ServerFix | null;
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
  /** What is wrong with an address, by its field. */
  errors: { a?: string; b?: string };
  /** Why there is no comparison, where it's neither of the addresses. */
  problem: Pick<FormProblem, 'slug' | 'detail' | 'due'> | null;
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
