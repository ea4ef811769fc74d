import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { commonHeaders } from './headers.ts';

/** The id of the request that a response answers. */
export const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/** Whether a request came straight from the trusted proxy, so that what the proxy says of it is believed. */
function isFromTrustedProxy(request: Request): boolean {
  const trusts = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return trusts(request.socket.remoteAddress ?? '', 0);
}

/** The path of a request target, as it is written to the log. */
const pathOf = (url: string): string => (url.split('?', 1)[0] ?? '').slice(0, 200);

/**
 * Gives each request an id, sets the headers that every response has, and writes one line to the log when it is
 * answered: no address, no query, no header of the client. An id from the trusted proxy is kept.
 */
export function requestContext(options: { baseUrl: string; log: Logger }): RequestHandler {
  const headers = Object.entries(commonHeaders(options.baseUrl));
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const isGiven = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) && isFromTrustedProxy(request);
    const requestId = isGiven ? given : randomUUID();
    for (const [name, value] of headers) {
      response.setHeader(name, value);
    }
    response.setHeader('X-Request-Id', requestId);
    const started = performance.now();
    const { method } = request;
    // Kept now: a router shortens the request's own while it passes it on.
    const { url } = request;
    response.once('close', () => {
      const milliseconds = Math.round((performance.now() - started) * 10) / 10;
      options.log.info({
        requestId,
        method,
        path: pathOf(url),
        status: response.statusCode,
        milliseconds,
        complete: response.writableFinished,
      });
    });
    next();
  };
}
