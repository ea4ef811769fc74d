import type { APIRoute } from 'astro';
import { toAgentsJson } from '#api/catalog/to-agents-json.ts';
import { manifestSource } from '../../manifest.ts';

export const GET: APIRoute = () => Response.json(toAgentsJson(manifestSource()));
