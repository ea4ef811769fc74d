import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { inject } from 'light-my-request';
import { noPages } from '#almanac/pages.ts';
import { declaredTypes, endpoints } from '#api/catalog/endpoints.ts';
import { openDirectoryCache } from '#api/directory/live.ts';
import { openGuestbookCache } from '#api/guestbook/live.ts';
import { pageTypes } from '#api/http/headers.ts';
import { negotiateMissing, type Representation } from '#api/http/negotiate.ts';
import { createPreparations } from '#api/http/preparations.ts';
import { type SiteFiles, toForm } from '#api/http/site-files.ts';
import { methodNotAllowed, nothingThere } from '#api/http/site-problems.ts';
import { chosenRepresentation, type StaticSite } from '#api/http/static-site.ts';
import { createHome } from '#api/live/home.ts';
import type { RenderLive } from '#api/live/renderer.ts';
import { type Representations, toRepresentations } from '#api/render/representations.ts';
import type { Site, SiteSource } from '#api/site.ts';
import { sitePages, twinPaths } from '#site/site-map.ts';
import { readPlaybook } from './build/playbook.ts';

/** Astro's development server, as far as the site needs it. */
export interface AstroServer {
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Where Astro looks for the data of a page on a request of Node. */
const localsKey = Symbol.for('astro.locals');

/** What Astro answers to GET, with the data that a live page shows. */
const ask = (
  astro: AstroServer,
  url: string,
  { locals = {}, accept = 'text/html' }: { locals?: object; accept?: string } = {},
) =>
  inject(
    (request, response) => {
      Reflect.set(request, localsKey, locals);
      astro.handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    },
    { method: 'GET', url, headers: { host: 'localhost', accept } },
  );

/** A page by its own address or that of a twin. */
const addresses = new Map(
  sitePages.flatMap(({ path }): [string, { path: string; representation?: 'markdown' | 'json' }][] => {
    const { markdown, json } = twinPaths(path);
    return [
      [path, { path }],
      [markdown, { path, representation: 'markdown' }],
      [json, { path, representation: 'json' }],
    ];
  }),
);

const ofServer = new Set(endpoints.filter(({ servedBy }) => servedBy === 'server').map(({ path }) => path));

function sendRepresentation(
  response: Response,
  page: Representations,
  { representation, status = 200 }: { representation: Representation; status?: number | undefined },
): void {
  // Vite adds inline styles, and a script that speaks to another port.
  response.removeHeader('Content-Security-Policy');
  response
    .status(status)
    .set({ 'Content-Type': pageTypes[representation], Vary: 'Accept', 'Cache-Control': 'no-store' });
  response.send(page[representation]);
}

/** The pages of the development server: each is rendered when it's asked for, with the newest data. */
function createDevPages(astro: AstroServer): { staticSite: StaticSite; render: RenderLive } {
  const localsOf = new WeakMap<Representations, object>();
  const live = new Map<string, object>();
  const { whenRead, before } = createPreparations();

  const render: RenderLive = async (path, locals) => {
    const { statusCode, payload } = await ask(astro, path, { locals });
    if (statusCode !== 200 && path !== '/404') {
      throw new Error(`the page ${path} could not be rendered: status ${statusCode}\n${payload.slice(0, 2000)}`);
    }
    const page = toRepresentations(payload);
    localsOf.set(page, locals);
    return page;
  };

  const serve: RequestHandler = async (request, response, next) => {
    const page = addresses.get(request.path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (page !== undefined) {
      if (!isRead) {
        throw methodNotAllowed(request.path);
      }
      const representation = page.representation ?? chosenRepresentation(request);
      sendRepresentation(response, await render(page.path, live.get(page.path) ?? {}), { representation });
      return;
    }
    if (!isRead || request.path.startsWith('/api/') || ofServer.has(request.path)) {
      next();
      return;
    }
    const { statusCode, headers, rawPayload } = await ask(astro, request.originalUrl, {
      accept: request.get('accept') ?? '*/*',
    });
    if (statusCode === 404) {
      next();
      return;
    }
    response.removeHeader('Content-Security-Policy');
    const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = headers;
    response
      .status(statusCode)
      .set(Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)])));
    response.set('Content-Type', declaredTypes.get(request.path) ?? String(headers['content-type'])).end(rawPayload);
  };

  return {
    render,
    staticSite: {
      // The pages are made anew for each request; MCP reads them from a built site.
      pages: { read: async () => null, paths: () => [] },
      // Every answer is made anew.
      ready: () => undefined,
      serve: before(serve, (path) => addresses.get(path)?.path ?? path),
      whenRead,
      notFound: async (request, response) => {
        const representation = negotiateMissing(request.path, request.get('accept'));
        if (representation === 'json') {
          throw nothingThere();
        }
        sendRepresentation(response, await render('/404', {}), { representation, status: 404 });
      },
      // The data is kept and the page is not, so that a change of its template shows at once.
      replace: async (path, page) => {
        live.set(path, localsOf.get(page) ?? {});
      },
      sendPage: async (request, response, page, { representation, status }) =>
        sendRepresentation(response, page, { representation: representation ?? chosenRepresentation(request), status }),
    },
  };
}

/** Renders pages that the application takes from the built files: those with a form, and those of errors. */
async function renderFiles(render: RenderLive): Promise<SiteFiles> {
  const forms = new Set(endpoints.filter(({ method }) => method === 'POST').map(({ path }) => path));
  const files: SiteFiles = { pages: new Map(), files: new Map() };
  for (const { path } of sitePages.filter((page) => forms.has(page.path) || page.path.startsWith('/problems/'))) {
    const page = await render(path, {});
    const body = (representation: Representation) => ({
      file: '',
      type: pageTypes[representation],
      forms: { identity: toForm(Buffer.from(page[representation])) },
    });
    files.pages.set(path, { html: body('html'), markdown: body('markdown'), json: body('json') });
  }
  return files;
}

/** Opens the site of the development server: pages from Astro, with what is stored. */
export async function openDevSite(source: SiteSource, astro: AstroServer): Promise<Site> {
  const { staticSite, render } = createDevPages(astro);
  const chapters = await readPlaybook(source.config.baseUrl);
  const { html } = await render('/playbook/whole', { playbook: { ...chapters, html: '' } });
  const files = await renderFiles(render);
  const showOnHome = createHome({ staticSite, render });
  const guestbook = openGuestbookCache({ ...source, staticSite, render, showOnHome });
  const directory = openDirectoryCache({ ...source, staticSite, render, showOnHome });
  return {
    files,
    staticSite,
    render,
    guestbook,
    directory,
    // Without built pages, questions are answered from the datasets.
    passages: noPages,
    playbook: { ...chapters, html },
    build: null,
    release: () => false,
    close: async () => {
      guestbook.stop();
      directory.stop();
    },
  };
}
