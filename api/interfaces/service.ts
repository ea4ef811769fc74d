import type { Router } from 'express';
import { toToolRegistry } from '../catalog/to-tool-registry.ts';
import type { Tool } from '../contract/tool.ts';
import { toReadyJson } from '../http/ready-json.ts';
import { createRouter } from '../http/router.ts';
import { send } from '../http/static-site.ts';

/** What is not a tool: the registry of the tools and the health of the server. */
export function serviceRoutes(tools: readonly Tool[], build: string | null): Router {
  const router = createRouter();
  const registry = toReadyJson(JSON.stringify(toToolRegistry(tools)), 'public, max-age=300', 11);
  router.get('/api/tool-registry', (request, response) => send(request, response, registry));
  router.get('/api/health', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.json({ status: 'ok', build });
  });
  return router;
}
