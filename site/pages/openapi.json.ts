import type { APIRoute } from 'astro';
import { endpoints } from '#api/catalog/endpoints.ts';
import { httpOnlyOperations } from '#api/catalog/operations.ts';
import { toOpenApi } from '#api/catalog/to-openapi.ts';
import { tools } from '#api/catalog/tools.ts';
import { version } from '#api/version.ts';
import { site } from '../site.ts';

export const GET: APIRoute = () => Response.json(toOpenApi({ ...site, version }, tools, httpOnlyOperations, endpoints));
