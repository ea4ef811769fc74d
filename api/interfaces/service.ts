import type { Router } from 'express';
import { toToolRegistry } from '../catalog/to-tool-registry.ts';
import type { Tool } from '../contract/tool.ts';
import { createRouter } from '../http/router.ts';

/** What is not a tool: the registry of the tools and the health of the server. */
export function serviceRoutes(tools: readonly Tool[], build: string | null): Router {
  const router = createRouter();
  const registry = toToolRegistry(tools);
  router.get('/api/tool-registry', (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.json(registry);
  });
  router.get('/api/health', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.json({ status: 'ok', build });
  });
  return router;
}
