import express, { type Express } from 'express';
import type { AppContext } from './context.ts';
import { openReads } from './http/cors.ts';
import { handleErrors } from './http/errors.ts';
import { limitRate } from './http/rate-limit.ts';
import { requestContext } from './http/request-context.ts';
import { checkRequestLine } from './http/request-line.ts';
import type { SiteFiles } from './http/site-files.ts';
import { siteFront } from './http/site-front.ts';
import { Problem } from './problem.ts';
import { endpoints } from './registry/endpoints.ts';
import { tools } from './registry/tools/index.ts';
import { methodRoutes } from './routes/methods.ts';
import { serviceRoutes } from './routes/service.ts';
import { toolRoutes } from './routes/tools.ts';

/** The whole service as one application: the API, and the built site where there is one. */
export function createApp(context: AppContext, site: SiteFiles | null, build: string | null): Express {
  const { config, log, limits } = context;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', false);
  app.set('trust proxy', config.trustProxy ?? false);

  app.use(requestContext({ baseUrl: config.baseUrl, trustProxy: config.trustProxy, log }));
  app.use(checkRequestLine);
  app.use(openReads);

  app.use('/api', limitRate('read', limits.read));
  app.use(toolRoutes(tools, context));
  app.use(serviceRoutes(tools, build));
  app.use(methodRoutes([...tools, ...endpoints.filter((endpoint) => endpoint.servedBy === 'sidecar')]));
  app.use('/api', (request) => {
    throw new Problem(
      'not-found',
      `No endpoint is called ${request.originalUrl.split('?')[0]?.slice(0, 200)}. ${config.baseUrl}/openapi.json lists them all.`,
    );
  });

  if (site !== null) {
    const front = siteFront(site, config.baseUrl);
    app.use(front.serve);
    app.use(front.notFound);
  }
  app.use(handleErrors({ baseUrl: config.baseUrl, log, site }));
  return app;
}
