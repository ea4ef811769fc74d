import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { askPage } from './almanac/ask-page.ts';
import { auditStream } from './audits/events.ts';
import { auditPage } from './audits/page.ts';
import { endpoints } from './catalog/endpoints.ts';
import { operations } from './catalog/operations.ts';
import { tools } from './catalog/tools.ts';
import type { AppContext } from './context.ts';
import { Problem } from './contract/problem.ts';
import { badges } from './directory/badge-routes.ts';
import { directoryForm } from './directory/form.ts';
import { guestbookForm } from './guestbook/form.ts';
import { checkRequest } from './http/check-request.ts';
import { openReads } from './http/cors.ts';
import { handleErrors } from './http/errors.ts';
import { livePaths } from './http/live-paths.ts';
import { limitRate } from './http/rate-limit.ts';
import { requestContext } from './http/request-context.ts';
import type { SiteFiles } from './http/site-files.ts';
import type { SiteFront } from './http/site-front.ts';
import { takeTurns } from './http/take-turns.ts';
import { keyDirectory } from './identity/key-directory.ts';
import { mcpRoutes } from './interfaces/mcp.ts';
import { answerOptions, refuseOtherMethods } from './interfaces/methods.ts';
import { serviceRoutes } from './interfaces/service.ts';
import { toolRoutes } from './interfaces/tools.ts';
import type { Ready } from './live/keep-ready.ts';
import type { RenderLive } from './live/renderer.ts';
import { playbookForm } from './playbook/form.ts';

/** The built site with what renders its live pages. */
export interface BuiltSite {
  files: SiteFiles;
  front: SiteFront;
  render: RenderLive;
  guestbook: Ready;
  directory: Ready;
  /** Id of the build. */
  build: string;
}

/** What is read most goes first: reads without a query, which a built page or file answers whole. */
const plainReads =
  (serve: RequestHandler): RequestHandler =>
  (request, response, next) => {
    if ((request.method === 'GET' || request.method === 'HEAD') && !request.url.includes('?')) {
      serve(request, response, next);
    } else {
      next();
    }
  };

/** The whole service as one application: the API, and the built site where there is one. */
export function createApp(context: AppContext, site: BuiltSite | null): Express {
  const { config, log, limits } = context;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', false);
  app.set('trust proxy', config.trustProxy ?? false);

  app.use(takeTurns());
  app.use(requestContext({ baseUrl: config.baseUrl, log }));
  app.use(openReads);
  app.use(checkRequest);

  if (site !== null) {
    app.use(plainReads(site.front.serve));
  }
  const countReads = limitRate('read', limits.read);
  app.use('/api', countReads);
  if (site !== null) {
    app.get('/api/guestbook', site.guestbook.serveList);
    app.get('/api/directory', site.directory.serveList);
  }
  const compress = compression({ threshold: 1024 });
  app.use('/api', compress);
  const limitWrites = limits.write.map((limit) =>
    limitRate(`write-${limit.windowSeconds}`, limit, context.sharedCounters),
  );
  const routes = [...operations, ...endpoints.filter((endpoint) => endpoint.servedBy === 'sidecar')];
  // Pages that take a form as well are read, too, and refuse other methods themselves.
  const formPages = [...new Set([...livePaths, ...(site?.files.pages.keys() ?? [])])].filter((page) =>
    routes.some(({ path }) => path === page),
  );
  app.use(answerOptions([...formPages.map((path) => ({ method: 'GET', path })), ...routes]));
  if (site !== null) {
    app.use(guestbookForm(context, site.render, limitWrites));
    app.use(auditPage(context, site, { reads: countReads, writes: limitWrites }));
    app.use(directoryForm(context, site, { reads: countReads, writes: limitWrites }));
    app.use(playbookForm(context, site.render, limitWrites));
  }
  app.use(auditStream(context, limitWrites));
  app.use(toolRoutes(operations, context, limitWrites));
  app.use(mcpRoutes(tools, context, [countReads, compress], (tool) => (tool.limit === 'read' ? [] : limitWrites)));
  app.use(serviceRoutes(tools, site?.build ?? null));
  app.use(keyDirectory(context));
  app.use(['/badge', '/badge.svg'], countReads);
  app.use(badges(context));
  app.use(refuseOtherMethods(routes.filter(({ path }) => !formPages.includes(path))));
  app.use('/api', (request) => {
    throw new Problem(
      'not-found',
      `No endpoint is called ${request.originalUrl.split('?')[0]?.slice(0, 200)}. ${config.baseUrl}/openapi.json lists them all.`,
    );
  });

  if (site !== null) {
    const { front, render } = site;
    app.use('/ask', countReads);
    app.use(askPage(context, front, render));
    app.use(front.serve);
    app.use(front.notFound);
  }
  app.use(handleErrors({ baseUrl: config.baseUrl, log, site: site?.files ?? null }));
  return app;
}
