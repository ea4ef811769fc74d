import { z } from 'zod';
import { prices } from '../contract/prices.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import { paymentHeaders } from '../payments/pay-for.ts';
import { deliverPlaybook, deliveryProblems, PlaybookAnswer, type PlaybookContext } from './deliver.ts';

export const getPremiumPlaybook = defineTool({
  name: 'get_premium_playbook',
  title: 'Get the premium playbook',
  description:
    'Returns the premium playbook: a chapter for each technique, with recipes for eight platforms and a command that proves each. Answers 402 with a quote until it is paid for; the payment is a demonstration and moves no money.',
  method: 'GET',
  path: prices.playbook.path,
  access: 'paid',
  limit: 'read',
  readOnly: false,
  headers: paymentHeaders,
  problems: deliveryProblems,
  input: z.strictObject({}),
  output: PlaybookAnswer,
  alsoAs: ['text/markdown', 'text/html'],
  notes: {
    pricing: `${prices.playbook.amountUsd} USD (demo), paid through the 402 flow with POST /api/pay and the header X-Payment`,
    note: 'JSON, or markdown or HTML by Accept. A payment is good for one response.',
  },
  run: async (_input, context: PlaybookContext, request) => {
    const { answer, headers, playbook } = await deliverPlaybook(context, request);
    return new ToolAnswer(answer, {
      headers,
      forms: { 'text/markdown': playbook.markdown, 'text/html': playbook.html },
    });
  },
});
