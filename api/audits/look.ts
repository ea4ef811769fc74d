import { z } from 'zod';
import { Sight } from '../audit/sight.ts';
import { freeOfCharge } from '../contract/prices.ts';
import { defineTool } from '../contract/tool.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import type { AuditContext } from './context.ts';
import { TooManyAudits } from './errors.ts';
import type { LookOutcome } from './outcome.ts';
import { toAuditProblem, toOutcomeProblem, toUsedUpProblem } from './problems.ts';
import { AllowanceDocument, auditedAddress, auditProblems, toAuditTarget } from './start.ts';

/** The part of the service that a look needs. */
export interface LookContext extends AuditContext {
  now: () => Date;
}

/** What was seen, as the API answers it. */
export const LookAnswer = Sight.extend({
  allowance: AllowanceDocument.describe('What is left to your network of the free audits: a look counts as one.'),
  request_id: z.string(),
});
export type LookAnswer = z.infer<typeof LookAnswer>;

/**
 * Looks at a page for a caller. A look counts as a free audit, and as one for the site's own limit. Throws a Problem: an
 * address that may not be fetched, an allowance that is used up, a full queue, a page that can't be reached.
 */
export async function look(url: string, context: LookContext, request: ToolRequest): Promise<LookAnswer> {
  const target = toAuditTarget(url, context);
  const reservation = await context.freeAudits.take(request.clientAddress);
  request.announce({ name: 'audit', ...freeOfCharge.audits }, reservation.status);
  if (!reservation.granted) {
    const sentence = `The ${reservation.status.limit} free audits and looks of this hour are used up.`;
    throw toUsedUpProblem(sentence, reservation.status, context.now());
  }
  let result: LookOutcome;
  try {
    result = await context.auditService.look(target, { signal: request.disconnected, client: request.clientAddress });
  } catch (error) {
    // Nothing was fetched then.
    if (error instanceof TooManyAudits) {
      await reservation.release();
    }
    throw toAuditProblem(error);
  }
  if (result.kind !== 'sight') {
    if (result.kind === 'refused') {
      await reservation.release();
    }
    throw toOutcomeProblem(result);
  }
  return {
    ...result.sight,
    allowance: await context.freeAudits.status(request.clientAddress),
    request_id: request.requestId,
  };
}

/** Looking at a page as others see it; over HTTP and on its page alone. */
export const lookOperation = defineTool({
  name: 'look_at_page',
  title: 'What do they see?',
  description:
    'Fetches one page as a browser, as GPTBot and for markdown, and returns each with its text, bytes and tokens.',
  method: 'POST',
  path: '/api/audit/look',
  access: 'open',
  limit: 'audit',
  allowance: 'audit',
  readOnly: true,
  problems: auditProblems,
  input: z.strictObject({ url: auditedAddress.describe('Absolute http or https URL of the page.') }),
  output: LookAnswer,
  example: { url: 'https://example.com/' },
  notes: { note: 'Counts as one of the free audits.' },
  run: ({ url }, context: LookContext, request) => look(url, context, request),
});
