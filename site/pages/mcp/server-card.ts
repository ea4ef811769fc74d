import type { APIRoute } from 'astro';
import { toServerCard } from '#api/catalog/to-mcp.ts';
import { site } from '../../site.ts';

export const GET: APIRoute = () => Response.json(toServerCard(site));
