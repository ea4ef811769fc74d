import { Problem } from '../contract/problem.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import type { GuestbookContext } from './context.ts';
import { byMail, toGuestbookProblem } from './problems.ts';
import { EntryNotFound } from './refusals.ts';

/** What a call that withdraws an entry can be answered with beyond what every call can. */
export const withdrawalProblems = [
  'withdrawal-token-missing',
  'withdrawal-token-wrong',
  'withdrawal-by-mail',
  'storage-unavailable',
] as const satisfies readonly ProblemSlug[];

/** Withdraws an entry for whoever holds its token. Throws a Problem that says what stands in the way. */
export async function withdrawEntry(id: string, token: string | undefined, context: GuestbookContext): Promise<void> {
  const { guestbook, config } = context;
  const { contact } = config;
  try {
    const entry = guestbook.get(id);
    if (entry === null) {
      throw new EntryNotFound(`The guestbook has no entry ${id}.`);
    }
    if (entry.identity.tier === 'n/a') {
      throw byMail(contact);
    }
    if (token === undefined || token === '') {
      throw new Problem(
        'withdrawal-token-missing',
        'Send the withdrawal_token of the receipt in the X-Withdrawal-Token header.',
        // RFC 9110 section 15.5.2: a 401 names what would be accepted.
        { headers: { 'WWW-Authenticate': 'X-Withdrawal-Token realm="guestbook"' } },
      );
    }
    await guestbook.withdraw(id, token);
  } catch (error) {
    throw toGuestbookProblem(error, contact);
  }
  await context.waitUntilVisible();
}
