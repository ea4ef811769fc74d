import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { edgeClientHeader } from './headers.ts';

const name = edgeClientHeader.toLowerCase();

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes the header away, so that nothing repeats the secret: neither the echo of a request nor a signature's base. */
function removeHeader(request: Request): void {
  delete request.headers[name];
  const { rawHeaders } = request;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === name) {
      rawHeaders.splice(index, 2);
    }
  }
}

/**
 * Believes the worker at a CDN's edge, which shares a secret with this server, whose request it passes on: the client's address
 * is the one that it names, and the host the site's own. Without the right secret the header says nothing.
 */
export function trustEdge({ edgeSecret, baseUrl }: { edgeSecret: string | null; baseUrl: string }): RequestHandler {
  const expected = edgeSecret === null ? null : digest(edgeSecret);
  const { host } = new URL(baseUrl);
  return (request, _response, next) => {
    const given = request.headers[name];
    if (given !== undefined) {
      removeHeader(request);
      const [, secret = '', address = ''] = /^(\S+) (\S+)$/.exec(String(given)) ?? [];
      if (expected !== null && isIP(address) !== 0 && timingSafeEqual(digest(secret), expected)) {
        Object.defineProperty(request, 'ip', { value: address, configurable: true });
        request.headers.host = host;
      }
    }
    next();
  };
}
