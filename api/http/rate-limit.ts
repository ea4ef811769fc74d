import type { Request, RequestHandler, Response } from 'express';
import { MemoryStore, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { Problem } from '../contract/problem.ts';
import type { CounterLimit, Counters } from '../stores/counters.ts';
import { toClientNetwork } from './client-network.ts';

/** One more member of a header that is a list. */
function append(response: Response, name: string, member: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? member : `${before}, ${member}`);
}

/** An allowance, and what is left of it. */
interface LimitState {
  name: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Until it's whole again. */
  seconds: number;
}

/** The members of RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
const toMembers = (of: LimitState): { RateLimit: string; 'RateLimit-Policy': string } => ({
  RateLimit: `"${of.name}"; r=${of.remaining}; t=${of.seconds}`,
  'RateLimit-Policy': `"${of.name}"; q=${of.limit}; w=${of.windowSeconds}`,
});

/** Adds an allowance to the headers that tell of it. */
export function announceLimit(response: Response, of: LimitState): void {
  for (const [name, member] of Object.entries(toMembers(of))) {
    append(response, name, member);
  }
}

const secondsUntil = (end: number): number => Math.max(0, Math.ceil((end - Date.now()) / 1000));

/** Counts in counters that instances share. express-rate-limit refuses what is above the limit, so the refused one is above. */
const toStore = (name: string, counters: Counters, limit: CounterLimit): Store => ({
  async increment(client) {
    const { granted, taken, endsAt } = await counters.take(`${name} ${client}`, limit);
    return { totalHits: granted ? taken : limit.limit + 1, resetTime: new Date(endsAt) };
  },
  decrement: () => undefined,
  resetKey: () => undefined,
});

const clients = new WeakMap<Request, string>();

/** The network that a request comes from, worked out once for all limits. */
function clientOf(request: Request): string {
  const client = clients.get(request) ?? toClientNetwork(request.ip ?? '0.0.0.0');
  clients.set(request, client);
  return client;
}

/** A limit that requests pass through. */
export interface RateLimit extends RequestHandler {
  /**
   * Counts a request from an address that isn't passed through it. Gives the headers that tell what is left, and null when the
   * request is to be refused, which passing it through does.
   */
  take(address: string): Promise<string[] | null>;
}

/**
 * Counts the requests of a client address in a window and refuses what is above, with the RateLimit and
 * RateLimit-Policy headers of draft-ietf-httpapi-ratelimit-headers. An IPv6 client is its /64, because it is free to
 * choose any address below it. The counts are this process's own, or `counters` that it shares with others.
 */
export function limitRate(
  name: string,
  limit: { count: number; windowSeconds: number },
  counters: Counters | null = null,
): RateLimit {
  const of = { name, limit: limit.count, windowSeconds: limit.windowSeconds };
  const property = `rateLimit-${name}`;
  const infoOf = (request: Request): { remaining: number; seconds: number } | undefined => {
    const info = (request as Request & Record<string, RateLimitInfo | undefined>)[property];
    const end = info?.resetTime?.getTime();
    return info === undefined || end === undefined
      ? undefined
      : { remaining: info.remaining, seconds: secondsUntil(end) };
  };
  const store =
    counters === null
      ? new MemoryStore()
      : toStore(name, counters, { limit: limit.count, windowSeconds: limit.windowSeconds });
  const count = rateLimit({
    store,
    windowMs: limit.windowSeconds * 1000,
    limit: limit.count,
    requestPropertyName: property,
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: clientOf,
    validate: false,
    handler: (request, _response, next) => {
      const seconds = infoOf(request)?.seconds ?? limit.windowSeconds;
      next(
        new Problem(
          'rate-limited',
          `${limit.count} requests per ${limit.windowSeconds} seconds are allowed. Wait ${seconds} seconds.`,
          { headers: { 'Retry-After': String(seconds) } },
        ),
      );
    },
  });
  const handle: RequestHandler = (request, response, next) =>
    count(request, response, (error?: unknown) => {
      const info = infoOf(request);
      if (info !== undefined) {
        announceLimit(response, { ...of, ...info });
      }
      next(error);
    });
  return Object.assign(handle, {
    async take(address: string): Promise<string[] | null> {
      const { totalHits, resetTime } = await store.increment(toClientNetwork(address));
      const seconds = resetTime === undefined ? limit.windowSeconds : secondsUntil(resetTime.getTime());
      return totalHits > limit.count
        ? null
        : Object.entries(toMembers({ ...of, remaining: limit.count - totalHits, seconds })).flat();
    },
  });
}
