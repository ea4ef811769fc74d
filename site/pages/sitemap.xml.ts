import type { APIRoute } from 'astro';
import { SitemapStream, streamToPromise } from 'sitemap';
import { site } from '../site.ts';
import { sitePages } from '../site-map.ts';

export const GET: APIRoute = async () => {
  const stream = new SitemapStream({ hostname: site.origin, lastmodDateOnly: true });
  for (const { path, updated } of sitePages) {
    stream.write({ url: path, lastmod: updated });
  }
  stream.end();
  return new Response((await streamToPromise(stream)).toString('utf8'));
};
