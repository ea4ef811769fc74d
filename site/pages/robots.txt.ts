import type { APIRoute } from 'astro';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import { toRobotsTxt } from '#api/catalog/to-robots-txt.ts';
import { site } from '../site.ts';

/** One group for each crawler of the almanac that has a robots token; a token that two records share counts once. */
const robotsTokens = [...new Set(crawlers.records.flatMap(({ robots_token }) => robots_token ?? []))];

export const GET: APIRoute = () => new Response(toRobotsTxt(site.origin, robotsTokens));
