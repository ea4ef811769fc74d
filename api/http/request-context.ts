import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
 * Says once that a proxy seems to be in front and isn't trusted: everybody behind it then counts as one client, and the limits
 * are used up for all of them.
 */
export function warnOfUntrustedProxy(log: Logger): RequestHandler {
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      log.warn(
        'A request came with X-Forwarded-For, and no proxy is trusted: everybody behind a proxy counts as one client. ' +
          'If a proxy of yours is in front of this service, set TRUST_PROXY to its address, such as loopback.',
      );
    }
    next();
  };
}

/** The path of a request target, as it is written to the log. */
const pathOf = (url: string): string => (url.split('?', 1)[0] ?? '').slice(0, 200);

/** A request that was answered, as the log and the metrics have it. */
export interface AnsweredRequest {
  /** The template of the route, `site` for a built page or file, `none` for what there is not. */
  route: string;
  method: string;
  status: number;
  milliseconds: number;
  /** Length of the body, where it was declared. */
  bytes: number | null;
  /** Whether the client took all of it. */
  complete: boolean;
}

/** The template of the route that answered. */
function routeOf(request: Request, status: number): string {
  const path: unknown = request.route?.path;
  const first: unknown = Array.isArray(path) ? path[0] : path;
  return first instanceof RegExp ? first.source : typeof first === 'string' ? first : status === 404 ? 'none' : 'site';
}

/** The ids of a traceparent header (W3C Trace Context), by which the log is joined to a trace. */
function traceOf(request: IncomingMessage): { traceId?: string; spanId?: string } {
  const [, traceId, spanId] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(request.headers['traceparent'])) ??
    [];
  return traceId === undefined || spanId === undefined ? {} : { traceId, spanId };
}

/** What the context of each request is made with. */
export interface ContextOptions {
  baseUrl: string;
  log: Logger;
  observe?: (request: AnsweredRequest) => void;
}

/** What only an answer tells of itself, asked for when it's closed. */
export interface AnsweredAs {
  route(status: number): string;
  /** Length of the body, where the answer declares it. */
  length(): number | null;
}

/**
 * Writes one line to the log when a request is answered: no address, no query, no header of the client. Called when the
 * request comes. Does nothing where neither the log nor the metrics take it.
 */
export type WatchRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  as: AnsweredAs,
) => void;

export function createRequestWatch(options: Omit<ContextOptions, 'baseUrl'>): WatchRequest {
  return (request, response, requestId, as) => {
    if (options.observe === undefined && !options.log.isLevelEnabled('info')) {
      return;
    }
    const started = performance.now();
    // Kept now: a router shortens the request's own while it passes it on.
    const { method = '', url = '' } = request;
    response.once('close', () => {
      const answered: AnsweredRequest = {
        route: as.route(response.statusCode),
        method,
        status: response.statusCode,
        milliseconds: Math.round((performance.now() - started) * 10) / 10,
        bytes: method === 'HEAD' ? null : as.length(),
        complete: response.writableFinished,
      };
      options.log.info({ requestId, path: pathOf(url), ...answered, ...traceOf(request) });
      options.observe?.(answered);
    });
  };
}

/** The length that a response declares in its headers. */
function declaredLength(response: ServerResponse): number | null {
  const length = Number(response.getHeader('Content-Length') ?? Number.NaN);
  return Number.isNaN(length) ? null : length;
}

/**
 * Begins each request, under an id of its own or the one that the trusted proxy gave it, with the headers that every response
 * has.
 */
export function requestContext(options: ContextOptions): RequestHandler {
  const watch = createRequestWatch(options);
  const headers = Object.entries(commonHeaders(options.baseUrl));
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const isGiven = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) && isFromTrustedProxy(request);
    const requestId = isGiven ? given : randomUUID();
    for (const [name, value] of headers) {
      response.setHeader(name, value);
    }
    response.setHeader('X-Request-Id', requestId);
    watch(request, response, requestId, {
      route: (status) => routeOf(request, status),
      length: () => declaredLength(response),
    });
    next();
  };
}
