import type { CheckStatus } from '#api/audit/check.ts';
import { toFailure } from '#api/audits/outcome.ts';
import { auditSite } from '../../../test/audit/audited.ts';
import type { Answer } from '../../../test/audit/sites.ts';
import { type AuditorResult, limitMs, noResult, type Outcome, withoutAddress } from './auditor.ts';

const toOutcome = (status: CheckStatus): Outcome => (status === 'unchecked' ? 'no-result' : status);

/** Our result on a site, and the paths of the pages that it rests on. */
interface OurResult extends AuditorResult {
  paths: string[];
}

/** Runs our audit over a site, which it serves by itself. A site that must not or cannot be read gives no result. */
export async function runOurs(answer: Answer): Promise<OurResult> {
  const { evidence, report } = await auditSite(answer, { signal: AbortSignal.timeout(limitMs) });
  const obstacle = toFailure(evidence);
  if (obstacle !== null) {
    return { ...noResult(withoutAddress(obstacle.sentence, evidence.origin)), paths: [] };
  }
  return {
    score: report.score,
    grade: report.provisional
      ? `${report.grade}, provisional: ${Math.floor(report.coverage * 100)} % judged`
      : report.grade,
    problem: null,
    paths: evidence.pages.map(({ url }) => new URL(url).pathname),
    checks: report.checks.map(({ id, status, evidence: lines }) => ({
      id,
      outcome: toOutcome(status),
      note: lines.map((line) => `${line.request}: ${line.note}`).join(' | '),
    })),
  };
}
