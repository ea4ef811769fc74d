import { auditPolicy } from './policy.ts';

/** Thrown when as many audits wait as may. */
export class AuditQueueFull extends Error {
  override readonly name = 'AuditQueueFull';
  /** By then an audit that runs now is over. */
  readonly retryAfterSeconds = auditPolicy.gatherSeconds;
}

/** Thrown when the service stops before an audit is over. */
export class AuditsStopped extends Error {
  override readonly name = 'AuditsStopped';
}

/** Thrown when an audit failed through no fault of the site: the process died, or took too long. */
export class AuditFailed extends Error {
  override readonly name = 'AuditFailed';
}
