import type { APIRoute } from 'astro';
import { toApiCatalog } from '#api/catalog/to-catalogs.ts';
import { site } from '../../site.ts';

export const GET: APIRoute = () => Response.json(toApiCatalog(site));
