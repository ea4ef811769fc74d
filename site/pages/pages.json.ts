import type { APIRoute } from 'astro';
import { absolute, site } from '../site.ts';
import { sitePages, twinPaths } from '../site-map.ts';

/** Every page with its twins, which the manifest leads to and has no room for. */
export const GET: APIRoute = () =>
  Response.json({
    name: `${site.name}: every page`,
    url: absolute('/pages.json'),
    count: sitePages.length,
    pages: sitePages.map(({ path, title, updated }) => {
      const { markdown, json } = twinPaths(path);
      return { href: absolute(path), title, updated, twins: { markdown: absolute(markdown), json: absolute(json) } };
    }),
  });
