import { z } from 'zod';

/**
 * How a request ended. `ok`: a whole response came, or one that was cut at the byte limit (`truncated`). The others say
 * why not: the policy (`refused`, `redirect-refused`), the far side, the caller (`aborted`), or a gate
 * that kept the request from being sent (`robots-disallowed`, `not-asked`).
 */
const Outcome = z.enum([
  'ok',
  'refused',
  'dns',
  'connect',
  'tls',
  'timeout',
  'too-many-redirects',
  'redirect-refused',
  'protocol',
  'headers-too-large',
  'aborted',
  'robots-disallowed',
  'not-asked',
]);
export type Outcome = z.infer<typeof Outcome>;

/** One redirect that was answered: the address asked, its status, and where it points (as sent). */
const Hop = z.strictObject({ url: z.string(), status: z.int(), location: z.string() });
export type Hop = z.infer<typeof Hop>;

/**
 * One fact: a request and what came of it, redirects included. Plain JSON, so that a recording is the thing itself.
 * `status`, `headers` and `body` are those of the last response that came, whatever the outcome; `status` is null and
 * `headers` empty when none did.
 */
export const Exchange = z.strictObject({
  /** The first request, as sent: headers include the identification and the signature. */
  request: z.strictObject({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
  /** Redirects followed, in order; empty when the first address answered for itself. */
  hops: z.array(Hop),
  /** The address that gave the last response, or that no response came from. */
  url: z.string(),
  status: z.int().nullable(),
  /** Names in lower case, each with its values in the order received. */
  headers: z.record(z.string(), z.array(z.string())),
  /** The text, decoded; empty for HEAD. What came before a cut or an error is kept. */
  body: z.string(),
  /** Bytes after content decoding. */
  bodyBytes: z.int().min(0),
  /** SHA-256 of those bytes, in hexadecimal; null when there were none. */
  bodySha256: z.string().nullable(),
  /** True when the body was cut, by the byte limit or by an error. */
  truncated: z.boolean(),
  /** The certificate's verdict of the last https connection that was tried; null for http. */
  tls: z.strictObject({ ok: z.boolean(), protocol: z.string().nullable(), error: z.string().nullable() }).nullable(),
  timings: z.strictObject({ startedAt: z.string(), firstByteMs: z.number().nullable(), totalMs: z.number() }),
  outcome: Outcome,
  /** A sentence that says what went wrong and at which step; null when nothing did. */
  error: z.string().nullable(),
});
export type Exchange = z.infer<typeof Exchange>;
export type ExchangeHeaders = Exchange['headers'];

/** What a caller may ask of a fetch. */
export interface FetchRequest {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  /** Sent with POST. */
  body?: string;
  /** Ends the request with the outcome `aborted`. */
  signal?: AbortSignal | undefined;
  /** The moment, in milliseconds of the epoch, after which nothing is waited for. */
  deadline?: number;
  /** Cuts the body earlier than the general limit. */
  maxBodyBytes?: number;
  /** The redirects of GET and HEAD are followed unless this is false. Those of POST never are. */
  followRedirects?: boolean;
  /** The address whose content named this one. A public site's content leads to public hosts only. */
  namedBy?: string;
  /** Called before each request is sent, redirects and repetitions included; an answer ends the exchange with it. */
  gate?: (url: URL) => Promise<{ outcome: Outcome; error: string } | null>;
}

/** Fetches one address. Never throws for what the far side does: errors are outcomes. */
export type Fetch = (url: string, request?: FetchRequest) => Promise<Exchange>;
