import { Problem } from '../contract/problem.ts';
import { decodedPath } from '../http/address.ts';
import { checkAnnouncedBody, checkTarget } from '../http/check-request.ts';
import { commonHeaders, readCorsHeaders } from '../http/headers.ts';
import { isTracking } from '../http/query.ts';
import { away, type EdgeHost, type Exchange, failed, header, isRead, sendProblem } from './answers.ts';
import { openEdgeFiles } from './files.ts';
import type { EdgeManifest } from './manifest.ts';
import { askOrigin } from './origin.ts';

/** Answers a request at a CDN's edge. */
export type EdgeFront = (request: Request, host: EdgeHost) => Promise<Response>;

/** How long the origin may take for a page for which another stands in, and for everything else, an audit included. */
const patienceSeconds = { page: 10, rest: 150 };

/** Makes the front: exactly what the server answers for the built site, from its files, and the origin for all else. */
export function createEdgeFront(manifest: EdgeManifest): EdgeFront {
  const { baseUrl } = manifest;
  const common = commonHeaders(baseUrl);
  const files = openEdgeFiles(manifest);
  const live = new Set(manifest.livePages);
  const narrowed = new Set(manifest.narrowedPages);
  const forms = new Set(manifest.formPages);
  const originPaths = new Set(manifest.originPaths);
  const originPrefixes = manifest.originPaths.filter((path) => path.endsWith('/'));

  /** Whether a query asks a page for what only the origin can make: an answer, some of its records, a section. */
  const asks = (exchange: Exchange, page: string | undefined): boolean => {
    if (page === undefined || !isRead(exchange.request)) {
      return false;
    }
    const names = [...exchange.url.searchParams.keys()].filter((name) => !isTracking(name));
    if (live.has(page)) {
      return names.length > 0;
    }
    const isSection = names.includes('section') && files.representationFor(exchange) === 'markdown';
    // The words that a script looks for in a list stay in the browser.
    return isSection || (narrowed.has(page) && names.some((name) => name !== 'q' && name !== 'section'));
  };

  const answer = async (exchange: Exchange): Promise<Response> => {
    const { request, host, path, url } = exchange;
    checkTarget(`${url.pathname}${url.search}`);
    checkAnnouncedBody(header(exchange, 'content-length'));
    const page = files.pageOf(path);
    const isOrigins =
      originPaths.has(path) ||
      originPrefixes.some((prefix) => path.startsWith(prefix)) ||
      (forms.has(path) && !isRead(request)) ||
      asks(exchange, page);
    const isLive = page !== undefined && live.has(page);
    if (!isLive && !isOrigins) {
      return files.serve(exchange);
    }
    const isReplaceable = !isOrigins;
    const given = await askOrigin(request, url, {
      origin: host.origin,
      seconds: isReplaceable && isRead(request) ? patienceSeconds.page : patienceSeconds.rest,
      isCoded: host.acceptEncoding !== null,
      isReplaceable,
    });
    if (given !== null) {
      return given;
    }
    if (!isReplaceable) {
      throw away();
    }
    return files.serve(exchange, 'no-store');
  };

  return async (request, host) => {
    const url = new URL(request.url);
    const opens = isRead(request) || request.method === 'OPTIONS';
    const exchange: Exchange = {
      ...{ request, host, url, path: decodedPath(url.pathname) },
      common: { ...common, 'X-Request-Id': crypto.randomUUID(), ...(opens ? readCorsHeaders : {}) },
    };
    try {
      return await answer(exchange);
    } catch (error) {
      return sendProblem(exchange, error instanceof Problem ? error : failed(), baseUrl);
    }
  };
}
