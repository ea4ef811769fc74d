import { z } from 'zod';
import { auditedAddress, problemsOfAudits } from '../audits/start.ts';
import { freeOfCharge } from '../contract/prices.ts';
import { defineTool, type Tool, ToolAnswer } from '../contract/tool.ts';
import { JoinAnswer, joinDirectory } from '../directory/join.ts';
import { payQuote } from '../payments/pay-quote.ts';

const joinOperation = defineTool({
  name: 'join_directory',
  title: 'Join the directory',
  description:
    'Audits a site live and lists it when its score is at least 70. A site that is listed already keeps its id and gets the newer result. Three tries an hour for one client network.',
  method: 'POST',
  path: '/api/directory',
  access: 'open',
  limit: 'audit',
  readOnly: false,
  creates: { unless: 'The same for a site that was listed already: it keeps its id and has the newer result.' },
  problems: [...problemsOfAudits, 'not-certifiable'],
  input: z.strictObject({
    url: auditedAddress.describe('Absolute https URL of the site. Its home page is audited, and its origin is listed.'),
  }),
  output: JoinAnswer,
  example: { url: 'https://example.com/' },
  notes: {
    note: `Answers 201 when the site is listed now, 200 when it was listed already. ${freeOfCharge.joins.limit} tries an hour for one client network.`,
  },
  run: async ({ url }, context, request) => {
    const { isNew, answer } = await joinDirectory(url, context, request);
    return new ToolAnswer(answer, {
      status: isNew ? 201 : 200,
      ...(isNew ? { headers: { Location: `${context.config.baseUrl}/directory` } } : {}),
    });
  },
});

const pay = defineTool({
  name: 'pay',
  title: 'Pay a quote',
  description:
    'Performs the mock payment of a quote that came with a 402. The answer holds the value for X-Payment, good for one response within ten minutes. No money moves.',
  method: 'POST',
  path: '/api/pay',
  access: 'open',
  limit: 'write',
  readOnly: false,
  problems: ['quote-not-valid'],
  input: z.strictObject({ quote: z.string().describe('The `quote` of a 402, as it stands there.') }),
  output: z.object({
    payment: z.string().describe('The value for the header: base64 of an x402 payment payload.'),
    header: z.literal('X-Payment'),
    resource: z.url().describe('The one address that it pays for.'),
    amount_usd: z.string(),
    expires_at: z.iso.datetime(),
    demo: z.literal(true),
  }),
  run: ({ quote }, context) => payQuote(quote, context),
});

/** Joining the directory, and paying. */
export const serviceOperations: readonly Tool[] = [joinOperation, pay];
