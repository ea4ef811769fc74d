import { z } from 'zod';
import { defineTool } from '../contract/tool.ts';
import type { PaymentContext } from './pay-for.ts';
import { payQuote } from './pay-quote.ts';

/** The mock payment for a caller that calls tools alone. */
export const payQuoteTool = defineTool({
  name: 'pay_quote',
  title: 'Pay a quote',
  description:
    'Pays a quote; no money moves. Then call the paid tool with `payment` of the answer as its argument, or in _meta["x402/payment"].',
  method: 'POST',
  path: '/api/pay',
  access: 'open',
  limit: 'write',
  readOnly: false,
  problems: ['quote-not-valid'],
  input: z.strictObject({
    quote: z.string().max(8000).describe('Of get_quote, or of a payment that is due.'),
  }),
  output: z.object({
    payment: z.string(),
    resource: z.string(),
    amount_usd: z.string(),
    expires_at: z.iso.datetime(),
    demo: z.literal(true),
  }),
  run: ({ quote }, context: Pick<PaymentContext, 'payments'>) => payQuote(quote, context),
});
