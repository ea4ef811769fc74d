import type { APIRoute } from 'astro';
import { toSkillIndex } from '#api/catalog/to-catalogs.ts';
import { site } from '../../../site.ts';
import { skills } from '../../../skills.ts';

export const GET: APIRoute = () => Response.json(toSkillIndex(site, skills));
