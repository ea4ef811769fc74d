import type { APIRoute } from 'astro';
import { toAiCatalog } from '#api/catalog/to-catalogs.ts';
import { siteUpdated } from '../../manifest.ts';
import { site } from '../../site.ts';
import { skills } from '../../skills.ts';

export const GET: APIRoute = () => Response.json(toAiCatalog(site, skills, `${siteUpdated}T00:00:00Z`));
