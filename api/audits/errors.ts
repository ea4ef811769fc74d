import { auditPolicy } from './policy.ts';

/** Thrown when as many audits wait as may. */
export class AuditQueueFull extends Error {
  override readonly name = 'AuditQueueFull';
  /** By then an audit that runs now is over. */
  readonly retryAfterSeconds = auditPolicy.gatherSeconds;
}

/** Thrown when an audit isn't made now because of how many there are: for one client network, or of one site. */
export class TooManyAudits extends Error {
  override readonly name = 'TooManyAudits';
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown when the service stops before an audit is over. */
export class AuditsStopped extends Error {
  override readonly name = 'AuditsStopped';
}

/** Thrown when an audit failed through no fault of the site: the process died, or took too long. */
export class AuditFailed extends Error {
  override readonly name = 'AuditFailed';
}
