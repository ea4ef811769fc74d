import type { StorageUnavailable } from '../stores/storage-unavailable.ts';
import { Problem } from './problem.ts';

const retryAfterSeconds = 5;

/** What a caller reads when nothing can be stored. */
export const toStorageProblem = (error: StorageUnavailable): Problem =>
  new Problem('storage-unavailable', `Nothing was changed. Send the request again in ${retryAfterSeconds} seconds.`, {
    cause: error,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
