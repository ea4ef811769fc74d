import { z } from 'zod';
import { Exchange } from '../../fetch/exchange.ts';
import type { ExchangeName, Exchanges } from './exchange-name.ts';

// Names are taken as they are: one that no check knows is never read.
const Name = z.string() as unknown as z.ZodType<ExchangeName>;

/** A page that was looked at, with the names of its exchanges. */
const EvidencePage = z.strictObject({
  url: z.url(),
  /** The page with `Accept: text/html`. */
  html: Name,
  /** The page with `Accept: text/markdown`. */
  markdown: Name,
  /** The markdown address of the page: the one it advertises, else the customary form that answered, else the commonest. */
  twin: z.strictObject({ name: Name, url: z.url(), advertised: z.boolean() }).nullable(),
});
export type EvidencePage = z.infer<typeof EvidencePage>;

/** An MCP endpoint that the site claims to have. */
const McpEvidence = z.strictObject({
  url: z.url(),
  /** The exchange that names it. */
  claimedBy: Name,
  /** False when it is on a host that is not the site's own, which is not spoken to. */
  asked: z.boolean(),
});
export type McpEvidence = z.infer<typeof McpEvidence>;

/**
 * Everything that checks judge a site by: plain JSON, so that a recording is the thing itself and gives the same report
 * again. Each fact is an exchange under a name, see ExchangeName. A name that is missing was not asked for; an exchange with
 * the outcome `robots-disallowed` or `not-asked` was wanted and not sent, and its `error` says why.
 */
const Evidence = z.strictObject({
  format: z.literal(1),
  /** The address that was asked for. */
  target: z.url(),
  /** Where the home page was found after redirects; the target when it was not found. */
  home: z.url(),
  /** The origin of `home`: where the files of the host were looked for. */
  origin: z.url(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().min(0),
  /** Requests sent, redirects and repetitions included; at most 60. */
  requests: z.int().min(0),
  /** Names of the exchanges that were asked a second time, after a time-out, a broken connection or a 5xx. */
  repeated: z.array(Name),
  /**
   * What robots.txt allows us. `none`: there is no such file. `unreachable`: it could not be had (5xx or no connection),
   * so that nothing else was asked for (RFC 9309 section 2.3.1.4); `error` says at which step.
   */
  robots: z.strictObject({ state: z.enum(['rules', 'none', 'unreachable']), error: z.string().nullable() }),
  exchanges: z.record(z.string(), Exchange) as z.ZodType<Exchanges>,
  /** The home page, then up to four more. */
  pages: z.array(EvidencePage),
  /** Where the sampled pages were taken from. */
  pagesFrom: z.enum(['sitemap', 'llms.txt', 'links', 'none']),
  llmsLinks: z.array(z.strictObject({ url: z.url(), name: Name })),
  /** The MCP endpoint that the site claims, or null. */
  mcp: McpEvidence.nullable(),
});
export type Evidence = z.infer<typeof Evidence>;

/**
 * Reads a recording back: the parsed JSON of an Evidence. Throws an Error that names the first place where it is not
 * one. Checks over the result give what they gave over the original.
 */
export function replayEvidence(recording: unknown): Evidence {
  const result = Evidence.safeParse(recording);
  if (!result.success) {
    const issue = result.error.issues[0];
    const place = issue?.path.map(String).join('.') || 'its top level';
    throw new Error(`The recording is not readable at ${place}: ${issue?.message ?? 'unknown problem'}.`, {
      cause: result.error,
    });
  }
  return result.data;
}
