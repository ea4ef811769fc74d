import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Agent, request as send } from 'undici';
import { createAddressBook, type NameResolver } from './address-book.ts';
import { decodeText } from './decode-text.ts';
import type { Exchange, ExchangeHeaders, Fetch, FetchRequest } from './exchange.ts';
import { FetchEnded, isClosedConnection, toFetchEnded } from './failure.ts';
import { createPinnedConnector, type TlsVerdict } from './pinned-connector.ts';
import { readBody, readCodings } from './read-body.ts';
import { mayBePrivate, parseTarget, type TargetPolicy } from './target.ts';

/** The bounds of a fetch. */
export interface FetchLimits {
  /** For one request, from looking the name up to the last byte. */
  requestTimeoutMs: number;
  /** For a fetch with its redirects, when the caller gives no deadline. */
  totalTimeoutMs: number;
  maxRedirects: number;
  maxHeaderBytes: number;
  /** After content decoding, and on the wire. */
  maxBodyBytes: number;
}

/** The bounds of the public service. */
export const defaultFetchLimits: FetchLimits = {
  requestTimeoutMs: 5000,
  totalTimeoutMs: 20_000,
  maxRedirects: 5,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 2 * 1024 * 1024,
};

/** Who the requests say they are from. */
export interface FetchIdentity {
  /** Sent where the caller names no User-Agent. */
  userAgent: string;
  /** Adds headers to each request that is sent, such as a signature over it (RFC 9421). */
  sign?: (request: { method: string; url: string; headers: Record<string, string> }) => Promise<Record<string, string>>;
}

export interface GuardedFetchOptions {
  resolver: NameResolver;
  policy: TargetPolicy;
  identity: FetchIdentity;
  /** The present moment. */
  now(): Date;
  limits?: Partial<FetchLimits>;
}

/** A fetch with its own connections and its own memory of names: make one for each audit, and close it after. */
export type GuardedFetch = Fetch & { close(): Promise<void> };

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Header names and values in pairs, as the parser saw them, gathered by lower-case name. */
function toHeaders(raw: unknown): ExchangeHeaders {
  const headers = new Map<string, string[]>();
  const list = Array.isArray(raw) ? raw.map(String) : [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    const name = (list[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), list[index + 1] ?? '']);
  }
  return Object.fromEntries(headers);
}

/** Header values arrive as Latin-1; many servers put UTF-8 into Location all the same. */
const toUtf8 = (value: string): string =>
  /[^\u0000-\u007f]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;

const untilAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) {
      stop();
    }
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

type Response = Awaited<ReturnType<typeof send>>;

/** A fetch on its way: the exchange so far, and where it goes next. */
interface Trip {
  asked: FetchRequest;
  exchange: Exchange;
  startedMs: number;
  /** After this moment nothing is sent or read, in milliseconds of the epoch. */
  deadline: number;
  /** Where it goes next; may be any text that a server sent. */
  next: string;
  /** What the next address may be. */
  policy: TargetPolicy;
  seen: Set<string>;
}

/** One request of a fetch, with the time that it has. */
interface Leg {
  url: URL;
  timeoutMs: number;
  timer: AbortSignal;
  /** Aborted when the time is over or the caller ends the fetch. */
  signal: AbortSignal;
  /** What it is doing, as the end of a sentence. */
  step: string;
}

/** An exchange before anything came of it. */
const newExchange = (
  address: string,
  method: string,
  headers: Record<string, string>,
  startedMs: number,
): Exchange => ({
  request: { method, url: address, headers },
  hops: [],
  url: address,
  status: null,
  headers: {},
  body: '',
  bodyBytes: 0,
  bodySha256: null,
  truncated: false,
  tls: null,
  timings: { startedAt: new Date(startedMs).toISOString(), firstByteMs: null, totalMs: 0 },
  outcome: 'ok',
  error: null,
});

/** Checks the next address of a fetch, and that it leads on. Throws FetchEnded. */
function toNextUrl({ next, policy, seen, exchange }: Trip, maxRedirects: number): URL {
  let url: URL;
  try {
    url = parseTarget(next, policy);
  } catch (error) {
    const { message } = toFetchEnded(error);
    throw exchange.hops.length === 0
      ? new FetchEnded('refused', message)
      : new FetchEnded('redirect-refused', `The redirect to ${next.slice(0, 200)} is not followed. ${message}`);
  }
  if (seen.has(url.href)) {
    throw new FetchEnded('too-many-redirects', `The redirects lead in a loop: ${url.href} came up twice.`);
  }
  seen.add(url.href);
  if (exchange.hops.length > maxRedirects) {
    throw new FetchEnded('too-many-redirects', `More than ${maxRedirects} redirects were given.`);
  }
  return url;
}

/** How a request failed: ended by the caller, out of time, or for what went wrong. */
function toLegEnded(error: unknown, { asked, exchange }: Trip, { step, timer, timeoutMs }: Leg): FetchEnded {
  if (asked.signal?.aborted === true) {
    return new FetchEnded('aborted', `The request was ended by the caller while ${step}.`);
  }
  if (timer.aborted) {
    return new FetchEnded('timeout', `No whole response within ${timeoutMs} ms: the time ran out while ${step}.`);
  }
  const ended = toFetchEnded(error);
  return ended.outcome === 'refused' && exchange.hops.length > 0
    ? new FetchEnded('redirect-refused', ended.message)
    : ended;
}

/** What a public site names, and where it redirects to, is public: else it could reach the hosts of the configuration. */
const toPublicOnly = (policy: TargetPolicy): TargetPolicy => ({ ...policy, allowPrivate: [] });

function begin(
  address: string,
  asked: FetchRequest,
  {
    policy,
    identity,
    startedMs,
    limits,
  }: { policy: TargetPolicy; identity: FetchIdentity; startedMs: number; limits: FetchLimits },
): Trip {
  const headers: Record<string, string> = {
    accept: '*/*',
    'accept-encoding': readCodings,
    'user-agent': identity.userAgent,
    ...Object.fromEntries(Object.entries(asked.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  };
  const { namedBy } = asked;
  const isNamedInside = namedBy === undefined || (URL.canParse(namedBy) && mayBePrivate(new URL(namedBy), policy));
  return {
    asked,
    exchange: newExchange(address, asked.method ?? 'GET', headers, startedMs),
    startedMs,
    deadline: asked.deadline ?? startedMs + limits.totalTimeoutMs,
    next: address,
    policy: isNamedInside ? policy : toPublicOnly(policy),
    seen: new Set(),
  };
}

/** The headers of one request, signed; a signature is good for one. Throws FetchEnded. */
async function sign(
  identity: FetchIdentity,
  method: string,
  url: URL,
  headers: Record<string, string>,
): Promise<Record<string, string>> {
  try {
    return { ...headers, ...(await identity.sign?.({ method, url: url.href, headers })) };
  } catch (error) {
    throw new FetchEnded(
      'aborted',
      `The request could not be signed: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** Takes a redirect that is to be followed. Returns whether there is one. */
function takeRedirect(trip: Trip, url: URL, response: Response): boolean {
  const { asked, exchange } = trip;
  const location = exchange.headers['location']?.[0];
  const follows =
    asked.method !== 'POST' && asked.followRedirects !== false && redirectStatuses.has(response.statusCode);
  if (!follows || location === undefined) {
    return false;
  }
  response.body.dump({ limit: 16 * 1024 }).catch(() => {});
  const target = toUtf8(location);
  exchange.hops.push({ url: url.href, status: response.statusCode, location: target });
  if (!mayBePrivate(url, trip.policy)) {
    trip.policy = toPublicOnly(trip.policy);
  }
  // What cannot be resolved is left as it is, for the parser to refuse with its sentence.
  trip.next = URL.canParse(target, url.href) ? new URL(target, url.href).href : target;
  return true;
}

/**
 * Makes the one way in which addresses from outside are fetched. It connects to public addresses only (see `parseTarget`
 * and `reasonNotPublic`), looks each name up once, follows redirects itself and checks each anew, keeps no cookies,
 * verifies certificates, and bounds time, headers, redirects and body. The outcome of an exchange says what went wrong.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { resolver, policy, identity, now } = options;
  const limits: FetchLimits = { ...defaultFetchLimits, ...options.limits };
  const book = createAddressBook(resolver);
  const handshakes = new Map<string, TlsVerdict>();
  const agent = new Agent({
    connect: createPinnedConnector({
      pinned: book.pinned,
      timeoutMs: limits.requestTimeoutMs,
      onTls: (authority, verdict) => handshakes.set(authority, verdict),
    }),
    connections: 32,
    pipelining: 1,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs + 1000,
    bodyTimeout: limits.requestTimeoutMs + 1000,
  });

  const tlsOf = (url: URL): TlsVerdict | null =>
    url.protocol === 'https:'
      ? (handshakes.get(`${url.hostname.replace(/^\[|\]$/g, '')}:${url.port || 443}`) ?? null)
      : null;

  function beginLeg({ asked, deadline }: Trip, url: URL): Leg {
    const timeoutMs = Math.min(limits.requestTimeoutMs, deadline - now().getTime());
    if (timeoutMs <= 0) {
      throw new FetchEnded('timeout', 'The time for the whole audit was used up before this request.');
    }
    const timer = AbortSignal.timeout(timeoutMs);
    const signal = asked.signal === undefined ? timer : AbortSignal.any([asked.signal, timer]);
    return { url, timeoutMs, timer, signal, step: 'looking the name up' };
  }

  /** Sends one request, and once more on a kept connection that the server closed at that moment. Throws FetchEnded. */
  async function attempt(trip: Trip, leg: Leg, headers: Record<string, string>, isAgain = false): Promise<Response> {
    const { asked, exchange } = trip;
    const { url, signal } = leg;
    const method = asked.method ?? 'GET';
    const stop = await asked.gate?.(url);
    if (stop) {
      throw new FetchEnded(stop.outcome, stop.error);
    }
    const signed = await sign(identity, method, url, headers);
    if (exchange.hops.length === 0) {
      exchange.request = { method, url: url.href, headers: signed };
    }
    try {
      leg.step = 'looking the name up';
      await untilAborted(book.resolve(url, trip.policy), signal);
      leg.step = 'waiting for the response';
      return await send(url, {
        dispatcher: agent,
        method,
        headers: signed,
        body: method === 'POST' ? (asked.body ?? '') : null,
        signal,
        responseHeaders: 'raw',
      });
    } catch (error) {
      if (!isAgain && method !== 'POST' && isClosedConnection(error) && !signal.aborted) {
        return attempt(trip, leg, headers, true);
      }
      exchange.tls = tlsOf(url);
      throw toLegEnded(error, trip, leg);
    }
  }

  /** Follows redirects to the last response, and notes its head. Throws FetchEnded. */
  async function followRedirects(trip: Trip): Promise<{ response: Response; leg: Leg }> {
    const { exchange } = trip;
    const { headers } = exchange.request;
    for (;;) {
      const url = toNextUrl(trip, limits.maxRedirects);
      exchange.url = url.href;
      const leg = beginLeg(trip, url);
      const response = await attempt(trip, leg, headers);
      response.body.on('error', () => {});
      exchange.tls = tlsOf(url);
      exchange.status = response.statusCode;
      exchange.headers = toHeaders(response.headers);
      exchange.timings.firstByteMs ??= now().getTime() - trip.startedMs;
      if (!takeRedirect(trip, url, response)) {
        return { response, leg };
      }
    }
  }

  /** Reads the body into the exchange, as much as is allowed. Throws FetchEnded when it breaks off. */
  async function readInto(trip: Trip, response: Response, leg: Leg): Promise<void> {
    const { asked, exchange } = trip;
    leg.step = 'reading the body';
    const most = Math.min(asked.maxBodyBytes ?? limits.maxBodyBytes, limits.maxBodyBytes);
    const read = await readBody(response.body, exchange.headers['content-encoding'] ?? [], most);
    exchange.bodyBytes = read.bytes.length;
    exchange.bodySha256 = read.bytes.length === 0 ? null : createHash('sha256').update(read.bytes).digest('hex');
    exchange.truncated = read.truncated;
    exchange.body = decodeText(read.bytes, exchange.headers['content-type']?.[0] ?? '', read.truncated);
    if (read.error !== null) {
      exchange.tls = tlsOf(leg.url);
      throw toLegEnded(read.error, trip, leg);
    }
  }

  async function fetch(address: string, asked: FetchRequest = {}): Promise<Exchange> {
    const trip = begin(address, asked, { policy, identity, startedMs: now().getTime(), limits });
    const { exchange } = trip;
    try {
      const { response, leg } = await followRedirects(trip);
      await readInto(trip, response, leg);
    } catch (error) {
      if (!(error instanceof FetchEnded)) {
        throw error;
      }
      exchange.outcome = error.outcome;
      exchange.error = error.message;
    }
    exchange.timings.totalMs = now().getTime() - trip.startedMs;
    return exchange;
  }

  return Object.assign(fetch, { close: () => agent.destroy() });
}
