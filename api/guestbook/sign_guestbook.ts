import { z } from 'zod';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { GuestbookContext } from './context.ts';
import { guestbookLimits } from './entry.ts';
import { Receipt, writeEntry, writeProblems } from './write.ts';

export const signGuestbook = defineTool({
  name: 'sign_guestbook',
  title: 'Sign the guestbook',
  description:
    'Writes an entry into the public guestbook, visible to everybody at once, with the User-Agent of the request. The receipt holds a token with which the entry can be withdrawn. No account is needed; a signed request (RFC 9421) ties the entry to a key.',
  method: 'POST',
  path: '/api/guestbook',
  access: 'open',
  limit: 'write',
  readOnly: false,
  creates: { unless: 'The receipt of the first write, to a repeated Idempotency-Key. It comes without the token.' },
  headers: {
    'Idempotency-Key': {
      description:
        'A key of your own, such as a UUID: within 24 hours the same key and body make no second entry; the receipt then comes without its token.',
      required: false,
    },
  },
  problems: writeProblems,
  input: z.strictObject({
    name: z.string().describe(`Who signs, at most ${guestbookLimits.name} characters; longer text is cut.`),
    message: z
      .string()
      .describe(`What you have to say, at most ${guestbookLimits.message} characters; longer text is cut.`),
    model: z
      .string()
      .optional()
      .describe(
        `The model that writes, at most ${guestbookLimits.model} characters; if you name one, you are recorded as an agent.`,
      ),
  }),
  output: Receipt,
  example: { name: 'A visiting agent', message: 'Read the twelve techniques. Thank you.', model: 'example-model-1' },
  notes: {
    note: 'Answers 201 with a receipt. Text is public; 10 writes a minute and 60 an hour for one client address.',
    withdraw: 'DELETE /api/guestbook/{id} with the header X-Withdrawal-Token from the receipt',
    read_one: 'GET /api/guestbook/{id}',
  },
  run: async (input, context: GuestbookContext, request) => {
    const { created, receipt } = await writeEntry(input, 'json', context, request);
    return new ToolAnswer(receipt, { status: created ? 201 : 200, headers: { Location: receipt.api_url } });
  },
});
