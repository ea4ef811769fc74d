import { z } from 'zod';
import { prices } from '../contract/prices.ts';
import { defineTool } from '../contract/tool.ts';
import { type PaymentContext, toPrice } from './pay-for.ts';

export const getQuote = defineTool({
  name: 'get_quote',
  title: 'Get a quote',
  description: 'Returns the price of a paid tool and a quote for pay_quote. A demonstration.',
  method: 'POST',
  path: '/api/pay',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({ tool: z.enum([prices.audit.tool, prices.playbook.tool]) }),
  output: z.object({
    tool: z.string(),
    amount_usd: z.string(),
    free: z.string(),
    quote: z.string(),
    demo: z.literal(true),
  }),
  example: { tool: prices.playbook.tool },
  run: ({ tool }, { payments, config }: PaymentContext) => {
    const priced = tool === prices.audit.tool ? 'audit' : 'playbook';
    const { quote } = payments.toPaymentRequired({
      ...toPrice(priced, config.baseUrl),
      error: 'A quote was asked for.',
    });
    return { tool, amount_usd: prices[priced].amountUsd, free: prices[priced].free, quote, demo: true as const };
  },
});
