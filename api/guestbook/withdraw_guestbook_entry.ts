import { z } from 'zod';
import { defineTool } from '../contract/tool.ts';
import type { GuestbookContext } from './context.ts';
import { withdrawalProblems, withdrawEntry } from './withdraw.ts';

/** Withdrawal over MCP, where the token is an input. */
export const withdrawGuestbookEntry = defineTool({
  name: 'withdraw_guestbook_entry',
  title: 'Withdraw a guestbook entry',
  description:
    'Withdraws a guestbook entry of your own: by its id and the withdrawal_token of its receipt, or by a call signed with its key.',
  method: 'DELETE',
  path: '/api/guestbook/{id}',
  access: 'open',
  limit: 'write',
  readOnly: false,
  problems: withdrawalProblems,
  input: z.strictObject({ id: z.string().min(1).max(200), token: z.string().min(1).max(200).optional() }),
  output: z.object({ id: z.string(), withdrawn: z.literal(true) }),
  run: async ({ id, token }, context: GuestbookContext, request) => {
    await withdrawEntry(id, token, context, request);
    return { id, withdrawn: true as const };
  },
});
