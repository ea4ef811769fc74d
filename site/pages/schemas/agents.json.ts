import type { APIRoute } from 'astro';
import { z } from 'zod';
import { AgentsManifest } from '#api/catalog/to-agents-json.ts';

export const GET: APIRoute = () => Response.json(z.toJSONSchema(AgentsManifest));
