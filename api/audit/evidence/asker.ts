import type { Exchange, Fetch, Outcome } from '../../fetch/exchange.ts';
import { decidingRule, type RobotsFacts, robotsOf } from '../facts/robots.ts';

/** Told when an exchange has ended. */
export interface Progress {
  name: string;
  url: string;
  outcome: Outcome;
  status: number | null;
  /** Requests sent so far. */
  requests: number;
}

/** What robots.txt of a host means for us. */
export interface RobotsStance {
  state: 'rules' | 'none' | 'unreachable';
  facts: RobotsFacts | null;
  sitemaps: string[];
  error: string | null;
}

export interface AskOptions {
  method?: 'GET' | 'HEAD' | 'POST';
  accept?: string;
  userAgent?: string;
  headers?: Record<string, string>;
  body?: string;
  maxBodyBytes?: number;
  /** Goes before what is waiting: others depend on it. */
  first?: boolean;
  /** The reservation this request is taken from. */
  from?: Reservation;
}

/** Requests kept for what is asked later. */
export interface Reservation {
  count: number;
  release(): void;
}

export interface AskerOptions {
  fetch: Fetch;
  now(): Date;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** In milliseconds of the epoch. */
  deadline: number;
  /** Our product token in robots.txt. */
  token: string;
  target: URL;
  maxRequests: number;
}

/** Connections at a time: half of them are kept for what others depend on, so that it never queues behind the rest. */
const maxConcurrent = 16;
const maxConcurrentRest = 8;
/** Of all bodies together, after decoding; beyond it each is cut at 64 KiB. */
const maxTotalBytes = 24 * 1024 * 1024;
const leastBodyBytes = 64 * 1024;
const repeatedOutcomes = new Set<Outcome>(['timeout', 'connect', 'protocol', 'dns']);

const isWorthRepeating = (exchange: Exchange): boolean =>
  repeatedOutcomes.has(exchange.outcome) ||
  (exchange.status !== null && [500, 502, 503, 504].includes(exchange.status));

// Two schemes on their default ports share one robots.txt here: the upgrade from http is a single request.
const hostKey = (url: URL): string => (url.port === '' ? url.hostname : url.host);

/**
 * Makes the one who asks: each thing once, at most `maxRequests` requests on the wire, a dozen at a time, none that the
 * host's robots.txt forbids, and again once after a time-out, a broken connection or a 5xx.
 */
export function createAsker(options: AskerOptions) {
  const { fetch, now, deadline, token, target, maxRequests } = options;
  const exchanges = new Map<string, Exchange>();
  const asked = new Map<string, Promise<Exchange>>();
  const stances = new Map<string, Promise<RobotsStance>>();
  const repeated: string[] = [];
  const waiting: (() => void)[] = [];
  const waitingRest: (() => void)[] = [];
  let running = 0;
  let runningRest = 0;
  let sent = 0;
  // Requests sent or promised, and requests kept for later ones.
  let committed = 0;
  let reserved = 0;
  let bytes = 0;

  const isInTime = (): boolean => options.signal?.aborted !== true && now().getTime() < deadline;

  const startNext = (): void => {
    const start =
      (running < maxConcurrent ? waiting.shift() : undefined) ??
      (running < maxConcurrent && runningRest < maxConcurrentRest ? waitingRest.shift() : undefined);
    start?.();
  };

  const inTurn = async <Value>(first: boolean, work: () => Promise<Value>): Promise<Value> => {
    await new Promise<void>((resolve) => {
      (first ? waiting : waitingRest).push(() => {
        running += 1;
        runningRest += first ? 0 : 1;
        resolve();
      });
      startNext();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      runningRest -= first ? 0 : 1;
      startNext();
    }
  };

  const record = (name: string, exchange: Exchange): Exchange => {
    exchanges.set(name, exchange);
    options.onProgress?.({
      name,
      url: exchange.request.url,
      outcome: exchange.outcome,
      status: exchange.status,
      requests: sent,
    });
    return exchange;
  };

  const overBudget = { outcome: 'not-asked', error: `The ${maxRequests} requests of an audit were used up.` } as const;

  /** Counts a request that is about to be sent; the first of an exchange was promised to it. */
  const counter = (promised: number) => {
    let left = promised;
    return (): typeof overBudget | null => {
      if (left > 0) {
        left -= 1;
      } else if (committed + reserved >= maxRequests) {
        return overBudget;
      } else {
        committed += 1;
      }
      sent += 1;
      return null;
    };
  };

  async function askRobots(url: URL): Promise<RobotsStance> {
    const own = hostKey(url) === hostKey(target);
    const name = own ? 'robots' : `robots:${hostKey(url)}`;
    const count = counter(0);
    const once = (): Promise<Exchange> =>
      fetch(new URL('/robots.txt', url).href, {
        headers: { accept: 'text/plain, */*;q=0.1' },
        signal: options.signal,
        deadline,
        maxBodyBytes: 512 * 1024,
        ...(own ? {} : { namedBy: target.href }),
        gate: async () => count(),
      });
    let exchange = await once();
    if (isWorthRepeating(exchange) && isInTime()) {
      repeated.push(name);
      exchange = await once();
    }
    record(name, exchange);
    const { outcome, status } = exchange;
    if (outcome === 'ok' && status !== null && status >= 200 && status < 300) {
      const facts = robotsOf(exchange);
      return { state: 'rules', facts, sitemaps: facts.sitemaps, error: null };
    }
    // RFC 9309 section 2.3.1: 4xx, and redirects that lead nowhere, mean that there are no rules.
    if (
      (outcome === 'ok' && (status ?? 0) < 500) ||
      outcome === 'too-many-redirects' ||
      outcome === 'redirect-refused'
    ) {
      return { state: 'none', facts: null, sitemaps: [], error: null };
    }
    const error = exchange.error ?? `The robots.txt was answered with status ${status}.`;
    return { state: 'unreachable', facts: null, sitemaps: [], error };
  }

  const robots = (url: URL): Promise<RobotsStance> => {
    const known = stances.get(hostKey(url)) ?? askRobots(url);
    stances.set(hostKey(url), known);
    return known;
  };

  async function forbidden(url: URL): Promise<{ outcome: Outcome; error: string } | null> {
    const stance = await robots(url);
    if (stance.state === 'unreachable') {
      const error = `The robots.txt of ${url.host} could not be had, which counts as "Disallow: /" (RFC 9309 section 2.3.1.4).`;
      return { outcome: 'robots-disallowed', error };
    }
    const rule = stance.facts === null ? null : decidingRule(stance.facts, token, `${url.pathname}${url.search}`);
    if (rule === null || rule.allow) {
      return null;
    }
    const error = `The robots.txt of ${url.host} forbids ${url.pathname} to ${token}: line ${rule.line}, "Disallow: ${rule.pattern.slice(0, 200)}".`;
    return { outcome: 'robots-disallowed', error };
  }

  async function send(name: string, url: string, ask: AskOptions): Promise<Exchange> {
    const isPromised = committed + (ask.from === undefined ? reserved : 0) < maxRequests;
    if (ask.from !== undefined && ask.from.count > 0) {
      ask.from.count -= 1;
      reserved -= 1;
    }
    let promised = isPromised ? 1 : 0;
    committed += promised;
    const once = (count: ReturnType<typeof counter>): Promise<Exchange> =>
      fetch(url, {
        method: ask.method ?? 'GET',
        headers: {
          accept: ask.accept ?? '*/*',
          ...(ask.userAgent === undefined ? {} : { 'user-agent': ask.userAgent }),
          ...ask.headers,
        },
        ...(ask.body === undefined ? {} : { body: ask.body }),
        signal: options.signal,
        deadline,
        maxBodyBytes: Math.min(
          ask.maxBodyBytes ?? Number.POSITIVE_INFINITY,
          Math.max(leastBodyBytes, maxTotalBytes - bytes),
        ),
        namedBy: target.href,
        gate: async (address) => {
          const stop = (await forbidden(address)) ?? count();
          if (stop !== null && promised > 0) {
            committed -= promised;
          }
          promised = 0;
          return stop;
        },
      });
    let exchange = await inTurn(ask.first === true, () => once(counter(promised)));
    if (isWorthRepeating(exchange) && ask.method !== 'POST' && isInTime() && committed + reserved < maxRequests) {
      repeated.push(name);
      exchange = await inTurn(true, () => once(counter(0)));
    }
    bytes += exchange.bodyBytes;
    return record(name, exchange);
  }

  return {
    robots,
    /** Asks for something, or takes the answer that the same question got under another name. */
    async ask(name: string, url: string, ask: AskOptions = {}): Promise<Exchange> {
      const key = JSON.stringify([ask.method ?? 'GET', url, ask.accept ?? '*/*', ask.userAgent, ask.headers, ask.body]);
      const known = asked.get(key);
      if (known !== undefined) {
        const exchange = await known;
        return record(name, exchange);
      }
      const exchange = send(name, url, ask);
      asked.set(key, exchange);
      return exchange;
    },
    reserve(count: number): Reservation {
      reserved += count;
      const reservation: Reservation = {
        count,
        release() {
          reserved -= reservation.count;
          reservation.count = 0;
        },
      };
      return reservation;
    },
    exchange: (name: string): Exchange | undefined => exchanges.get(name),
    /** Requests that are neither sent, promised nor reserved. */
    spare: (): number => Math.max(0, maxRequests - committed - reserved),
    requests: (): number => sent,
    repeated: (): string[] => repeated,
    /** All exchanges by name, sorted, so that the order of their arrival leaves no trace. */
    exchanges: (): Record<string, Exchange> =>
      Object.fromEntries([...exchanges].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  };
}

export type Asker = ReturnType<typeof createAsker>;
