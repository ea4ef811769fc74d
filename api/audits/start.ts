import { z } from 'zod';
import type { PlatformId } from '../audit/fixes/platforms/index.ts';
import { type AuditReport, auditReport } from '../audit/report.ts';
import { freeOfCharge } from '../contract/prices.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import { type HeldPayment, PaymentReceipt, payFor } from '../payments/pay-for.ts';
import type { AuditContext } from './context.ts';
import { TooManyAudits } from './errors.ts';
import { auditHistory, historyOf } from './history.ts';
import { toAuditProblem, toOutcomeProblem } from './problems.ts';
import type { AuditEvent, AuditResult } from './service.ts';
import { AuditFixes, AuditSummary, type AuditViewName, toFixes, toSummary } from './views.ts';

/** What a call that audits can be answered with beyond what every tool can. */
export const auditProblems = [
  'audit-target-refused',
  'audit-target-unreachable',
  'audit-failed',
  'audit-queue-full',
  'storage-unavailable',
  'unavailable',
] as const satisfies readonly ProblemSlug[];

/** The address of a site that is to be audited. What it is for is said by the tool. */
export const auditedAddress = z
  .string()
  .min(1, 'is empty: give the address of a site')
  .max(2048, 'is longer than 2,048 characters');

/** What is left of the free audits. */
export const AllowanceDocument = z.object({
  limit: z.int(),
  remaining: z.int(),
  resets_at: z.iso.datetime(),
});

/** What an answer says of the call itself. */
export const AuditCall = z.object({
  allowance: AllowanceDocument.describe('What is left to your network of the free audits, after this one.'),
  payment: PaymentReceipt.nullable().describe('The payment that bought this audit; null when it was a free one.'),
  request_id: z.string(),
});

/** The result of an audit as the API answers it. */
export const AuditAnswer = auditReport.extend({ history: auditHistory, ...AuditCall.shape });
export type AuditAnswer = z.infer<typeof AuditAnswer>;

/** The same in the other views. */
export const AuditSummaryAnswer = AuditSummary.extend({ change: auditHistory.shape.change, ...AuditCall.shape });
export const AuditFixesAnswer = AuditFixes.extend(AuditCall.shape);

/** An answer in the view that was asked for. */
export function toAnswerIn(
  answer: AuditAnswer,
  { view = 'full', platform }: { view?: AuditViewName | undefined; platform?: PlatformId | undefined },
  baseUrl: string,
): AuditAnswer | z.infer<typeof AuditSummaryAnswer> | z.infer<typeof AuditFixesAnswer> {
  const { allowance, payment, request_id, history, ...report } = answer;
  const call = { allowance, payment, request_id };
  const whole: AuditReport = report;
  switch (view) {
    case 'full':
      return answer;
    case 'summary':
      return { ...toSummary(whole, baseUrl), change: history.change, ...call };
    case 'fixes':
      return { ...toFixes(whole, platform ?? whole.stack.platform, baseUrl), ...call };
  }
}

/** An audit that ended with a report, and the headers that go with it: `Age`, and what became of the payment. */
export interface AnsweredAudit {
  answer: AuditAnswer;
  headers: Record<string, string>;
}

/** Reads the address that is to be audited. Throws the Problem `audit-target-refused`. */
export function toAuditTarget(url: string, context: Pick<AuditContext, 'auditService'>): URL {
  try {
    return context.auditService.toTarget(url);
  } catch (error) {
    throw toAuditProblem(error);
  }
}

/** A payment that is used up before the first finding goes out: else the findings could be read and the payment kept. */
interface DuePayment {
  /** Uses it up, once; the same promise each time. */
  commit(): ReturnType<HeldPayment['commit']>;
  /** Gives it back, used up or not, for an audit that broke off through no fault of the caller. */
  refund(): Promise<void>;
  /** The listener, which hears of findings only from then on. */
  onEvent(event: AuditEvent): void;
}

function toDuePayment(payment: HeldPayment, listener: (event: AuditEvent) => void): DuePayment {
  let committed: ReturnType<HeldPayment['commit']> | undefined;
  let held: AuditEvent[] | null = [];
  const commit = (): ReturnType<HeldPayment['commit']> => {
    committed ??= payment.commit();
    return committed;
  };
  const letGo = (): void => {
    const events = held ?? [];
    held = null;
    events.forEach(listener);
  };
  return {
    commit,
    async refund() {
      await committed?.catch(() => {});
      await payment.refund();
    },
    onEvent(event) {
      if (event.stage !== 'judged' || held === null) {
        listener(event);
        return;
      }
      held.push(event);
      // A payment that fails is reported at the end.
      commit().then(letGo, () => {});
    },
  };
}

/**
 * Starts the audit of a site for a caller. The free allowance is taken first; when it is used up, the payment of the
 * request is held. Resolves when the audit is accepted, with what it is answered with later. Throws a Problem, as
 * `answered` does: an address that may not be fetched, a payment that is due, a full queue. A refused target gives back
 * what was taken, and an audit without a result gives the payment back. `onEvent` hears of findings after the payment was
 * used up.
 */
export async function beginAudit(
  url: string,
  context: AuditContext,
  request: ToolRequest,
  onEvent: (event: AuditEvent) => void = () => undefined,
): Promise<{ answered: Promise<AnsweredAudit> }> {
  const target = toAuditTarget(url, context);
  const reservation = await context.freeAudits.take(request.clientAddress);
  request.announce({ name: 'audit', ...freeOfCharge.audits }, reservation.status);
  const payment = reservation.granted
    ? null
    : payFor('audit', context, request, { members: { allowance: reservation.status }, fields: { url } });
  const due = payment === null ? null : toDuePayment(payment, onEvent);
  const release = async (): Promise<void> => {
    payment?.release();
    if (reservation.granted) {
      await reservation.release();
    }
  };
  const accepted = Promise.withResolvers<void>();
  const result = context.auditService.start(target, {
    signal: request.disconnected,
    client: request.clientAddress,
    onEvent: due?.onEvent ?? onEvent,
    onAccepted: accepted.resolve,
  });
  try {
    await Promise.race([accepted.promise, result]);
  } catch (error) {
    await release();
    throw toAuditProblem(error);
  }
  return { answered: finishAudit(result, { context, request, payment, due, release }) };
}

/** Audits a site for a caller; see beginAudit. */
export async function startAudit(...given: Parameters<typeof beginAudit>): Promise<AnsweredAudit> {
  const { answered } = await beginAudit(...given);
  return answered;
}

interface Accepted {
  context: AuditContext;
  request: ToolRequest;
  payment: HeldPayment | null;
  due: DuePayment | null;
  release: () => Promise<void>;
}

async function finishAudit(
  running: Promise<AuditResult>,
  { context, request, payment, due, release }: Accepted,
): Promise<AnsweredAudit> {
  try {
    const result = await running;
    if (result.kind !== 'report') {
      if (result.kind === 'refused') {
        await release();
      }
      throw toOutcomeProblem(result);
    }
    const paid = await due?.commit();
    return {
      answer: {
        ...result.report,
        history: historyOf(result.report, context.audits),
        allowance: await context.freeAudits.status(request.clientAddress),
        payment: paid?.receipt ?? null,
        request_id: request.requestId,
      },
      headers: {
        ...(result.ageSeconds === null ? {} : { Age: String(result.ageSeconds) }),
        ...paid?.headers,
      },
    };
  } catch (error) {
    if (error instanceof TooManyAudits) {
      await release();
    }
    // Whoever went away had the findings that came until then.
    if (!request.disconnected.aborted) {
      await due?.refund();
    }
    throw toAuditProblem(error);
  } finally {
    // Does nothing when the payment was used up.
    payment?.release();
  }
}
