import { Problem } from '../contract/problem.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import type { PaymentContext } from './pay-for.ts';
import { PaymentRefused } from './payment-refused.ts';
import type { MockPayment } from './payments.ts';

/** Performs the mock payment of a quote. Throws the Problem `quote-not-valid`, which says why. */
export function payQuote(quote: string, { payments }: Pick<PaymentContext, 'payments'>): MockPayment {
  try {
    return payments.pay(quote);
  } catch (error) {
    if (error instanceof PaymentRefused) {
      throw new Problem('quote-not-valid', error.message, {
        cause: error,
        members: { reason: error.reason, demo: true },
        errors: [{ pointer: '/quote', detail: error.message }],
      });
    }
    throw error;
  }
}

/**
 * The request of a form, which cannot send headers: its quote is paid, and the payment counts as if it had come in X-Payment.
 * Without a quote, which is then empty, the request stays as it is. Throws the Problem `quote-not-valid`.
 */
export const withQuotePaid = (
  request: ToolRequest,
  quote: string,
  context: Pick<PaymentContext, 'payments'>,
): ToolRequest =>
  quote === ''
    ? request
    : { ...request, headers: { ...request.headers, 'x-payment': payQuote(quote, context).payment } };
