import { type Evidence, exchangeOf } from '../audit/evidence.ts';
import type { AuditReport } from '../audit/report.ts';
import type { Sight } from '../audit/sight.ts';
import type { Outcome } from '../fetch/exchange.ts';

/** Why a target is not audited: `address` may not be fetched, `robots` is shut out by robots.txt. */
export type RefusedBy = 'address' | 'robots';

/** The step at which a site could not be reached. */
export type Step = 'dns' | 'connect' | 'tls' | 'timeout' | 'redirects' | 'response' | 'robots.txt';

/** How an audit ended: with a report, or with a sentence that says why there is none. */
export type AuditOutcome = { kind: 'report'; report: AuditReport } | Failure;

/** How a look at a page ended: with what was seen, or with a sentence that says why nothing was. */
export type LookOutcome = { kind: 'sight'; sight: Sight } | Failure;

/** Why nothing was read. */
export type Failure =
  | { kind: 'refused'; by: RefusedBy; sentence: string }
  | { kind: 'unreachable'; step: Step; sentence: string };

/** What a process does for a site, and how each ends. */
export interface Outcomes {
  audit: AuditOutcome;
  look: LookOutcome;
}

const steps: Partial<Record<Outcome, Step>> = {
  dns: 'dns',
  connect: 'connect',
  tls: 'tls',
  timeout: 'timeout',
  'too-many-redirects': 'redirects',
  protocol: 'response',
  'headers-too-large': 'response',
};

/** What kept the home page from being read, or null when it was read, with whatever status. */
export function toFailure(evidence: Pick<Evidence, 'robots' | 'exchanges'>): Failure | null {
  const robots = exchangeOf(evidence, 'robots');
  const isUnreachable = evidence.robots.state === 'unreachable';
  // Without robots.txt nothing else was asked for, so its exchange tells why.
  const exchange = isUnreachable ? robots : exchangeOf(evidence, 'home');
  const sentence = exchange?.error ?? evidence.robots.error ?? 'The home page was not asked for.';
  switch (exchange?.outcome) {
    case 'refused':
    case 'redirect-refused':
      return { kind: 'refused', by: 'address', sentence };
    case 'robots-disallowed':
      return { kind: 'refused', by: 'robots', sentence };
    case 'ok':
      return isUnreachable
        ? { kind: 'unreachable', step: 'robots.txt', sentence: evidence.robots.error ?? sentence }
        : null;
    default:
      return { kind: 'unreachable', step: (exchange && steps[exchange.outcome]) ?? 'response', sentence };
  }
}
