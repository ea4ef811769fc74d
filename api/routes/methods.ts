import { Router } from 'express';
import { Problem } from '../problem.ts';

/** An address of the API and a method that it takes. */
export interface Route {
  method: string;
  path: string;
}

/** Answers OPTIONS with the methods of an address, and refuses every other method with 405 and `Allow`. */
export function methodRoutes(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const pattern = path.replace(/\{(\w+)\}/g, ':$1');
    const set = methods.get(pattern) ?? new Set<string>();
    set.add(method);
    if (method === 'GET') {
      set.add('HEAD');
    }
    methods.set(pattern, set.add('OPTIONS'));
  }
  for (const [pattern, allowed] of methods) {
    const allow = [...allowed].join(', ');
    router.all(pattern, (request, response) => {
      if (request.method === 'OPTIONS') {
        response.setHeader('Allow', allow);
        response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
        response.setHeader('Access-Control-Max-Age', '600');
        response.status(204).end();
        return;
      }
      throw new Problem('method-not-allowed', `${request.path} takes ${allow}.`, { headers: { Allow: allow } });
    });
  }
  return router;
}
