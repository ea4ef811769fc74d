import type { Request, RequestHandler, Response } from 'express';
import { againIn } from '../contract/form-problem.ts';
import { Problem } from '../contract/problem.ts';
import { type Counters, createLocalCounters, type LocalCounters } from '../stores/counters.ts';
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

/** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers), names and values in turn. */
const toHeaders = ({ name, limit, windowSeconds, remaining, seconds }: LimitState): string[] => [
  'RateLimit',
  `"${name}"; r=${remaining}; t=${seconds}`,
  'RateLimit-Policy',
  `"${name}"; q=${limit}; w=${windowSeconds}`,
];

/** Adds an allowance to the headers that tell of it. */
export function announceLimit(response: Response, of: LimitState): void {
  const headers = toHeaders(of);
  for (let index = 0; index < headers.length; index += 2) {
    append(response, headers[index] ?? '', headers[index + 1] ?? '');
  }
}

const secondsUntil = (end: number): number => Math.max(0, Math.ceil((end - Date.now()) / 1000));

/** How often the clients whose windows have ended are forgotten while nobody asks. */
const forgetEveryMs = 10_000;

type Counting = Pick<Counters, 'take' | 'giveBack'> | Pick<LocalCounters, 'take' | 'giveBack'>;

/** Counts in this process alone. */
function openOwnCounters(): Pick<LocalCounters, 'take' | 'giveBack'> {
  const counters = createLocalCounters({ now: Date.now });
  setInterval(() => counters.dropEnded(), forgetEveryMs).unref();
  return counters;
}

const clients = new WeakMap<Request, string>();

/** The network that a request comes from, worked out once for all limits. */
function clientOf(request: Request): string {
  const client = clients.get(request) ?? toClientNetwork(request.ip ?? '0.0.0.0');
  clients.set(request, client);
  return client;
}

/** How many requests are allowed in a window that begins with the first. */
interface Allowed {
  count: number;
  windowSeconds: number;
}

/** What one allowance says of a request. */
interface Verdict extends LimitState {
  isGranted: boolean;
  /** Puts the request back, when another allowance refuses it. */
  giveBack(): void | Promise<void>;
}

/** Counts the requests of a client address in a window. */
const countRequests =
  (name: string, { count: limit, windowSeconds }: Allowed, counters: Counting) =>
  async (request: Request): Promise<Verdict> => {
    const key = `${name} ${clientOf(request)}`;
    const { granted, taken, endsAt } = await counters.take(key, { limit, windowSeconds });
    return {
      ...{ name, limit, windowSeconds, remaining: limit - taken, seconds: secondsUntil(endsAt) },
      isGranted: granted,
      giveBack: () => counters.giveBack(key, endsAt),
    };
  };

const refusal = ({ limit, windowSeconds, seconds }: LimitState): Problem =>
  new Problem('rate-limited', `${limit} requests per ${windowSeconds} seconds are allowed. Wait ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
    plain: `Your network has sent as many forms as are allowed for now, so nothing was done with this one. Send it again ${againIn(seconds)}.`,
  });

/**
 * Counts the requests of a client address against allowances, each by its name, and refuses what is above any of them. Every answer
 * tells of all of them, in the RateLimit and RateLimit-Policy headers of draft-ietf-httpapi-ratelimit-headers. A refusal names the
 * longest wait, and what is refused takes from none. An IPv6 client is its /64, because it is free to choose any address below it.
 * The counts are this process's own, or `counters` that it shares with others.
 */
export function limitRate(
  allowances: Readonly<Record<string, Allowed>>,
  counters: Counting | null = null,
): RequestHandler {
  const own = counters ?? openOwnCounters();
  const counts = Object.entries(allowances).map(([name, allowed]) => countRequests(name, allowed, own));
  const take = async (request: Request, response: Response): Promise<void> => {
    const verdicts = await Promise.all(counts.map((count) => count(request)));
    const [longest] = verdicts
      .filter(({ isGranted }) => !isGranted)
      .toSorted((one, other) => other.seconds - one.seconds);
    for (const verdict of verdicts) {
      const isPutBack = longest !== undefined && verdict.isGranted;
      if (isPutBack) {
        await verdict.giveBack();
      }
      announceLimit(response, { ...verdict, remaining: verdict.remaining + Number(isPutBack) });
    }
    if (longest !== undefined) {
      throw refusal(longest);
    }
  };
  return (request, response, next) => {
    take(request, response).then(() => next(), next);
  };
}

/** The limit of reads, which requests pass through or are taken by. */
export interface ReadLimit extends RequestHandler {
  /**
   * Counts a request from an address that isn't passed through it. Gives the headers that tell what is left, and null when the
   * request is to be refused, which passing it through does.
   */
  take(address: string): string[] | null;
}

/** Counts reads, which each instance does for itself. */
export function limitReads({ count, windowSeconds }: Allowed): ReadLimit {
  const name = 'read';
  const counters = openOwnCounters();
  return Object.assign(limitRate({ [name]: { count, windowSeconds } }, counters), {
    take(address: string): string[] | null {
      const { granted, taken, endsAt } = counters.take(`${name} ${toClientNetwork(address)}`, {
        limit: count,
        windowSeconds,
      });
      const left = { name, limit: count, windowSeconds, remaining: count - taken, seconds: secondsUntil(endsAt) };
      return granted ? toHeaders(left) : null;
    },
  });
}
