import type { AuditSummary } from '../audits/views.ts';
import type { Problem } from '../contract/problem.ts';
import type { JoinAnswer, MissingCheck } from './join.ts';
import type { DirectoryEntry } from './responses.ts';

/** A site that has joined, as the answer to the form shows it. */
export interface DirectoryJoined {
  congratulations: string;
  entry: DirectoryEntry;
  /** False when it was listed already. */
  isNew: boolean;
  /** The address whose audit certified it. */
  auditedUrl: string;
}

/** Why a site was not listed, as the answer to the form shows it. */
export interface DirectoryRefusal {
  /** What stood in the form. */
  url: string;
  slug: string;
  status: number;
  title: string;
  detail: string;
  /** What was found; null when no audit came to a result. */
  audit: { url: string; score: number; grade: string; coverage: number } | null;
  /** The checks that cost points, those that cost most first; empty without an audit. */
  missing: MissingCheck[];
  /** The entry of the site from an earlier audit, which stays. */
  listed: DirectoryEntry | null;
}

/** What the page needs of the answer to a join. */
export const toDirectoryJoined = ({ congratulations, entry, audit }: JoinAnswer, isNew: boolean): DirectoryJoined => ({
  congratulations,
  entry,
  isNew,
  auditedUrl: audit.url,
});

/** What the page needs of the problem that a join ended with. `url` is what stood in the form. */
export function toDirectoryRefusal(problem: Problem, url: string): DirectoryRefusal {
  const { slug, status, title, plain, members } = problem;
  const refusal = { url, slug, status, title, detail: plain };
  if (slug !== 'not-certifiable') {
    return { ...refusal, audit: null, missing: [], listed: null };
  }
  // The members that joinDirectory gives to this problem.
  const { audit, missing, listed } = members as {
    audit: AuditSummary;
    missing: MissingCheck[];
    listed: DirectoryEntry | null;
  };
  const { score, grade, coverage } = audit;
  return { ...refusal, audit: { url: audit.url, score, grade, coverage }, missing, listed };
}
