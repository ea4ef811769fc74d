import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';

/** Host names that no stranger's DNS can point here: an address is what it is, and localhost is asked of nobody. */
const isUnforgeable = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost' || hostname.endsWith('.localhost');

/** The name in a Host header, without its port; null when it is none. */
const hostnameOf = (host: string | undefined): string | null => URL.parse(`http://${host ?? ''}`)?.hostname ?? null;

/** True for the name of the site, and for those under which a browser can only have meant this machine. */
function isOwnHost(host: string | undefined, baseUrl: string): boolean {
  const hostname = hostnameOf(host);
  return hostname !== null && (hostname === new URL(baseUrl).hostname || isUnforgeable(hostname));
}

/**
 * True for the site's own origin, and for the one under which the machine itself is asked, such as a mapped port. The
 * Origin isn't compared with any Host, which a rebound name would match.
 */
function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string): boolean {
  if (origin === new URL(baseUrl).origin) {
    return true;
  }
  const url = URL.parse(origin);
  return url !== null && url.host === host && isUnforgeable(url.hostname);
}

/**
 * Refuses a write that a page of another site sends through a visitor's browser: it would write in the visitor's name and
 * from the visitor's address. Browsers say where a request comes from in Sec-Fetch-Site and Origin; programs that are no
 * browsers send neither and are let through, since they act for nobody else.
 */
export const refuseCrossSite =
  (baseUrl: string): RequestHandler =>
  (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') {
      next();
      return;
    }
    const site = request.get('sec-fetch-site');
    const origin = request.get('origin');
    const host = request.get('host');
    // A page that sends no referrer sends its own forms with the origin "null".
    const isFromHere =
      origin === undefined ||
      isOwnOrigin(origin, host, baseUrl) ||
      (origin === 'null' && site === 'same-origin' && isOwnHost(host, baseUrl));
    if (!isFromHere || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
      const from = (site === undefined || site === 'same-origin' || site === 'none' ? origin : site)?.slice(0, 100);
      throw new Problem(
        'cross-site-form',
        `The request was sent by a page of another site (${from}). Send it from a page of ${baseUrl}, or from a program, which sends no Origin.`,
      );
    }
    next();
  };

/** Paths where the Host decides whether anybody is answered. */
export const hostGuardedPaths = /^\/(?:api|audit|directory|mcp)(?:[./].*)?$/;

/**
 * Refuses requests for another host, where the service may audit hosts that only its operator reaches: a page of a
 * stranger whose name was pointed at this machine meanwhile (DNS rebinding) would read the reports.
 */
export const refuseOtherHosts =
  ({ baseUrl, auditAllowHosts, host }: { baseUrl: string; auditAllowHosts: readonly string[]; host: string }) =>
  (...[request, _response, next]: Parameters<RequestHandler>): void => {
    const asked = request.get('host');
    if (auditAllowHosts.length > 0 && asked !== undefined && !isOwnHost(asked, baseUrl) && hostnameOf(asked) !== host) {
      throw new Problem(
        'invalid-request',
        `${asked.slice(0, 100)} is not served here. Ask for ${baseUrl}, or set BASE_URL to the name that is used.`,
      );
    }
    next();
  };
