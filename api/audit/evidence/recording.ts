import { z } from 'zod';
import type { Exchange } from '../../fetch/exchange.ts';
import type { Evidence } from '../evidence.ts';
import type { ExchangeName } from './exchange-name.ts';

const ExchangeRecord: z.ZodType<Exchange> = z.strictObject({
  request: z.strictObject({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
  hops: z.array(z.strictObject({ url: z.string(), status: z.int(), location: z.string() })),
  url: z.string(),
  status: z.int().nullable(),
  headers: z.record(z.string(), z.array(z.string())),
  body: z.string(),
  bodyBytes: z.int().min(0),
  bodySha256: z.string().nullable(),
  truncated: z.boolean(),
  tls: z.strictObject({ ok: z.boolean(), protocol: z.string().nullable(), error: z.string().nullable() }).nullable(),
  timings: z.strictObject({ startedAt: z.string(), firstByteMs: z.number().nullable(), totalMs: z.number() }),
  outcome: z.enum([
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
  ]),
  error: z.string().nullable(),
});

// Names are taken as they are: one that no check knows is never read.
const Name = z.string() as unknown as z.ZodType<ExchangeName>;

const EvidenceRecord = z.strictObject({
  format: z.literal(1),
  target: z.url(),
  home: z.url(),
  origin: z.url(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().min(0),
  requests: z.int().min(0),
  repeated: z.array(Name),
  robots: z.strictObject({ state: z.enum(['rules', 'none', 'unreachable']), error: z.string().nullable() }),
  exchanges: z.record(z.string(), ExchangeRecord),
  pages: z.array(
    z.strictObject({
      url: z.url(),
      html: Name,
      markdown: Name,
      twin: z.strictObject({ name: Name, url: z.url(), advertised: z.boolean() }).nullable(),
    }),
  ),
  pagesFrom: z.enum(['sitemap', 'llms.txt', 'links', 'none']),
  llmsLinks: z.array(z.strictObject({ url: z.url(), name: Name })),
  mcp: z.strictObject({ url: z.url(), claimedBy: Name, asked: z.boolean() }).nullable(),
});

/**
 * Reads a recording back: the parsed JSON of an Evidence. Throws an Error that names the first place where it is not
 * one. Checks over the result give what they gave over the original.
 */
export function replayEvidence(recording: unknown): Evidence {
  const result = EvidenceRecord.safeParse(recording);
  if (!result.success) {
    const issue = result.error.issues[0];
    const place = issue?.path.map(String).join('.') || 'its top level';
    throw new Error(`The recording is not readable at ${place}: ${issue?.message ?? 'unknown problem'}.`, {
      cause: result.error,
    });
  }
  return result.data;
}
