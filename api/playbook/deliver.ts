import { z } from 'zod';
import type { ToolContext, ToolRequest } from '../context.ts';
import { Problem } from '../contract/problem.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import { PaymentReceipt, payFor } from '../payments/pay-for.ts';
import { type Playbook, PlaybookChapter } from './playbook.ts';

/** What a call that delivers the playbook can be answered with beyond what every call can. */
export const problemsOfDelivering = [
  'payment-required',
  'storage-unavailable',
  'unavailable',
] as const satisfies readonly ProblemSlug[];

/** The playbook as the API answers it. */
export const PlaybookAnswer = z.object({
  title: z.string(),
  description: z.string(),
  updated: z.iso.date(),
  count: z.int(),
  chapters: z.array(PlaybookChapter),
  payment: PaymentReceipt.nullable().describe(
    'The payment that bought this response; null to HEAD, which spends none.',
  ),
});
export type PlaybookAnswer = z.infer<typeof PlaybookAnswer>;

/**
 * Delivers the playbook for the payment of a request, which is used up by it, or only looked at for HEAD. `headers` tell
 * what became of the payment. Throws a Problem: `payment-required`, or `unavailable` when the service has no playbook.
 */
export async function deliverPlaybook(
  context: ToolContext,
  request: ToolRequest,
): Promise<{ answer: PlaybookAnswer; headers: Record<string, string>; playbook: Playbook }> {
  const { playbook } = context;
  if (playbook === null) {
    throw new Problem('unavailable', 'The service runs without the built site, which holds the playbook.', {
      headers: { 'Retry-After': '60' },
    });
  }
  const held = payFor('playbook', context, request);
  if (request.method === 'HEAD') {
    // Nothing is delivered, so nothing is paid.
    held.release();
  }
  const paid = request.method === 'HEAD' ? null : await held.commit();
  const { title, description, updated, chapters } = playbook;
  return {
    answer: { title, description, updated, count: chapters.length, chapters, payment: paid?.receipt ?? null },
    headers: paid?.headers ?? {},
    playbook,
  };
}
