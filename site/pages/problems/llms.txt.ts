import type { APIRoute } from 'astro';
import { sectionIndex } from '../../section-index.ts';
import { pageAt } from '../../site-map.ts';

export const GET: APIRoute = () => sectionIndex(pageAt('/problems'));
