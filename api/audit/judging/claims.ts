import type { Exchange } from '../../fetch/exchange.ts';
import { EarlyVerdict, type EvidenceLine, type Verdict } from '../check.ts';
import type { Evidence, ExchangeName } from '../evidence.ts';
import { apiDescriptionOf } from '../facts/api-description.ts';
import { isSuccess } from '../facts/headers.ts';
import { find, jsonOf } from '../facts/json.ts';
import { advertiserOf } from './advertisements.ts';
import { isHtml } from './gates.ts';
import { lineOf } from './lines.ts';
import { fail, notApplicable, requireFile } from './verdicts.ts';

/** The state of a machine-readable file: it is served, something points to it and it is not there, or nobody speaks of it. */
export type Claim =
  | { state: 'served'; exchange: Exchange }
  | { state: 'dead'; exchange: Exchange; by: string }
  | { state: 'silent'; exchange: Exchange };

/**
 * Finds out about a file. One that answers with an HTML page was not served: many sites answer everything with one. Ends
 * the check as `unchecked` when we were not let in.
 */
export function claimOf(evidence: Evidence, name: ExchangeName): Claim {
  const exchange = requireFile(evidence, name);
  if (isSuccess(exchange) && !isHtml(exchange)) {
    return { state: 'served', exchange };
  }
  const by = advertiserOf(evidence, exchange.request.url);
  return by === null ? { state: 'silent', exchange } : { state: 'dead', exchange, by };
}

/** The verdict on a file that is not served: a failure when something points to it, else not applicable. */
export const notServed = (claim: Exclude<Claim, { state: 'served' }>, what: string): Verdict =>
  claim.state === 'dead'
    ? fail(lineOf(claim.exchange, `${what} is advertised by ${claim.by} and was not served: worse than silence.`))
    : notApplicable(lineOf(claim.exchange, `${what} is not claimed.`));

/** The answer with a file that is served. Ends the check with the verdict on one that is not. */
export function requireServed(evidence: Evidence, name: ExchangeName, what: string): Exchange {
  const claim = claimOf(evidence, name);
  if (claim.state !== 'served') {
    throw new EarlyVerdict(notServed(claim, what));
  }
  return claim.exchange;
}

/** The JSON of a file that is served, or null; a description of an API may be YAML. */
export function documentOf(evidence: Evidence, name: ExchangeName): unknown {
  const exchange = evidence.exchanges[name] ?? null;
  const read = name.startsWith('openapi') ? apiDescriptionOf : jsonOf;
  return isSuccess(exchange) && !isHtml(exchange) ? read(exchange).value : null;
}

/** True for a JSON object, not an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a string that says something. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** What shows that a site has an API for others to use, as a line; null when nothing does. */
export function claimsApi(evidence: Evidence): EvidenceLine | null {
  const described = (['openapi', 'openapi:claimed', 'api-catalog'] as const).find((name) =>
    isObject(documentOf(evidence, name)),
  );
  const listed =
    find(documentOf(evidence, 'agents-json'), 'endpoints', '*').length > 0 ? ('agents-json' as const) : undefined;
  const name = described ?? listed;
  const exchange = name === undefined ? undefined : evidence.exchanges[name];
  if (exchange !== undefined) {
    return lineOf(exchange, 'The site describes an API here.', { header: 'content-type' });
  }
  const home = evidence.exchanges['home'] ?? null;
  return isSuccess(home) && !isHtml(home) && jsonOf(home).problem === null
    ? lineOf(home, 'The home address itself answers with JSON.', { header: 'content-type' })
    : null;
}
