import type { Router } from 'express';
import { Problem } from '../contract/problem.ts';
import { createRouter, toRoutePath } from '../http/router.ts';

/** An address of the API and a method that it takes. */
export interface Route {
  method: string;
  path: string;
}

/** The methods of each address, by its path in the form of the router. */
function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const byPath = Map.groupBy(routes, ({ path }) => toRoutePath(path));
  return new Map(
    [...byPath].map(([path, group]) => [
      path,
      [...new Set(group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))), 'OPTIONS'],
    ]),
  );
}

/**
 * Answers OPTIONS with the methods of an address, and the preflight of a read from another origin. It comes before the
 * routes, because a router of Express answers OPTIONS itself where it has a route.
 */
export function answerOptions(routes: readonly Route[]): Router {
  const router = createRouter();
  for (const [path, methods] of methodsByPath(routes)) {
    router.options(path, (_request, response) => {
      response.setHeader('Allow', methods.join(', '));
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
      response.setHeader('Access-Control-Allow-Headers', '*');
      response.setHeader('Access-Control-Max-Age', '600');
      response.status(204).end();
    });
  }
  return router;
}

/** Refuses every other method of an address with 405 and `Allow` (RFC 9110 section 15.5.6). */
export function refuseOtherMethods(routes: readonly Route[]): Router {
  const router = createRouter();
  for (const [path, methods] of methodsByPath(routes)) {
    router.all(path, (request, _response, next) => {
      if (methods.includes(request.method)) {
        next();
        return;
      }
      const allow = methods.join(', ');
      throw new Problem('method-not-allowed', `${request.path} takes ${allow}.`, { headers: { Allow: allow } });
    });
  }
  return router;
}
