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

/**
 * Gives each request an id, sets the headers that every response has, and writes one line to the log when it is
 * answered: no address, no query, no header of the client. An id from the trusted proxy is kept.
 */
export function requestContext(options: { baseUrl: string; log: Logger }): RequestHandler {
  const headers = commonHeaders(options.baseUrl);
  return (request, response, next) => {
    const given = isFromTrustedProxy(request) ? request.get('x-request-id') : undefined;
    const requestId = given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    for (const [name, value] of Object.entries(headers)) {
      response.setHeader(name, value);
    }
    response.setHeader('X-Request-Id', requestId);
    const started = performance.now();
    const { method } = request;
    const path = request.path.slice(0, 200);
    response.once('close', () => {
      const milliseconds = Math.round((performance.now() - started) * 10) / 10;
      options.log.info({
        requestId,
        method,
        path,
        status: response.statusCode,
        milliseconds,
        complete: response.writableFinished,
      });
    });
    next();
  };
}
