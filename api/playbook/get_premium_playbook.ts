import { z } from 'zod';
import { techniqueIds } from '#almanac/techniques.ts';
import { prices, pricing } from '../contract/prices.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import { paymentHeaders } from '../payments/pay-for.ts';
import { toPlaybookArchive } from './archive.ts';
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
  input: z.strictObject({
    chapter: z
      .enum(techniqueIds)
      .optional()
      .describe('One chapter, by the id of its technique; all of them, 65k tokens, by default.'),
  }),
  output: PlaybookAnswer,
  alsoAs: ['text/markdown', 'text/html', 'application/zip'],
  notes: {
    pricing: pricing.playbook,
    note: 'JSON, or by Accept markdown or the files as application/zip; all chapters as HTML too. With chapter= one chapter. A payment is good as often as needed until it expires, ten minutes after it was made.',
  },
  run: async ({ chapter }, context: PlaybookContext, request) => {
    const { answer, headers, markdown } = await deliverPlaybook(context, request, chapter);
    return new ToolAnswer(answer, {
      headers,
      forms: {
        'text/markdown': markdown,
        'application/zip': () => toPlaybookArchive(context.playbook, answer.chapters),
        ...(chapter === undefined ? { 'text/html': context.playbook.html } : {}),
      },
    });
  },
});
