import type { Exchange, Fetch, Outcome } from '../../fetch/exchange.ts';
import { registrableDomain } from '../../fetch/registrable-domain.ts';
import { shareContent } from '../facts/once-per-exchange.ts';
import type { ExchangeName, Exchanges } from './exchange-name.ts';
import { Lanes } from './lanes.ts';
import { RequestBudget, type Reservation } from './request-budget.ts';
import { forbiddenBy, hostKey, type RobotsStance, toRobotsStance } from './robots-stance.ts';

/** Told when an exchange has ended. */
export interface Progress {
  name: ExchangeName;
  url: string;
  outcome: Outcome;
  status: number | null;
  /** Requests sent so far. */
  requests: number;
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

export interface SchedulerOptions {
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

/** Of all bodies together, after decoding; beyond it each is cut at 64 KiB. */
const maxTotalBytes = 24 * 1024 * 1024;
const leastBodyBytes = 64 * 1024;
const repeatedOutcomes = new Set<Outcome>(['timeout', 'connect', 'protocol', 'dns']);

const isWorthRepeating = (exchange: Exchange): boolean =>
  repeatedOutcomes.has(exchange.outcome) ||
  (exchange.status !== null && [500, 502, 503, 504].includes(exchange.status));

/** Why a redirect isn't followed that leads from one site to another; null for an address of the same site. */
function leavesSite(from: URL, to: URL): { outcome: Outcome; error: string } | null {
  if (registrableDomain(from) === registrableDomain(to)) {
    return null;
  }
  const error = `The redirect to ${to.host} is not followed: only that of the home page may lead to another site.`;
  return { outcome: 'redirect-refused', error };
}

/** Whether an address is a robots.txt: what every crawler asks for before anything else, and nobody's choice. */
const isRobotsTxt = ({ pathname, search }: URL): boolean => pathname === '/robots.txt' && search === '';

/**
 * Sends the requests of an audit: each thing once, at most `maxRequests` on the wire, a dozen at a time, none that the
 * host's robots.txt forbids, and again once after a time-out, a broken connection or a 5xx. Nobody can have another site
 * visited by redirects of their own: those of the home page alone are followed there, and to a robots.txt (RFC 9309
 * section 2.3.1.2).
 */
export class RequestScheduler {
  readonly #options: SchedulerOptions;
  readonly #budget: RequestBudget;
  readonly #lanes = new Lanes();
  readonly #exchanges = new Map<ExchangeName, Exchange>();
  readonly #asked = new Map<string, Promise<Exchange>>();
  readonly #stances = new Map<string, Promise<RobotsStance>>();
  readonly #repeated: ExchangeName[] = [];
  /** The first exchange of each content, by its address and the hash of its bytes. */
  readonly #contents = new Map<string, Exchange>();
  #bytes = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#budget = new RequestBudget(options.maxRequests);
  }

  /** Asks for something, or takes the answer that the same question got under another name. */
  async ask(name: ExchangeName, url: string, ask: AskOptions = {}): Promise<Exchange> {
    const key = JSON.stringify([ask.method ?? 'GET', url, ask.accept ?? '*/*', ask.userAgent, ask.headers, ask.body]);
    const known = this.#asked.get(key);
    if (known !== undefined) {
      const exchange = await known;
      return this.#record(name, exchange);
    }
    const exchange = this.#send(name, url, ask);
    this.#asked.set(key, exchange);
    return exchange;
  }

  /** What the robots.txt of an address's host means for us, asked for once. */
  robots(url: URL): Promise<RobotsStance> {
    const known = this.#stances.get(hostKey(url)) ?? this.#askRobots(url);
    this.#stances.set(hostKey(url), known);
    return known;
  }

  reserve(count: number): Reservation {
    return this.#budget.reserve(count);
  }

  /** Requests that are neither sent, promised nor reserved. */
  get spare(): number {
    return this.#budget.spare;
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#budget.sent;
  }

  exchange(name: ExchangeName): Exchange | undefined {
    return this.#exchanges.get(name);
  }

  /** All exchanges by name, sorted, so that the order of their arrival leaves no trace. */
  exchanges(): Exchanges {
    return Object.fromEntries([...this.#exchanges].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  /** The names of what was asked a second time. */
  repeated(): ExchangeName[] {
    return [...this.#repeated].sort();
  }

  #isInTime(): boolean {
    const { signal, now, deadline } = this.#options;
    return signal?.aborted !== true && now().getTime() < deadline;
  }

  #record(name: ExchangeName, exchange: Exchange): Exchange {
    const content = `${exchange.bodySha256} ${exchange.url}`;
    const first = this.#contents.get(content);
    if (first === undefined) {
      this.#contents.set(content, exchange);
    } else if (first !== exchange && first.body === exchange.body) {
      shareContent(exchange, first);
    }
    this.#exchanges.set(name, exchange);
    const { outcome, status } = exchange;
    this.#options.onProgress?.({ name, url: exchange.request.url, outcome, status, requests: this.#budget.sent });
    return exchange;
  }

  async #askRobots(url: URL): Promise<RobotsStance> {
    const { fetch, signal, deadline, target } = this.#options;
    const isOwn = hostKey(url) === hostKey(target);
    const name: ExchangeName = isOwn ? 'robots' : `robots:${hostKey(url)}`;
    const once = (): Promise<Exchange> =>
      fetch(new URL('/robots.txt', url).href, {
        headers: { accept: 'text/plain, */*;q=0.1' },
        signal,
        deadline,
        maxBodyBytes: 512 * 1024,
        ...(isOwn ? {} : { namedBy: target.href }),
        gate: async (address) => (isRobotsTxt(address) ? null : leavesSite(url, address)) ?? this.#budget.send(false),
      });
    let exchange = await once();
    if (isWorthRepeating(exchange) && this.#isInTime()) {
      this.#repeated.push(name);
      exchange = await once();
    }
    return toRobotsStance(this.#record(name, exchange));
  }

  async #send(name: ExchangeName, url: string, ask: AskOptions): Promise<Exchange> {
    let promised = this.#budget.promise(ask.from);
    const asked = name === 'home' || !URL.canParse(url) ? null : new URL(url);
    const gate = async (address: URL) => {
      const isPromised = promised;
      promised = false;
      const away = asked === null ? null : leavesSite(asked, address);
      if (away !== null) {
        return away;
      }
      const forbidden = forbiddenBy(await this.robots(address), this.#options.token, address);
      if (forbidden !== null && isPromised) {
        this.#budget.giveBack();
      }
      return forbidden ?? this.#budget.send(isPromised);
    };
    let exchange = await this.#lanes.run(ask.first === true, () => this.#fetchOnce(url, ask, gate));
    if (isWorthRepeating(exchange) && ask.method !== 'POST' && this.#isInTime() && this.#budget.spare > 0) {
      this.#repeated.push(name);
      exchange = await this.#lanes.run(true, () => this.#fetchOnce(url, ask, gate));
    }
    this.#bytes += exchange.bodyBytes;
    return this.#record(name, exchange);
  }

  #fetchOnce(url: string, ask: AskOptions, gate: NonNullable<Parameters<Fetch>[1]>['gate']): Promise<Exchange> {
    const { fetch, signal, deadline, target } = this.#options;
    return fetch(url, {
      method: ask.method ?? 'GET',
      headers: {
        accept: ask.accept ?? '*/*',
        ...(ask.userAgent === undefined ? {} : { 'user-agent': ask.userAgent }),
        ...ask.headers,
      },
      ...(ask.body === undefined ? {} : { body: ask.body }),
      signal,
      deadline,
      maxBodyBytes: Math.min(
        ask.maxBodyBytes ?? Number.POSITIVE_INFINITY,
        Math.max(leastBodyBytes, maxTotalBytes - this.#bytes),
      ),
      namedBy: target.href,
      gate,
    });
  }
}
