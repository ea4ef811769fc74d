import { z } from 'zod';
import type { TechniqueId } from '#almanac/techniques.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import { type PaymentContext, PaymentReceipt, payFor } from '../payments/pay-for.ts';
import { type Playbook, PlaybookChapter } from './playbook.ts';

/** The part of the service that the playbook needs. */
export interface PlaybookContext extends PaymentContext {
  /** The chapters that are sold. */
  playbook: Playbook;
}

/** What a call that delivers the playbook can be answered with beyond what every call can. */
export const deliveryProblems = ['payment-required', 'storage-unavailable'] as const satisfies readonly ProblemSlug[];

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
 * Delivers the playbook, or one chapter, for the payment of a request. It is recorded before anything is sent and stays good until
 * it expires; for HEAD it is only looked at. `headers` tell
 * what became of the payment. Throws the Problem `payment-required`.
 */
export async function deliverPlaybook(
  context: PlaybookContext,
  request: ToolRequest,
  chapter?: TechniqueId,
): Promise<{ answer: PlaybookAnswer; headers: Record<string, string>; markdown: string }> {
  const { playbook } = context;
  const held = payFor('playbook', context, request);
  if (request.method === 'HEAD') {
    // Nothing is delivered, so nothing is paid.
    held.release();
  }
  const paid = request.method === 'HEAD' ? null : await held.commit();
  const { title, description, updated } = playbook;
  const chapters = playbook.chapters.filter(({ id }) => chapter === undefined || id === chapter);
  return {
    answer: { title, description, updated, count: chapters.length, chapters, payment: paid?.receipt ?? null },
    headers: paid?.headers ?? {},
    markdown: chapter === undefined ? playbook.markdown : chapters.map(({ markdown }) => markdown).join('\n\n'),
  };
}
