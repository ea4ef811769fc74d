import type { Exchange, Outcome } from '../../fetch/exchange.ts';
import { decidingRule, type RobotsFacts, robotsOf } from '../facts/robots.ts';

/** What robots.txt of a host means for us. */
export interface RobotsStance {
  state: 'rules' | 'none' | 'unreachable';
  facts: RobotsFacts | null;
  sitemaps: string[];
  error: string | null;
}

/** Two schemes on their default ports share one robots.txt here: the upgrade from http is a single request. */
export const hostKey = (url: URL): string => (url.port === '' ? url.hostname : url.host);

/** Reads the answer to a request for /robots.txt (RFC 9309 section 2.3.1). */
export function toRobotsStance(exchange: Exchange): RobotsStance {
  const { outcome, status } = exchange;
  if (outcome === 'ok' && status !== null && status >= 200 && status < 300) {
    const facts = robotsOf(exchange);
    return { state: 'rules', facts, sitemaps: facts.sitemaps, error: null };
  }
  // 4xx, and redirects that lead nowhere, mean that there are no rules.
  if ((outcome === 'ok' && (status ?? 0) < 500) || outcome === 'too-many-redirects' || outcome === 'redirect-refused') {
    return { state: 'none', facts: null, sitemaps: [], error: null };
  }
  const error = exchange.error ?? `The robots.txt was answered with status ${status}.`;
  return { state: 'unreachable', facts: null, sitemaps: [], error };
}

/** Why a robots.txt keeps us from an address; null when it does not. */
export function forbiddenBy(stance: RobotsStance, token: string, url: URL): { outcome: Outcome; error: string } | null {
  if (stance.state === 'unreachable') {
    const error = `The robots.txt of ${url.host} could not be fetched, which counts as "Disallow: /" (RFC 9309 section 2.3.1.4).`;
    return { outcome: 'robots-disallowed', error };
  }
  const rule = stance.facts === null ? null : decidingRule(stance.facts, token, `${url.pathname}${url.search}`);
  if (rule === null || rule.allow) {
    return null;
  }
  const error = `The robots.txt of ${url.host} forbids ${url.pathname} to ${token}: line ${rule.line}, "Disallow: ${rule.pattern.slice(0, 200)}".`;
  return { outcome: 'robots-disallowed', error };
}
