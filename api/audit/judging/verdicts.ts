import type { Exchange } from '../../fetch/exchange.ts';
import { EarlyVerdict, type EvidenceLine, type ScoreCap, type Verdict } from '../check.ts';
import type { Evidence, ExchangeName } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';
import type { CheckId } from '../rubric.ts';
import { challengeOf } from './gates.ts';
import { bareLine, lineOf } from './lines.ts';

export const pass = (...evidence: EvidenceLine[]): Verdict => ({ status: 'pass', evidence });
export const partial = (...evidence: EvidenceLine[]): Verdict => ({ status: 'partial', evidence });
export const fail = (...evidence: EvidenceLine[]): Verdict => ({ status: 'fail', evidence });
export const notApplicable = (...evidence: EvidenceLine[]): Verdict => ({ status: 'not-applicable', evidence });
export const unchecked = (...evidence: EvidenceLine[]): Verdict => ({ status: 'unchecked', evidence });

/**
 * The verdict on a check whose subject does not exist: the finding of another check says so and counts for this one too.
 * That check must fail on the same evidence.
 */
export const absent = (countedBy: CheckId, ...evidence: EvidenceLine[]): Verdict => ({
  status: 'not-applicable',
  evidence,
  countedBy,
});

/** The same verdict with a ceiling for the whole score. */
export const capped = (verdict: Verdict, cap: ScoreCap): Verdict => ({ ...verdict, cap });

/** The exchange of a name that came to an answer. Ends the check as `unchecked` when it did not. */
export function requireAnswer(evidence: Evidence, name: ExchangeName): Exchange {
  const exchange = evidence.exchanges[name];
  if (exchange === undefined) {
    throw new EarlyVerdict(
      unchecked(bareLine(evidence, 'This was not asked for, since what leads to it could not be fetched.')),
    );
  }
  if (exchange.outcome !== 'ok') {
    throw new EarlyVerdict(
      unchecked(lineOf(exchange, exchange.error ?? `The request ended with "${exchange.outcome}".`)),
    );
  }
  return exchange;
}

/**
 * The answer to a request for a file or a page, as far as the site let us see it. Ends the check as `unchecked` where we
 * were turned away (a challenge, a 429, or a refusal that the home page meets with as well): that a file is missing
 * cannot be said then.
 */
export function requireVisible(evidence: Evidence, name: ExchangeName): Exchange {
  const exchange = requireAnswer(evidence, name);
  const challenge = challengeOf(exchange);
  if (challenge !== null) {
    throw new EarlyVerdict(unchecked(lineOf(exchange, `A bot challenge came in its place: ${challenge}`)));
  }
  if (exchange.status === 429) {
    throw new EarlyVerdict(unchecked(lineOf(exchange, 'The site limited our requests.', { header: 'retry-after' })));
  }
  const home = evidence.exchanges['home'] ?? null;
  if ((exchange.status === 401 || exchange.status === 403) && name !== 'home' && !isSuccess(home)) {
    throw new EarlyVerdict(unchecked(lineOf(exchange, 'We are refused here as on the home page.')));
  }
  return exchange;
}

/** The same for a file: a server that fails, twice asked, does not say whether it has the file. */
export function requireFile(evidence: Evidence, name: ExchangeName): Exchange {
  const exchange = requireVisible(evidence, name);
  if (exchange.status !== null && exchange.status >= 500) {
    throw new EarlyVerdict(unchecked(lineOf(exchange, `The server failed with status ${exchange.status}.`)));
  }
  return exchange;
}

/** One judged thing: 1 when it is right, 0 when it is not, between when in part. */
export interface Judged {
  credit: number;
  line: EvidenceLine;
}

/** All right: pass; none: fail; else partial. The lines that speak against come first. Nothing to judge: unchecked. */
export function byShare(judged: Judged[], ...ifNothing: EvidenceLine[]): Verdict {
  if (judged.length === 0) {
    return unchecked(...ifNothing);
  }
  const lines = [...judged].sort((a, b) => a.credit - b.credit).map(({ line }) => line);
  if (judged.every(({ credit }) => credit === 1)) {
    return pass(...lines);
  }
  return judged.every(({ credit }) => credit === 0) ? fail(...lines) : partial(...lines);
}
