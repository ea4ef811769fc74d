import { Problem } from '../contract/problem.ts';
import { toStorageProblem } from '../contract/storage-problem.ts';
import { StorageUnavailable } from '../stores/storage-unavailable.ts';
import { CapReached, EntryNotFound, IdempotencyConflict, WithdrawalRefused } from './refusals.ts';

const wrong = {
  'wrong-token':
    'The token is not the one of this entry. Send the withdrawal_token of the receipt that has this id, to the letter.',
  'wrong-key':
    'The request is signed with a key that did not sign this entry. Sign with the key of the entry, or send the withdrawal_token of its receipt.',
};

/** What a refusal of the guestbook is to a caller; anything else is handed back as it is. */
export function toGuestbookProblem(error: unknown, contact: string): unknown {
  if (error instanceof EntryNotFound) {
    return new Problem(
      'not-found',
      'The guestbook has no entry with this id: it was withdrawn, it is older than the newest 500, or it never was. GET /api/guestbook lists them all.',
      { cause: error },
    );
  }
  if (error instanceof WithdrawalRefused) {
    return error.reason === 'no-token'
      ? byMail(contact)
      : new Problem('withdrawal-token-wrong', wrong[error.reason], { cause: error });
  }
  if (error instanceof IdempotencyConflict) {
    return new Problem('idempotency-key-reused', `${error.message} Make a new key for a new entry.`, { cause: error });
  }
  if (error instanceof CapReached) {
    return new Problem('guestbook-share-used-up', error.message, {
      cause: error,
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
    });
  }
  if (error instanceof StorageUnavailable) {
    return toStorageProblem(error);
  }
  return error;
}

/** The refusal of an entry that has no token. */
export const byMail = (contact: string): Problem =>
  new Problem(
    'withdrawal-by-mail',
    `The entry is from before 2026-09-08, when no tokens were given out. Write to ${contact} with its id to have it withdrawn.`,
  );
