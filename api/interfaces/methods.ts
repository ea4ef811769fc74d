import type { Router } from 'express';
import { datasets } from '#almanac/datasets/index.ts';
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

/**
 * Leads a read of the API at an address in other letters or with a slash behind it to the one it means; a dataset may go by its
 * id. It comes after all routes.
 */
export function redirectReads(routes: readonly Route[]): Router {
  const known = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`));
  const router = createRouter();
  // No route of the router: that would answer OPTIONS, too, and be what metrics name unknown addresses by.
  router.use((request, response, next) => {
    const lower = request.path.toLowerCase().replace(/\/+$/, '');
    const named = datasets.find(({ id }) => lower === `/api/${id}` || lower.startsWith(`/api/${id}/`));
    const meant = named === undefined ? lower : lower.replace(`/api/${named.id}`, `/api/${named.path}`);
    const isRead = /^(?:GET|HEAD)$/.test(request.method);
    if (!isRead || meant === request.path || !known.some((pattern) => pattern.test(meant))) {
      next();
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Location', `${meant}${request.url.slice(request.path.length)}`);
    response.status(308).end();
  });
  return router;
}
