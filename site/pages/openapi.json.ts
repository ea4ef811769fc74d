import type { APIRoute } from 'astro';
import { endpoints } from '#api/registry/endpoints.ts';
import { plainOperations } from '#api/registry/operations.ts';
import { toOpenApi } from '#api/registry/to-openapi.ts';
import { registryVersion } from '#api/registry/to-tool-registry.ts';
import { tools } from '#api/registry/tools/index.ts';
import { site } from '../site.ts';

export const GET: APIRoute = () =>
  Response.json(toOpenApi({ ...site, version: registryVersion }, tools, plainOperations, endpoints));
