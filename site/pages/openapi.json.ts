import type { APIRoute } from 'astro';
import { endpoints } from '#api/catalog/endpoints.ts';
import { httpOnlyOperations } from '#api/catalog/operations.ts';
import { toOpenApi } from '#api/catalog/to-openapi.ts';
import { registryVersion } from '#api/catalog/to-tool-registry.ts';
import { tools } from '#api/catalog/tools.ts';
import { site } from '../site.ts';

export const GET: APIRoute = () =>
  Response.json(toOpenApi({ ...site, version: registryVersion }, tools, httpOnlyOperations, endpoints));
