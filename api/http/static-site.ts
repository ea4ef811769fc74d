import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Pages, ReadPage } from '../contract/pages.ts';
import { Problem } from '../contract/problem.ts';
import type { Representations } from '../render/representations.ts';
import { markdownSection, noSuchSection } from '../text/markdown-section.ts';
import { decodedPath, meantAddress } from './address.ts';
import { compressAs, type Effort } from './compress.ts';
import { isAllowed, isKnown } from './conditional.ts';
import { sendProblem } from './errors.ts';
import { cacheControl, fileLinks, liveCacheControl, pageHeaders, pageTypes, pageVary } from './headers.ts';
import { headsOf } from './heads.ts';
import {
  type ContentCoding,
  negotiateCoding,
  negotiateMissing,
  negotiateRepresentation,
  type Representation,
} from './negotiate.ts';
import { createPreparations, type Preparations } from './preparations.ts';
import { queryOf } from './query.ts';
import { type Form, type Forms, type SiteFiles, type StoredBody, toForm, twinAddresses } from './site-files.ts';
import { methodNotAllowed, notAcceptable, nothingThere, preconditionFailed } from './site-problems.ts';

/** A body ready to be sent: its headers and its form in each coding. */
export interface ReadyBody {
  headers: Record<string, string>;
  coded: Forms;
  /** Makes a coded form, kept in `coded`, when it's first asked for; absent when all there are were made before. */
  code?(coding: 'br' | 'gzip'): Promise<void>;
  /** The codings that somebody has read it in; absent when all there are were made before. */
  read?: Set<ContentCoding>;
}

/**
 * Makes a body ready that's compressed when somebody first reads it in that coding. What doesn't change meanwhile is
 * worth more `effort`.
 */
export function toLiveBody(
  content: string | Uint8Array,
  headers: Record<string, string>,
  effort: Effort = 5,
): ReadyBody {
  const identity = Buffer.from(content);
  const coded: Forms = { identity: toForm(identity) };
  const making = new Map<string, Promise<void>>();
  return {
    headers,
    coded,
    read: new Set(),
    code(coding) {
      const made =
        making.get(coding) ??
        compressAs(coding, identity, effort).then((bytes) => {
          coded[coding] = bytes === null ? coded.identity : toForm(bytes);
        });
      making.set(coding, made);
      return made;
    },
  };
}

/**
 * Codes a body as the one before it was read, so that taking its place holds up no reader: compressing takes longer than a
 * hundred answers.
 */
export async function codeLike(body: ReadyBody, before: ReadyBody | undefined): Promise<void> {
  await Promise.all(
    [...(before?.read ?? [])].map((coding) => (coding === 'identity' ? undefined : body.code?.(coding))),
  );
}

/** Makes a body ready to be sent. */
export function toReadyBody({ type, forms }: StoredBody, headers: Record<string, string>): ReadyBody {
  return { headers: { 'Content-Type': type, ...headers }, coded: forms };
}

/** What a request for a body is answered with. */
export interface ReadyAnswer {
  status: number;
  /** Names and values in turn; the same list each time for the same form of a body. */
  headers: readonly string[];
  bytes: Buffer | undefined;
  /** The length that the headers tell, in bytes; null when they tell none. */
  length: number | null;
}

/**
 * Answers with a body in the best coding that the client takes, or with 304 when the client has it (RFC 9110 section 15.4.5).
 * Gives a promise when its bytes have to be made or read first.
 */
export function toReadyAnswer(
  request: IncomingMessage,
  body: ReadyBody,
  status = 200,
): ReadyAnswer | Promise<ReadyAnswer> {
  const wanted = negotiateCoding(request.headers['accept-encoding']?.toString());
  body.read?.add(wanted);
  if (body.code !== undefined && wanted !== 'identity' && body.coded[wanted] === undefined) {
    return body.code(wanted).then(() => toCodedAnswer(request, body, wanted, status));
  }
  return toCodedAnswer(request, body, wanted, status);
}

function toCodedAnswer(
  request: IncomingMessage,
  body: ReadyBody,
  wanted: ContentCoding,
  status: number,
): ReadyAnswer | Promise<ReadyAnswer> {
  const form = body.coded[wanted] ?? body.coded.identity;
  const { full, tagged, notModified } = headsOf(body, form, wanted);
  if (status !== 200) {
    return withBytes(request, form, { status, headers: full });
  }
  if (!isAllowed(request.headers['if-match'], form.etag)) {
    throw preconditionFailed(form.etag);
  }
  if (isKnown(request.headers['if-none-match'], form.etag)) {
    return { status: 304, headers: notModified, bytes: undefined, length: null };
  }
  return withBytes(request, form, { status, headers: tagged });
}

function withBytes(
  request: IncomingMessage,
  form: Form,
  head: Pick<ReadyAnswer, 'status' | 'headers'>,
): ReadyAnswer | Promise<ReadyAnswer> {
  const bytes = request.method === 'HEAD' ? undefined : form.read();
  return bytes instanceof Promise
    ? bytes.then((read) => ({ ...head, bytes: read, length: form.length }))
    : { ...head, bytes, length: form.length };
}

/** Sends a body; see toReadyAnswer. Headers that were set before stay. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  body: ReadyBody,
  status = 200,
): Promise<void> | undefined {
  const write = (answer: ReadyAnswer): void => {
    for (let index = 0; index < answer.headers.length; index += 2) {
      response.setHeader(answer.headers[index] ?? '', answer.headers[index + 1] ?? '');
    }
    response.statusCode = answer.status;
    response.end(answer.bytes);
  };
  const answer = toReadyAnswer(request, body, status);
  if (answer instanceof Promise) {
    return answer.then(write);
  }
  write(answer);
  return undefined;
}

/** What the rest of the service does with the site: serve it, replace a page, send a page of its own. */
export interface StaticSite {
  /** The pages as they are served now. */
  pages: Pages;
  serve: RequestHandler;
  notFound: RequestHandler;
  /**
   * What a path without percent-encoding is answered with by this Accept header; undefined when that isn't there, is refused, or
   * has to be brought up to date first.
   */
  ready(path: string, accept: string | undefined): ReadyBody | undefined;
  /** Puts new bytes behind a page's address and those of its twins. */
  replace(path: string, page: Representations): Promise<void>;
  whenRead: Preparations['whenRead'];
  /** Sends a page that was rendered for this request, in the representation that the client prefers. */
  sendPage(
    request: Request,
    response: Response,
    page: Representations,
    options: { path: string; representation?: Representation | undefined; status?: number; cacheControl: string },
  ): Promise<void>;
}

/** What a reader of pages takes from a JSON twin. */
const PageTwin = z.object({
  title: z.string(),
  description: z.string(),
  sections: z.array(z.object({ id: z.string().nullable(), heading: z.string(), level: z.int() })),
});

type ReadyPage = Record<Representation, ReadyBody>;

const representations = ['html', 'markdown', 'json'] as const;

/** The home page is asked for most and has the smallest budget. */
const effortFor = (path: string): Effort => (path === '/' ? 11 : 5);

const forEachRepresentation = (ready: (representation: Representation) => ReadyBody): ReadyPage => ({
  html: ready('html'),
  markdown: ready('markdown'),
  json: ready('json'),
});

/** Compresses a page the way the one before it was read; at the highest effort that's so slow that it's left to the first reader. */
async function codePageLike(path: string, page: ReadyPage, before: ReadyPage | undefined): Promise<void> {
  if (before !== undefined && effortFor(path) < 11) {
    await Promise.all(representations.map((each) => codeLike(page[each], before[each])));
  }
}

/** A page as its twins have it. */
async function toReadPage(path: string, page: ReadyPage): Promise<ReadPage> {
  const [markdown, json] = await Promise.all([page.markdown.coded.identity.read(), page.json.coded.identity.read()]);
  return { path, markdown: markdown.toString('utf8'), ...PageTwin.parse(JSON.parse(json.toString('utf8'))) };
}

const headersOfPage = (page: {
  baseUrl: string;
  path: string;
  representation: Representation;
  /** Bytes. */
  size: { html: number; markdown: number };
  cache: string;
}): Record<string, string> => ({
  ...pageHeaders(page.baseUrl, page.path, page.representation, page.size),
  Vary: pageVary,
  'Cache-Control': page.cache,
});

function toReadyFiles(site: SiteFiles, baseUrl: string): Map<string, ReadyBody> {
  const links = fileLinks(baseUrl);
  return new Map(
    [...site.files].map(([path, file]) => {
      const varies: Record<string, string> = file.forms.br || file.forms.gzip ? { Vary: 'Accept-Encoding' } : {};
      const link = links[path];
      const headers = { ...varies, ...(link ? { Link: link } : {}), 'Cache-Control': cacheControl(path) };
      return [path, toReadyBody(file, headers)] as const;
    }),
  );
}

/** The representation that a request to a page's own address gets; throws 406 when none is acceptable. */
export function chosenRepresentation(request: Request): Representation {
  const representation = negotiateRepresentation(request.get('accept'));
  if (representation === 'none') {
    throw notAcceptable();
  }
  return representation;
}

/** A page that was rendered by the running service, ready to be sent. */
function toReadyPage(
  path: string,
  page: Representations,
  { baseUrl, cache }: { baseUrl: string; cache: string },
): ReadyPage {
  const size = { html: Buffer.byteLength(page.html), markdown: Buffer.byteLength(page.markdown) };
  const headers = (representation: Representation) => ({
    'Content-Type': pageTypes[representation],
    ...headersOfPage({ baseUrl, path, representation, size, cache }),
  });
  return forEachRepresentation((each) => toLiveBody(page[each], headers(each), effortFor(path)));
}

/** The pages of the built site, and the 404 page. */
function toReadyPages(site: SiteFiles, baseUrl: string): { pages: Map<string, ReadyPage>; missing: ReadyPage } {
  const pages = new Map(
    [...site.pages].map(([path, bodies]) => {
      const size = { html: bodies.html.forms.identity.length, markdown: bodies.markdown.forms.identity.length };
      const cache = cacheControl(path);
      const headers = (representation: Representation) => headersOfPage({ baseUrl, path, representation, size, cache });
      return [path, forEachRepresentation((each) => toReadyBody(bodies[each], headers(each)))] as const;
    }),
  );
  const missing = pages.get('/404');
  if (missing === undefined) {
    throw new Error('the built site has no 404 page: run `npm run build`');
  }
  for (const representation of representations) {
    missing[representation].headers['Cache-Control'] = 'no-store';
    delete missing[representation].headers['Link'];
  }
  pages.delete('/404');
  return { pages, missing };
}

/**
 * Serves the built site: files and twins at their own addresses, pages by negotiation. Every answer but for its bytes is
 * prepared at start, so that a request is a look-up.
 */
export function createStaticSite(site: SiteFiles, baseUrl: string): StaticSite {
  const { pages, missing } = toReadyPages(site, baseUrl);
  const files = toReadyFiles(site, baseUrl);
  const twins = twinAddresses(site);

  const { whenRead, prepare, before } = createPreparations();

  /** The body that an address has whatever is asked for. */
  const fileAt = (path: string): ReadyBody | undefined => {
    const twin = twins.get(path);
    return twin ? pages.get(twin.page)?.[twin.representation] : files.get(path);
  };

  const serveReady: RequestHandler = (request, response, next) => {
    const path = decodedPath(request.path);
    const page = pages.get(path);
    const twin = twins.get(path);
    const file = fileAt(path);
    if (!page && !file) {
      const meant = meantAddress(path, {
        isPage: (bare) => pages.has(bare),
        isThere: (lower) => fileAt(lower) !== undefined,
      });
      if (meant === null) {
        next();
        return;
      }
      const query = request.url.slice(request.url.split('?')[0]?.length ?? 0);
      response.setHeader('Cache-Control', cacheControl(meant));
      response.setHeader('Location', `${meant}${query}`);
      response.status(308).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw methodNotAllowed(request.path);
    }
    const representation = file === undefined ? chosenRepresentation(request) : twin?.representation;
    const section = representation === 'markdown' ? queryOf(request).get('section') : null;
    if (section !== null) {
      toSection(twin?.page ?? path, section)
        .then((part) => send(request, response, part))
        .catch(next);
      return;
    }
    const body = file ?? (representation === undefined ? undefined : page?.[representation]);
    if (body) {
      send(request, response, body)?.catch(next);
    }
  };

  /** One section of a page's markdown, as `?section=` asks for it. */
  const toSection = async (path: string, section: string): Promise<ReadyBody> => {
    const page = await read(path);
    const part = page === null ? null : markdownSection(page.markdown, page.sections, section.replace(/^#/, ''));
    if (part === null) {
      throw new Problem('not-found', noSuchSection(path, section, page?.sections ?? []));
    }
    const html = pages.get(path)?.html.coded.identity.length ?? 0;
    return toLiveBody(part, {
      'Content-Type': pageTypes.markdown,
      ...headersOfPage({
        baseUrl,
        path,
        representation: 'markdown',
        size: { html, markdown: Buffer.byteLength(part) },
        cache: cacheControl(path),
      }),
    });
  };

  const notFound: RequestHandler = (request, response, next) => {
    const representation = negotiateMissing(decodedPath(request.path), request.get('accept'));
    if (representation === 'json') {
      sendProblem(request, response, nothingThere(), baseUrl);
      return;
    }
    send(request, response, missing[representation], 404)?.catch(next);
  };

  const read = async (path: string): Promise<ReadPage | null> => {
    const page = pages.get(path);
    return page === undefined ? null : toReadPage(path, page);
  };

  return {
    pages: {
      async read(path) {
        await prepare(path);
        return read(path);
      },
      paths: () => [...pages.keys()],
    },
    serve: before(serveReady, (path) => twins.get(path)?.page ?? path),
    notFound,
    ready(path, accept) {
      if (prepare(twins.get(path)?.page ?? path) !== undefined) {
        return undefined;
      }
      const file = fileAt(path);
      const representation = file === undefined ? negotiateRepresentation(accept) : 'none';
      return file ?? (representation === 'none' ? undefined : pages.get(path)?.[representation]);
    },
    async replace(path, page) {
      const next = toReadyPage(path, page, { baseUrl, cache: liveCacheControl });
      await codePageLike(path, next, pages.get(path));
      pages.set(path, next);
    },
    whenRead,
    sendPage: async (request, response, page, options) => {
      const representation = options.representation ?? chosenRepresentation(request);
      const ready = toReadyPage(options.path, page, { baseUrl, cache: options.cacheControl });
      await send(request, response, ready[representation], options.status);
    },
  };
}
