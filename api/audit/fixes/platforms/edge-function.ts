import type { SiteBrief } from '../site-brief.ts';
import { hstsValue, pageLifetime, type ServerNeeds, siteLinks } from './platform.ts';

const linkToTwin = `  headers.append('Vary', 'Accept');
  if (twin !== null && media === 'text/html' && copy.ok) {
    headers.append('Link', '<' + twin + '>; rel="alternate"; type="text/markdown"');
  }
`;

/**
 * What runs at the edge of a static host, in front of its files. `assets` asks the host for a file and is the only part
 * that differs between hosts.
 */
export const edgeFunction = (
  site: SiteBrief,
  needs: ServerNeeds,
): string => `/** Answers a request from the host's files: markdown when it is preferred and there, and the headers that agents read. */
export async function answer(request, assets) {
  const url = new URL(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
${
  needs.negotiation
    ? `  const twin = isRead ? twinPath(url.pathname) : null;
  if (twin !== null && prefersMarkdown(request.headers.get('Accept'))) {
    const found = await assets(new Request(new URL(twin, url), request));
    if (found.ok || found.status === 304) return dress(found, 'text/markdown; charset=utf-8');
  }
  const page = await assets(request);
  if (page.status === 404 && isRead && prefersMarkdown(request.headers.get('Accept'))) {
    const help = await assets(new Request(new URL('/404.md', url), { method: request.method }));
    if (help.ok) return dress(new Response(help.body, { status: 404, headers: help.headers }), 'text/markdown; charset=utf-8');
  }
  return dress(page, null, twin);`
    : '  return dress(await assets(request));'
}
}

function dress(response, type = null, twin = null) {
  const copy = new Response(response.body, response);
  const { headers } = copy;
  if (type !== null) headers.set('Content-Type', type);
  const media = (headers.get('Content-Type') ?? '').split(';')[0].trim();
${needs.negotiation ? linkToTwin : ''}  if (/^text\\/(html|markdown|plain|xml)$|^application\\/(xml|json)$/.test(media)) {
    headers.set('Cache-Control', '${pageLifetime}');
    headers.append('Link', '${siteLinks(site)}');
  }
  headers.set('X-Content-Type-Options', 'nosniff');
${needs.hsts ? `  headers.set('Strict-Transport-Security', '${hstsValue}');\n` : ''}  return copy;
}
`;
