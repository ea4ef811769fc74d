import { Router } from 'express';
import { Problem } from '../contract/problem.ts';

/** An address of the API and a method that it takes. */
export interface Route {
  method: string;
  path: string;
}

/** The value of `Allow` for each address, by its path in the form of the router. */
function allowed(routes: readonly Route[]): Map<string, string> {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1');
    const set = methods.get(pattern) ?? new Set<string>();
    set.add(method);
    if (method === 'GET') {
      set.add('HEAD');
    }
    methods.set(pattern, set);
  }
  return new Map([...methods].map(([pattern, set]) => [pattern, [...set, 'OPTIONS'].join(', ')]));
}

/**
 * Answers OPTIONS with the methods of an address, and the preflight of a read from another origin. It stands before the
 * routes, because a router of Express answers OPTIONS itself where it has a route.
 */
export function answerOptions(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [pattern, allow] of allowed(routes)) {
    router.options(pattern, (_request, response) => {
      response.setHeader('Allow', allow);
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.setHeader('Access-Control-Max-Age', '600');
      response.status(204).end();
    });
  }
  return router;
}

/** Refuses every method that no route took with 405 and `Allow` (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [pattern, allow] of allowed(routes)) {
    router.all(pattern, (request) => {
      throw new Problem('method-not-allowed', `${request.path} takes ${allow}.`, { headers: { Allow: allow } });
    });
  }
  return router;
}
