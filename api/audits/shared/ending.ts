import { StorageUnavailable } from '../../stores/storage-unavailable.ts';
import { AuditFailed, AuditsStopped, TooManyAudits } from '../errors.ts';
import type { AuditResult } from '../service.ts';

/** Why there is no result, as it is stored. */
interface StoredFailure {
  kind: 'failed';
  name: string;
  message: string;
  seconds: number;
}

/** How a run ended: for everybody who waits for it, on whichever instance. */
export type Ending = AuditResult | StoredFailure;

export function toStoredFailure(error: unknown): StoredFailure {
  const { name, message } = error instanceof Error ? error : new AuditFailed(String(error));
  return { kind: 'failed', name, message, seconds: error instanceof TooManyAudits ? error.retryAfterSeconds : 0 };
}

export function toError({ name, message, seconds }: StoredFailure): Error {
  switch (name) {
    case 'TooManyAudits':
      return new TooManyAudits(message, seconds);
    case 'AuditsStopped':
      return new AuditsStopped(message);
    case 'StorageUnavailable':
      return new StorageUnavailable(message);
    default:
      return new AuditFailed(message);
  }
}
