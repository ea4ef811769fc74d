import { Problem, toProblemDocument } from '../contract/problem.ts';
import { problemType } from '../contract/problem-types.ts';
import { isAllowed, isKnown } from '../http/conditional.ts';
import { pageTypes } from '../http/headers.ts';
import { type ContentCoding, negotiateCoding } from '../http/negotiate.ts';
import { toProblemPage } from '../http/problem-page.ts';
import { preconditionFailed } from '../http/site-problems.ts';
import { wantsPage } from '../http/wants-page.ts';
import type { EntityTags } from './manifest.ts';
import type { Origin } from './origin.ts';

/** What the host of the worker does for it. */
export interface EdgeHost {
  /** The bytes of a built file, by its path below the folder of the site. */
  readFile(file: string): Promise<Response>;
  /** The Accept-Encoding of the client; null where the host codes what is sent, so that it's given plain bytes. */
  acceptEncoding: string | null;
  /** The service behind the worker; null when none is set. */
  origin: Origin | null;
}

/** A body of the built site, with the headers that are its own. */
export interface StoredBody {
  file: string;
  tags: EntityTags;
  headers: Record<string, string>;
  status?: number;
}

const codingEndings: Record<ContentCoding, string> = { identity: '', br: '.br', gzip: '.gz' };

/** Entity tags by coding, without their quotes. */
export function tagsOf(tags: EntityTags): Partial<Record<ContentCoding, string>> & { identity: string } {
  const [identity = '', br, gzip] = tags.split(',');
  return { identity, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) };
}

/** The length in bytes that an entity tag states. */
export const lengthOf = (tag: string): number => Number.parseInt(tag.slice(tag.indexOf('-') + 1), 16);

/** Whether a request only reads. */
export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

const retryAfterSeconds = 5;

/** That the service behind the worker doesn't answer. */
export const away = (): Problem => {
  const { when, remedy } = problemType('unavailable');
  return new Problem('unavailable', `${when} ${remedy}`, { headers: { 'Retry-After': String(retryAfterSeconds) } });
};

/** That the worker itself failed. */
export const failed = (): Problem =>
  new Problem('internal-error', 'The service failed at this request. Report it with the request_id.');

/** One request on its way through the front. */
export interface Exchange {
  request: Request;
  host: EdgeHost;
  url: URL;
  /** Without its percent-encoding. */
  path: string;
  /** The headers of every answer that the front gives itself. */
  common: Record<string, string>;
}

/** A header of the request, by its name in lower case. */
export const header = ({ request }: Exchange, name: string): string | undefined =>
  request.headers.get(name) ?? undefined;

export async function sendBody(exchange: Exchange, body: StoredBody): Promise<Response> {
  const { request, host } = exchange;
  const { status = 200 } = body;
  const tags = tagsOf(body.tags);
  const wanted = host.acceptEncoding === null ? 'identity' : negotiateCoding(host.acceptEncoding);
  const coding = tags[wanted] === undefined ? 'identity' : wanted;
  const tag = tags[coding] ?? tags.identity;
  const etag = `"${tag}"`;
  const headers: Record<string, string> = { ...exchange.common, ...body.headers };
  if (status === 200) {
    if (!isAllowed(header(exchange, 'if-match'), etag)) {
      throw preconditionFailed(etag);
    }
    headers['ETag'] = etag;
    if (isKnown(header(exchange, 'if-none-match'), etag)) {
      delete headers['Content-Type'];
      return new Response(null, { status: 304, headers });
    }
  }
  if (coding !== 'identity') {
    headers['Content-Encoding'] = coding;
  }
  headers['Content-Length'] = String(lengthOf(tag));
  // `encodeBody` is Cloudflare's: the bytes are coded already.
  const init = { status, headers, encodeBody: coding === 'identity' ? 'automatic' : 'manual' };
  if (request.method === 'HEAD') {
    return new Response(null, init);
  }
  const stored = await host.readFile(`${body.file}${codingEndings[coding]}`);
  if (!stored.ok) {
    throw away();
  }
  return new Response(stored.body, init);
}

/** The answer that a problem is: problem+json, or the page of its type to a client that asks for pages. */
export async function sendProblem(exchange: Exchange, problem: Problem, baseUrl: string): Promise<Response> {
  const { request, host, path, common } = exchange;
  const document = toProblemDocument(problem, {
    baseUrl,
    path: exchange.url.pathname.slice(0, 200),
    requestId: common['X-Request-Id'] ?? '',
  });
  const headers: Record<string, string> = {
    ...common,
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    ...problem.headers,
  };
  const send = (type: string, text: string): Response => {
    const bytes = new TextEncoder().encode(text);
    Object.assign(headers, { 'Content-Type': type, 'Content-Length': String(bytes.length) });
    return new Response(request.method === 'HEAD' ? null : bytes, { status: problem.status, headers });
  };
  const isMissingTwin = problem.slug === 'not-found' && path.endsWith('.json');
  if (!isMissingTwin && wantsPage(header(exchange, 'accept'))) {
    const page = await host.readFile(`problems/${problem.slug}.html`);
    if (page.ok) {
      return send(pageTypes.html, toProblemPage(await page.text(), document));
    }
  }
  return send('application/problem+json', JSON.stringify(document));
}
