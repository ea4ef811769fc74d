import { againIn } from '../contract/form-problem.ts';
import { Problem } from '../contract/problem.ts';
import { TargetRefused } from '../fetch/target.ts';
import type { AllowanceStatus } from './allowance.ts';
import { AuditFailed, AuditQueueFull, AuditsStopped, TooManyAudits } from './errors.ts';
import type { Failure } from './outcome.ts';

const retryAfterSeconds = 60;

/** What an audit that has no report is to the caller. */
export function toOutcomeProblem(outcome: Failure): Problem {
  if (outcome.kind === 'unreachable') {
    return new Problem(
      'audit-target-unreachable',
      `${outcome.sentence} Nothing was judged. Open the address in a browser, and ask again when it answers.`,
      { members: { step: outcome.step } },
    );
  }
  const next =
    outcome.by === 'robots'
      ? 'Allow PorchlightAudit there to have the site audited.'
      : 'Give the address of a public http or https site.';
  return new Problem('audit-target-refused', `${outcome.sentence} ${next}`, { members: { reason: outcome.by } });
}

/** An allowance that is used up, to the caller: `sentence` says of what, and the rest when it is there again. */
export function toUsedUpProblem(sentence: string, { resets_at }: AllowanceStatus, now: Date): Problem {
  const seconds = Math.max(1, Math.ceil((Date.parse(resets_at) - now.getTime()) / 1000));
  return new Problem('rate-limited', `${sentence} The next one is free at ${resets_at}.`, {
    headers: { 'Retry-After': String(seconds) },
    plain: `${sentence} Send the form again ${againIn(seconds, now)}.`,
  });
}

/** What a failure of the audit service is to the caller; anything else is handed back as it is. */
export function toAuditProblem(error: unknown): unknown {
  if (error instanceof TargetRefused) {
    return new Problem('audit-target-refused', `${error.message} Nothing was fetched.`, {
      cause: error,
      members: { reason: 'address' },
      errors: [{ pointer: '/url', detail: error.message }],
    });
  }
  if (error instanceof AuditQueueFull) {
    return new Problem(
      'audit-queue-full',
      `${error.message} Send the request again in ${error.retryAfterSeconds} seconds.`,
      { cause: error, headers: { 'Retry-After': String(error.retryAfterSeconds) } },
    );
  }
  if (error instanceof TooManyAudits) {
    return new Problem(
      'rate-limited',
      `${error.message} Send the request again in ${error.retryAfterSeconds} seconds.`,
      {
        cause: error,
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
        plain: `${error.message} Send the form again ${againIn(error.retryAfterSeconds)}.`,
      },
    );
  }
  if (error instanceof AuditFailed) {
    return new Problem(
      'audit-failed',
      `${error.message} There is no result. Ask again in ${retryAfterSeconds} seconds.`,
      { cause: error, headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }
  if (error instanceof AuditsStopped) {
    return new Problem('unavailable', 'The service is stopping. Send the request again in 5 seconds.', {
      cause: error,
      headers: { 'Retry-After': '5' },
    });
  }
  return error;
}
