import { z } from 'zod';
import { defineTool } from '../contract/tool.ts';
import type { PaymentContext } from './pay-for.ts';
import { payQuote } from './pay-quote.ts';
import { MockPayment } from './payments.ts';

/** Paying a quote, in the demonstration. */
export const payOperation = defineTool({
  name: 'pay',
  title: 'Pay a quote',
  description:
    'Performs the mock payment of a quote that came with a 402. The answer holds the value for X-Payment, good within ten minutes: for one audit, or for the playbook as often as needed. No money moves.',
  method: 'POST',
  path: '/api/pay',
  access: 'open',
  limit: 'write',
  readOnly: false,
  problems: ['quote-not-valid'],
  input: z.strictObject({ quote: z.string().describe('The `quote` of a 402, unchanged.') }),
  output: MockPayment,
  run: ({ quote }, context: PaymentContext) => payQuote(quote, context),
});
