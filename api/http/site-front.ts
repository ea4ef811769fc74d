import type { RequestHandler, Response } from 'express';
import { Problem } from '../problem.ts';
import { cacheControl, pageHeaders } from './headers.ts';
import {
  type ContentCoding,
  mediaTypes,
  negotiateCoding,
  negotiateRepresentation,
  type Representation,
} from './negotiate.ts';
import { entityTag, type SiteFiles, type StoredBody, twinAddresses } from './site-files.ts';

/** A body ready to be sent: its headers and, for each coding, its bytes and its ETag. */
interface ReadyBody {
  headers: Record<string, string>;
  coded: Partial<Record<ContentCoding, { bytes: Buffer; etag: string }>> & {
    identity: { bytes: Buffer; etag: string };
  };
}

function toReadyBody(body: StoredBody, headers: Record<string, string>): ReadyBody {
  const ready = (bytes: Buffer) => ({ bytes, etag: entityTag(bytes) });
  const { identity, br, gzip } = body.bytes;
  return {
    headers: { 'Content-Type': body.type, ...headers },
    coded: { identity: ready(identity), ...(br ? { br: ready(br) } : {}), ...(gzip ? { gzip: ready(gzip) } : {}) },
  };
}

/** Whether If-None-Match names this entity tag; the comparison is weak (RFC 9110 section 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === '*' ||
      (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag))
  );
}

/** Sends a body in the best coding that the client takes, or 304 when the client has it (RFC 9110 section 15.4.5). */
function send(request: Parameters<RequestHandler>[0], response: Response, body: ReadyBody, status = 200): void {
  const wanted = negotiateCoding(request.get('accept-encoding'));
  const coding: ContentCoding = body.coded[wanted] ? wanted : 'identity';
  const { bytes, etag } = body.coded[coding] ?? body.coded.identity;
  for (const [name, value] of Object.entries(body.headers)) {
    response.setHeader(name, value);
  }
  if (status === 200) {
    response.setHeader('ETag', etag);
    if (matches(request.get('if-none-match'), etag)) {
      response.removeHeader('Content-Type');
      response.status(304).end();
      return;
    }
  }
  if (coding !== 'identity') {
    response.setHeader('Content-Encoding', coding);
  }
  response.setHeader('Content-Length', bytes.length);
  response.status(status).end(request.method === 'HEAD' ? undefined : bytes);
}

/**
 * Serves the built site from memory: files and twins at their own addresses, pages by negotiation. Every answer is
 * prepared at start, so that a request is a look-up.
 */
export function siteFront(site: SiteFiles, baseUrl: string): { serve: RequestHandler; notFound: RequestHandler } {
  const codingVary = (body: StoredBody): string[] => (body.bytes.br || body.bytes.gzip ? ['Accept-Encoding'] : []);
  const pages = new Map<string, Record<Representation, ReadyBody>>();
  for (const [path, bodies] of site.pages) {
    const size = { html: bodies.html.bytes.identity.length, markdown: bodies.markdown.bytes.identity.length };
    const ready = (representation: Representation): ReadyBody =>
      toReadyBody(bodies[representation], {
        ...pageHeaders(baseUrl, path, representation, size),
        Vary: ['Accept', 'Accept-Encoding'].join(', '),
        'Cache-Control': cacheControl(path),
      });
    pages.set(path, { html: ready('html'), markdown: ready('markdown'), json: ready('json') });
  }
  const missing = pages.get('/404');
  if (missing === undefined) {
    throw new Error('the built site has no 404 page: run `npm run build`');
  }
  for (const representation of ['html', 'markdown', 'json'] as const) {
    missing[representation].headers['Cache-Control'] = 'no-store';
    delete missing[representation].headers['Link'];
  }
  missing.json.headers['Content-Type'] = 'application/problem+json';
  pages.delete('/404');

  const files = new Map<string, ReadyBody>();
  for (const [path, file] of site.files) {
    const vary = codingVary(file).join(', ');
    files.set(path, toReadyBody(file, { ...(vary ? { Vary: vary } : {}), 'Cache-Control': cacheControl(path) }));
  }
  for (const [address, { page, representation }] of twinAddresses(site)) {
    const twin = pages.get(page)?.[representation];
    if (twin) {
      files.set(address, twin);
    }
  }

  const serve: RequestHandler = (request, response, next) => {
    const path = decodeURIComponent(request.path);
    const page = pages.get(path);
    const file = files.get(path);
    const bare = path === '/index.html' ? '/' : path.replace(/(?:\/|\.html)$/, '');
    const elsewhere = !page && !file && bare !== path && pages.has(bare);
    if (!page && !file && !elsewhere) {
      next();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Problem('method-not-allowed', `${request.path} is read with GET or HEAD.`, {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    if (elsewhere) {
      const query = request.url.slice(request.url.split('?')[0]?.length ?? 0);
      response.setHeader('Cache-Control', cacheControl(bare));
      response.redirect(308, `${bare}${query}`);
      return;
    }
    if (file) {
      send(request, response, file);
      return;
    }
    const representation = negotiateRepresentation(request.get('accept'));
    if (representation === 'none') {
      throw new Problem('not-acceptable', `This page is ${Object.values(mediaTypes).join(', ')}. Accept one of them.`, {
        headers: { Vary: 'Accept' },
      });
    }
    const body = page?.[representation];
    if (body) {
      send(request, response, body);
    }
  };

  const notFound: RequestHandler = (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Problem(
        'not-found',
        `Nothing answers at ${request.path}. /.well-known/agents.json lists every address.`,
      );
    }
    const representation = negotiateRepresentation(request.get('accept'));
    send(request, response, missing[representation === 'none' ? 'html' : representation], 404);
  };
  return { serve, notFound };
}
