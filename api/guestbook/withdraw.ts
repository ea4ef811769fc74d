import { Problem } from '../contract/problem.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import type { SignatureReport } from '../contract/signature-report.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
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

/**
 * The thumbprint of the key that signed a request to withdraw. The signature has to name the entry: the path of a DELETE does,
 * which every signature covers; in any other request the body does. Throws a Problem when no such signature came.
 */
function toThumbprint({ keyids: [thumbprint], covered, present, detail }: SignatureReport, method: string): string {
  const namesEntry = method === 'DELETE' || covered.some((name) => name.startsWith('content-digest'));
  if (thumbprint !== undefined && namesEntry) {
    return thumbprint;
  }
  const fault =
    thumbprint !== undefined
      ? ' The signature of this request does not cover its body: send Content-Digest and cover it.'
      : present
        ? ` The signature of this request does not count: ${detail}`
        : '';
  throw new Problem(
    'withdrawal-token-missing',
    `Send the withdrawal_token of the receipt in the X-Withdrawal-Token header, or sign the request with the key that signed the entry.${fault}`,
    {
      // RFC 9110 section 15.5.2: a 401 names what would be accepted.
      headers: { 'WWW-Authenticate': 'X-Withdrawal-Token realm="guestbook"' },
      plain: 'The token is missing. It is on the receipt of the entry.',
    },
  );
}

/** What somebody who withdrew an entry is told, and nothing that isn't true. */
export const withdrawalNote = (isErased: boolean): string =>
  isErased
    ? 'The entry is removed from the guestbook and from its files. Its token is spent.'
    : 'The entry is removed from the guestbook. Its text could not be taken out of the files yet: the service tries again until it can. Its token is spent.';

/**
 * Withdraws an entry for the holder of its token or its key; `isErased` as the guestbook says it. Throws a Problem that
 * says why not.
 */
export async function withdrawEntry(
  id: string,
  token: string | undefined,
  context: GuestbookContext,
  request: Pick<ToolRequest, 'method' | 'signature'>,
): Promise<{ isErased: boolean }> {
  const { guestbook, config } = context;
  const { contact } = config;
  let isErased: boolean;
  try {
    const entry = guestbook.get(id);
    if (entry === null) {
      throw new EntryNotFound(`The guestbook has no entry ${id}.`);
    }
    if (entry.identity.tier === 'n/a') {
      throw byMail(contact);
    }
    if (token === undefined || token === '') {
      ({ isErased } = await guestbook.withdrawByKey(id, toThumbprint(await request.signature(), request.method)));
    } else {
      ({ isErased } = await guestbook.withdraw(id, token));
    }
  } catch (error) {
    throw toGuestbookProblem(error, contact);
  }
  await context.waitUntilVisible();
  return { isErased };
}
