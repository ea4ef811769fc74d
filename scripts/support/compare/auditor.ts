/** The auditors that are compared, ours first. */
export const auditorIds = ['ours', 'afdocs', 'agent-readability', 'lighthouse'] as const;
export type AuditorId = (typeof auditorIds)[number];

/** The auditors of other people. */
export const otherAuditors = auditorIds.filter((id): id is Exclude<AuditorId, 'ours'> => id !== 'ours');
export type OtherAuditor = (typeof otherAuditors)[number];

/** What a check of any auditor comes to. `no-result`: the auditor could not judge it, or did not come that far. */
export type Outcome = 'pass' | 'partial' | 'fail' | 'not-applicable' | 'no-result';

/** One check of an auditor on one site. */
export interface CheckOutcome {
  id: string;
  outcome: Outcome;
  /** What the auditor says about it, for whoever looks into a difference. It may name the address of the site. */
  note: string;
}

/** What an auditor found on one site. */
export interface AuditorResult {
  /** In the auditor's own scale; null when it came to no result. */
  score: number | null;
  /** The auditor's own word for the score, or null when it has none. */
  grade: string | null;
  /** Why there is no result, in a sentence; null when there is one. */
  problem: string | null;
  checks: CheckOutcome[];
}

/** The time that one auditor gets for one site, in milliseconds. Those that finish do so in a few seconds. */
export const limitMs = 60_000;

/** The result of an auditor that came to none. */
export const noResult = (problem: string): AuditorResult => ({ score: null, grade: null, problem, checks: [] });

/** A message without the address of the site, which is another one in each run. */
export const withoutAddress = (message: string, origin: string): string =>
  message.replaceAll(`${origin}/`, '/').replaceAll(origin, '/').replaceAll(new URL(origin).host, 'the site');
