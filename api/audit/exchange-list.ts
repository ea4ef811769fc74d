import { z } from 'zod';
import type { Evidence } from './evidence.ts';

const methods = ['GET', 'HEAD', 'POST'] as const;

/** Characters of an address that are kept in the list: a site may link to ones of any length. */
const longestUrl = 300;

const count = z.int().min(0);

/** An exchange as a report lists it. */
export const ListedExchange = z.strictObject({
  method: z.enum(methods),
  url: z.string().max(longestUrl).describe(`The address, cut after ${longestUrl} characters.`),
  accept: z.string().describe('The Accept header that was sent.'),
  status: count.nullable().describe('Of the last response, after redirects; null when none came.'),
  start_ms: count.describe('After the audit began.'),
  duration_ms: count.describe('Until the last byte, redirects included.'),
  bytes: count.describe('Of the body, after its content coding was undone.'),
});
export type ListedExchange = z.infer<typeof ListedExchange>;

/** What keeps a request from being sent: those are no exchanges. */
const unsent = new Set(['not-asked', 'robots-disallowed']);

/**
 * What was asked of a site and answered, in the order in which it began. An answer that several checks asked for under names
 * of their own is listed once; the second request after a failure is listed alone, because the first left nothing to read.
 */
export function listExchanges({ startedAt, exchanges }: Pick<Evidence, 'startedAt' | 'exchanges'>): ListedExchange[] {
  const began = Date.parse(startedAt);
  const listed = Object.values(exchanges).flatMap((exchange): ListedExchange[] => {
    if (exchange === undefined || unsent.has(exchange.outcome)) {
      return [];
    }
    const { request, status, timings, bodyBytes } = exchange;
    return [
      {
        method: methods.find((method) => method === request.method) ?? 'GET',
        url: request.url.slice(0, longestUrl),
        accept: request.headers['accept'] ?? '*/*',
        status,
        start_ms: Math.max(0, Date.parse(timings.startedAt) - began),
        duration_ms: Math.max(0, Math.round(timings.totalMs)),
        bytes: bodyBytes,
      },
    ];
  });
  const once = new Map(listed.map((each) => [JSON.stringify(each), each]));
  return [...once.values()].sort(
    (one, other) => one.start_ms - other.start_ms || (one.url < other.url ? -1 : Number(one.url > other.url)),
  );
}
