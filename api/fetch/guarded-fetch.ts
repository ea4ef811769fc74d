import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Agent, request as send } from 'undici';
import { AddressRefused, createAddressBook, NameNotResolved, type NameResolver } from './address-book.ts';
import { decodeText } from './decode-text.ts';
import type { Exchange, ExchangeHeaders, Fetch, FetchRequest, Outcome } from './exchange.ts';
import { ConnectionFailed, createPinnedConnector, type TlsVerdict } from './pinned-connector.ts';
import { readBody } from './read-body.ts';
import { mayBePrivate, parseTarget, type TargetPolicy, TargetRefused } from './target.ts';

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

const failureOf = (error: unknown): { outcome: Outcome; sentence: string } => {
  if (error instanceof TargetRefused || error instanceof AddressRefused) {
    return { outcome: 'refused', sentence: error.message };
  }
  if (error instanceof NameNotResolved) {
    return { outcome: 'dns', sentence: error.message };
  }
  if (error instanceof ConnectionFailed) {
    return { outcome: error.step, sentence: error.message };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { outcome: 'headers-too-large', sentence: 'The response has more header bytes than are read.' };
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return { outcome: 'timeout', sentence: 'The response stopped coming.' };
  }
  if (isClosedConnection(error)) {
    return { outcome: 'protocol', sentence: 'The connection was closed before the response was whole.' };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { outcome: 'protocol', sentence: `The response is not readable: ${detail.slice(0, 200).replace(/\.$/, '')}.` };
};

const isClosedConnection = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(String(error.code));

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

  async function fetch(address: string, asked: FetchRequest = {}): Promise<Exchange> {
    const method = asked.method ?? 'GET';
    const startedMs = now().getTime();
    const deadline = asked.deadline ?? startedMs + limits.totalTimeoutMs;
    const maxBodyBytes = Math.min(asked.maxBodyBytes ?? limits.maxBodyBytes, limits.maxBodyBytes);
    const headers: Record<string, string> = {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'user-agent': identity.userAgent,
      ...Object.fromEntries(Object.entries(asked.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    };
    const exchange: Exchange = {
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
    };
    const end = (outcome: Outcome, error: string | null): Exchange => {
      exchange.outcome = outcome;
      exchange.error = error;
      exchange.timings.totalMs = now().getTime() - startedMs;
      return exchange;
    };
    // What a public site names, and where it redirects to, is public: else it could reach the hosts of the configuration.
    const publicOnly: TargetPolicy = { ...policy, allowPrivate: [] };
    const namer = asked.namedBy;
    let effective =
      namer === undefined || (URL.canParse(namer) && mayBePrivate(new URL(namer), policy)) ? policy : publicOnly;
    let next = address;
    const seen = new Set<string>();
    for (;;) {
      let url: URL;
      try {
        url = parseTarget(next, effective);
      } catch (error) {
        const { sentence } = failureOf(error);
        return exchange.hops.length === 0
          ? end('refused', sentence)
          : end('redirect-refused', `The redirect to ${next.slice(0, 200)} is not followed. ${sentence}`);
      }
      if (seen.has(url.href)) {
        return end('too-many-redirects', `The redirects lead in a loop: ${url.href} came up twice.`);
      }
      seen.add(url.href);
      if (exchange.hops.length > limits.maxRedirects) {
        return end('too-many-redirects', `More than ${limits.maxRedirects} redirects were given.`);
      }
      exchange.url = url.href;

      const remainingMs = Math.min(limits.requestTimeoutMs, deadline - now().getTime());
      if (remainingMs <= 0) {
        return end('timeout', 'The time for the whole audit was used up before this request.');
      }
      const timer = AbortSignal.timeout(remainingMs);
      const signal = asked.signal === undefined ? timer : AbortSignal.any([asked.signal, timer]);
      let step = 'looking the name up';
      const failed = (error: unknown): Exchange => {
        exchange.tls = tlsOf(url);
        if (asked.signal?.aborted === true) {
          return end('aborted', `The request was ended by the caller while ${step}.`);
        }
        if (timer.aborted) {
          return end('timeout', `No whole response within ${remainingMs} ms: the time ran out while ${step}.`);
        }
        const { outcome, sentence } = failureOf(error);
        const refused = outcome === 'refused' && exchange.hops.length > 0;
        return end(refused ? 'redirect-refused' : outcome, sentence);
      };

      let response: Awaited<ReturnType<typeof send>> | undefined;
      for (let attempt = 1; response === undefined; attempt += 1) {
        const stop = await asked.gate?.(url);
        if (stop) {
          return end(stop.outcome, stop.error);
        }
        let sent = headers;
        try {
          sent = { ...headers, ...(await identity.sign?.({ method, url: url.href, headers })) };
        } catch (error) {
          return end('aborted', `The request could not be signed: ${error instanceof Error ? error.message : error}.`);
        }
        if (exchange.hops.length === 0) {
          exchange.request = { method, url: url.href, headers: sent };
        }
        try {
          step = 'looking the name up';
          await untilAborted(book.resolve(url, effective), signal);
          step = 'waiting for the response';
          response = await send(url, {
            dispatcher: agent,
            method,
            headers: sent,
            body: method === 'POST' ? (asked.body ?? '') : null,
            signal,
            responseHeaders: 'raw',
          });
        } catch (error) {
          // A kept connection may be closed by the server at the moment a request is written to it: ask once more.
          if (attempt === 1 && method !== 'POST' && isClosedConnection(error) && !signal.aborted) {
            continue;
          }
          return failed(error);
        }
      }

      response.body.on('error', () => {});
      exchange.tls = tlsOf(url);
      exchange.status = response.statusCode;
      exchange.headers = toHeaders(response.headers);
      exchange.timings.firstByteMs ??= now().getTime() - startedMs;

      const location = exchange.headers['location']?.[0];
      const follows = method !== 'POST' && asked.followRedirects !== false && redirectStatuses.has(response.statusCode);
      if (follows && location !== undefined) {
        response.body.dump({ limit: 16 * 1024 }).catch(() => {});
        const target = toUtf8(location);
        exchange.hops.push({ url: url.href, status: response.statusCode, location: target });
        effective = mayBePrivate(url, effective) ? effective : publicOnly;
        // What cannot be resolved is left as it is, for the parser to refuse with its sentence.
        next = URL.canParse(target, url.href) ? new URL(target, url.href).href : target;
        continue;
      }

      step = 'reading the body';
      const read = await readBody(response.body, exchange.headers['content-encoding'] ?? [], maxBodyBytes);
      exchange.bodyBytes = read.bytes.length;
      exchange.bodySha256 = read.bytes.length === 0 ? null : createHash('sha256').update(read.bytes).digest('hex');
      exchange.truncated = read.truncated;
      exchange.body = decodeText(read.bytes, exchange.headers['content-type']?.[0] ?? '', read.truncated);
      return read.error === null ? end('ok', null) : failed(read.error);
    }
  }

  return Object.assign(fetch, { close: () => agent.destroy() });
}
