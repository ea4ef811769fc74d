import { estimateTokens } from '../text/token-estimate.ts';
import type { Representation } from './negotiate.ts';

/** Headers of every response, of pages and API alike. */
export function commonHeaders(baseUrl: string): Record<string, string> {
  return {
    'X-Agent-Welcome': `${baseUrl}/llms.txt`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      ...(baseUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'tools=(self), camera=(), geolocation=(), microphone=(), payment=()',
    'Origin-Agent-Cluster': '?1',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}

/** Reads are open to other origins. */
export const readCorsHeaders: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Expose-Headers':
    'ETag, Link, PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-Agent-Welcome, X-Bytes-Saved, X-Markdown-Tokens, X-Payment-Response, X-Request-Id',
};

/** How long a response may be reused: what is named by its content for a year, everything else for five minutes. */
export const cacheControl = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=300';

/** A live page may be kept and must be asked for again: it changes when its data does. */
export const liveCacheControl = 'no-cache';

/** The Link header of a page's HTML (RFC 8288): its twins, the index and the descriptions of the API. */
export const htmlLinks = (origin: string, stem: string): string =>
  [
    `<${origin}${stem}.md>; rel="alternate"; type="text/markdown"`,
    `<${origin}${stem}.json>; rel="alternate"; type="application/json"`,
    `<${origin}/llms.txt>; rel="describedby"; type="text/markdown"`,
    `<${origin}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
    `<${origin}/openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json"`,
    `<${origin}/developers>; rel="service-doc"; type="text/html"`,
    `<${origin}/.well-known/ard.json>; rel="ard"; type="application/json"`,
    `<${origin}/.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"`,
  ].join(', ');

/** The Link header of a twin: the page that it is a twin of, and the index. */
export const twinLinks = (origin: string, path: string): string =>
  `<${origin}${path}>; rel="canonical", <${origin}/llms.txt>; rel="describedby"; type="text/markdown"`;

/** Link headers of single files: the API catalog names itself, to HEAD as well (RFC 9727 section 2). */
export const fileLinks = (origin: string): Record<string, string> => ({
  '/.well-known/api-catalog': `<${origin}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
});

/** What a page that is chosen by negotiation depends on. */
export const pageVary = 'Accept, Accept-Encoding';

/** The media type of each representation of a page, as it is sent. */
export const pageTypes: Record<Representation, string> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
};

/**
 * The header in which the worker at a CDN's edge says whose request it passes on: the secret it shares with the server,
 * a space, the address.
 */
export const edgeClientHeader = 'X-Edge-Client';

/** The headers that a representation of a page has beyond those of every response. */
export function pageHeaders(
  origin: string,
  path: string,
  representation: Representation,
  size: { html: number; markdown: number },
): Record<string, string> {
  const stem = path === '/' ? '/index' : path;
  if (representation === 'html') {
    return { Link: htmlLinks(origin, stem) };
  }
  return {
    Link: twinLinks(origin, path),
    ...(representation === 'markdown'
      ? {
          'X-Bytes-Saved': String(size.html - size.markdown),
          'X-Markdown-Tokens': String(estimateTokens(size.markdown)),
        }
      : {}),
  };
}
