import type { KeyObject } from 'node:crypto';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { identifiedPage } from './almanac/identified-page.ts';
import { narrowedPages } from './almanac/narrowed-page.ts';
import { askPage } from './almanac/page.ts';
import { robotsPage } from './almanac/robots-page.ts';
import { auditStream } from './audits/events.ts';
import { lookPage } from './audits/look-page.ts';
import { type AuditPageContext, auditPage } from './audits/page.ts';
import { endpoints } from './catalog/endpoints.ts';
import { livePaths } from './catalog/live-pages.ts';
import { operations } from './catalog/operations.ts';
import { furtherTools, type ToolContext, tools } from './catalog/tools.ts';
import type { Config } from './config.ts';
import type { Limits } from './contract/limits.ts';
import { Problem } from './contract/problem.ts';
import { badges } from './directory/badge-routes.ts';
import { directoryForm } from './directory/form.ts';
import { signingForm, withdrawalForm } from './guestbook/form.ts';
import { guestbookPages } from './guestbook/pages.ts';
import { checkRequest } from './http/check-request.ts';
import { allowCrossOriginReads } from './http/cors.ts';
import { hostGuardedPaths, refuseCrossSite, refuseOtherHosts } from './http/cross-site.ts';
import { trustEdge } from './http/edge-client.ts';
import { handleErrors } from './http/errors.ts';
import { limitRate, limitReads, type ReadLimit } from './http/rate-limit.ts';
import { type AnsweredRequest, requestContext, warnOfUntrustedProxy } from './http/request-context.ts';
import { spreadWrites } from './http/spread-writes.ts';
import { keyDirectory } from './identity/key-directory.ts';
import type { SignatureVerifier } from './identity/signatures/signature-verifier.ts';
import { mcpRoutes } from './interfaces/mcp.ts';
import { answerOptions, redirectReads, refuseOtherMethods } from './interfaces/methods.ts';
import { serviceRoutes } from './interfaces/service.ts';
import { toolRoutes } from './interfaces/tools.ts';
import { playbookForm } from './playbook/form.ts';
import type { Site } from './site.ts';
import type { Counters } from './stores/counters.ts';

/** What the application is built from. */
export interface AppContext extends ToolContext, AuditPageContext {
  config: Config;
  log: Logger;
  limits: Limits;
  /** Counts writes for all instances together; null when this one is alone. Reads are always counted by each for itself. */
  sharedCounters: Counters | null;
  /** Gets each request that was answered, for the metrics. */
  observe?: (request: AnsweredRequest) => void;
  /** Verifies the signatures of requests. */
  signatures: SignatureVerifier;
  /** The private key of the site; its public half is what the key directory serves. */
  siteKey: KeyObject;
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

/** The whole service as one application: the API and the site. */
export function createApp(
  context: AppContext,
  site: Site,
  reads: ReadLimit = limitReads(context.limits.read),
): Express {
  const { config, log, limits } = context;
  const { staticSite, render } = site;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', false);
  app.set('trust proxy', config.trustProxy ?? false);

  app.use(spreadWrites());
  app.use(trustEdge(config));
  app.use(requestContext({ baseUrl: config.baseUrl, log, observe: context.observe }));
  if (config.trustProxy === null) {
    app.use(warnOfUntrustedProxy(log));
  }
  app.use(allowCrossOriginReads);
  app.use(checkRequest);
  app.use(hostGuardedPaths, refuseOtherHosts(config));
  app.use(plainReads(staticSite.serve));

  const allowances = limits.write.map((limit) => [`write-${limit.windowSeconds}`, limit] as const);
  const writes = limitRate(Object.fromEntries(allowances), context.sharedCounters);
  const compress = compression({ threshold: 1024 });
  app.use('/api', reads, refuseCrossSite(config.baseUrl));
  app.get('/api/guestbook', site.guestbook.serveList);
  app.get('/api/directory', site.directory.serveList);
  app.use('/api', compress);
  const routes = [...operations, ...endpoints.filter((endpoint) => endpoint.servedBy === 'server')];
  // A page that takes a form as well is read at the same address.
  const pages = [...new Set([...livePaths, ...site.files.pages.keys()])].map((path) => ({ method: 'GET', path }));
  const everyRoute = [...pages.filter((page) => routes.some(({ path }) => path === page.path)), ...routes];
  app.use(answerOptions(everyRoute));
  app.use('/crawlers', reads);
  app.use(identifiedPage(context, site));
  app.use(narrowedPages(context, site, reads));
  app.use(robotsPage(context, site, reads));
  app.use(guestbookPages({ config, guestbook: context.guestbook }, site, reads));
  app.use(signingForm(context, render, { reads, writes }));
  app.use(withdrawalForm(context, render, { reads, writes }));
  app.use(auditPage(context, site, { reads, writes }));
  app.use(lookPage(context, site, { reads, writes }));
  app.use(directoryForm(context, site, { reads, writes }));
  app.use(playbookForm(context, render, { reads, writes }));
  app.use(auditStream(context, writes));
  app.use(toolRoutes(operations, context, writes));
  const mcpContext = { ...context, pages: staticSite.pages };
  app.use(
    mcpRoutes([...tools, ...furtherTools], mcpContext, [reads, compress], (tool) =>
      tool.limit === 'read' ? [] : [writes],
    ),
  );
  app.use(serviceRoutes(tools, site.build));
  app.use(keyDirectory(context));
  app.use(['/badge', '/badge.svg'], reads);
  app.use(badges(context));
  app.use(refuseOtherMethods(everyRoute));
  app.use(redirectReads(routes));
  app.use('/api', (request) => {
    throw new Problem(
      'not-found',
      `No endpoint is called ${request.originalUrl.split('?')[0]?.slice(0, 200)}. ${config.baseUrl}/developers.md#endpoints lists them, ${config.baseUrl}/openapi.json describes them all.`,
    );
  });

  app.use('/ask', reads);
  app.use(askPage(context, site));
  app.use(staticSite.serve);
  app.use(staticSite.notFound);
  app.use(handleErrors({ baseUrl: config.baseUrl, log, site: site.files }));
  return app;
}
