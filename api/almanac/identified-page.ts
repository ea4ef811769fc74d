import type { Router } from 'express';
import type { Logger } from 'pino';
import { identifyUserAgent } from '#almanac/identify.ts';
import type { Problem } from '../contract/problem.ts';
import { sendProblemPage } from '../http/form-page.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import { chosenRepresentation, type StaticSite } from '../http/static-site.ts';
import { readInput } from '../http/tool-request.ts';
import type { RenderLive } from '../live/renderer.ts';
import { identifyUserAgentTool } from './identify_user_agent.ts';
import type { IdentifiedPageData } from './page-data.ts';
import { toQueryRefusal } from './query-refusal.ts';

/** The page of the crawlers, whose form asks whose User-Agent a string is. */
const path = '/crawlers';

/** The component that renders the answer; it has no address of its own. */
const componentPath = '/almanac/identified';

/** The component that renders a refusal. */
const refusalPath = '/almanac/unidentified';

/** `/crawlers?ua=…` and its twins: what the API says of a User-Agent, as a page. */
export function identifiedPage(
  { log }: { log: Logger },
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
): Router {
  const router = createRouter();
  router.get(pageAddresses(path), async (request, response, next) => {
    if (!queryOf(request).has('ua')) {
      next('router');
      return;
    }
    // What it repeats is the visitor's text: no search engine shall show it as ours, a refusal included.
    response.setHeader('X-Robots-Tag', 'noindex');
    const ending = representationOfEnding(request.path);
    let input: { ua: string; ip?: string | undefined };
    try {
      input = readInput(identifyUserAgentTool, request, 'page');
    } catch (error) {
      if (ending !== undefined) {
        throw error;
      }
      const called = { ua: 'The User-Agent', ip: 'The address of the visitor' };
      const toPage = (problem: Problem) =>
        render(refusalPath, { identifyRefusal: toQueryRefusal(problem, request, { name: 'ua', called }) });
      await sendProblemPage(request, response, { error, log, toPage });
      return;
    }
    const { ua, ip } = input;
    const identified: IdentifiedPageData = { given: ua, answer: identifyUserAgent(ua, ip === undefined ? {} : { ip }) };
    await staticSite.sendPage(request, response, await render(componentPath, { identified }), {
      path,
      representation: ending ?? chosenRepresentation(request),
      cacheControl: 'public, max-age=60',
    });
  });
  return router;
}
