import { z } from 'zod';
import type { Config } from '../config.ts';
import { type Priced, prices } from '../contract/prices.ts';
import { Problem } from '../contract/problem.ts';
import { toStorageProblem } from '../contract/storage-problem.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import { StorageUnavailable } from '../stores/storage-unavailable.ts';
import { PaymentRefused } from './payment-refused.ts';
import type { Payments, Price, Reservation } from './payments.ts';
import { PaymentRequired } from './x402.ts';

/** The part of the service that a payment needs. */
export interface PaymentContext {
  config: Pick<Config, 'baseUrl'>;
  /** The demo payment. */
  payments: Payments;
}

/** What an answer says of the payment that bought it. */
export const PaymentReceipt = z.object({
  demo: z.literal(true).describe('No money moved.'),
  amount_usd: z.string(),
  transaction: z.string().describe('Id of the payment, which is used up.'),
  network: z.string(),
});
export type PaymentReceipt = z.infer<typeof PaymentReceipt>;

/** What the problem `payment-required` says beyond what every problem does: the document of x402, and how it is paid here. */
export const PaymentDue = PaymentRequired.extend({
  reason: z.string().describe('`missing` when no payment came, else why the one that came does not count.'),
  demo: z.literal(true).describe('No money moves.'),
  quote: z.string().describe('What POST /api/pay takes.'),
  how_to_pay: z.object({
    method: z.string(),
    path: z.string(),
    body: z.object({ quote: z.string() }),
    // biome-ignore lint/suspicious/noThenProperty: a sentence, and no function that an await would call.
    then: z.string(),
  }),
  allowance: z
    .object({ limit: z.int(), remaining: z.int(), resets_at: z.iso.datetime() })
    .optional()
    .describe('What is left of what is free; of an audit only.'),
});

/** The request headers by which a payment comes, as the documents list them. */
export const paymentHeaders = {
  'X-Payment': { description: 'The `payment` that POST /api/pay answered.', required: false },
  'PAYMENT-SIGNATURE': { description: 'The same, under the name that x402 version 2 has for it.', required: false },
} as const;

/** How the mock payment is made, for a caller that has just met a 402. */
const toHowToPay = (priced: Priced, baseUrl: string, quote: string) => ({
  method: 'POST',
  path: '/api/pay',
  body: { quote },
  // biome-ignore lint/suspicious/noThenProperty: a sentence, and no function that an await would call.
  then: `Repeat ${prices[priced].method} ${baseUrl}${prices[priced].path} with the header X-Payment, whose value is \`payment\` of the answer.`,
});

/** What one unit costs, and which address the payment counts for. */
export const toPrice = (priced: Priced, baseUrl: string): Price => {
  const { path, description, mimeType, amountUsd, isReusable } = prices[priced];
  return { resource: { url: `${baseUrl}${path}`, description, mimeType }, amountUsd, isReusable };
};

/** A payment that is held for one request: use it up right before the first of the result is sent, or give it back. */
export interface HeldPayment {
  /** Uses it up; resolves once that is durable. Throws a Problem when it cannot be. */
  commit(): Promise<{ receipt: PaymentReceipt; headers: Record<string, string> }>;
  /** Gives it back. Does nothing after `commit`. */
  release(): void;
  /** Gives back one that was used up, when the result can't be sent to its end. Throws StorageUnavailable. */
  refund(): Promise<void>;
}

const headerOf = (request: ToolRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/**
 * Takes the payment that a request carries, so that no other request can. Throws the Problem `payment-required`, with a
 * new quote, when it carries none or one that does not count here. `members` go into that problem, `fields` into the form by
 * which a reader of its page pays.
 */
export function payFor(
  priced: Priced,
  context: PaymentContext,
  request: ToolRequest,
  { members = {}, fields = {} }: { members?: Record<string, unknown>; fields?: Record<string, string> } = {},
): HeldPayment {
  const { payments, config } = context;
  const price = toPrice(priced, config.baseUrl);
  const asDue = (error: unknown): unknown => {
    if (!(error instanceof PaymentRefused)) {
      return error instanceof StorageUnavailable ? toStorageProblem(error) : error;
    }
    const why =
      error.reason === 'missing'
        ? `${prices[priced].unit} costs ${price.amountUsd} USD, in a demonstration: no money moves. ${request.isOverMcp ? 'Pay the quote with pay_quote and call again with `payment`' : 'Pay the quote and repeat the request with X-Payment'}.`.replace(
            /^./,
            (letter) => letter.toUpperCase(),
          )
        : error.message;
    const { document, header, quote } = payments.toPaymentRequired({ ...price, error: why });
    return new Problem('payment-required', why, {
      cause: error,
      headers: { 'PAYMENT-REQUIRED': header },
      form: {
        action: prices[priced].form,
        fields: { ...fields, quote },
        button: `Pay ${price.amountUsd} USD, in a demonstration`,
      },
      members: {
        ...document,
        reason: error.reason,
        demo: true,
        quote,
        how_to_pay: toHowToPay(priced, config.baseUrl, quote),
        ...members,
      },
    });
  };
  let reservation: Reservation;
  try {
    reservation = payments.reserve(
      { xPayment: headerOf(request, 'x-payment'), paymentSignature: headerOf(request, 'payment-signature') },
      price,
    );
  } catch (error) {
    throw asDue(error);
  }
  return {
    async commit() {
      try {
        const { settlement, header } = await reservation.commit();
        return {
          receipt: {
            demo: true,
            amount_usd: price.amountUsd,
            transaction: settlement.transaction,
            network: settlement.network,
          },
          headers: { 'X-Payment-Response': header, 'PAYMENT-RESPONSE': header },
        };
      } catch (error) {
        throw asDue(error);
      }
    },
    release: () => reservation.release(),
    refund: () => reservation.refund(),
  };
}
