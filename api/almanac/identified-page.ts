import type { Router } from 'express';
import { identifyUserAgent } from '#almanac/identify.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import { chosenRepresentation, type StaticSite } from '../http/static-site.ts';
import { readInput } from '../http/tool-request.ts';
import type { RenderLive } from '../live/renderer.ts';
import { identifyUserAgentTool } from './identify_user_agent.ts';
import type { IdentifiedPageData } from './page-data.ts';

/** The page of the crawlers, whose form asks whose User-Agent a string is. */
const path = '/crawlers';

/** The component that renders the answer; it has no address of its own. */
const componentPath = '/almanac/identified';

/** `/crawlers?ua=…` and its twins: what the API says of a User-Agent, as a page. */
export function identifiedPage({ staticSite, render }: { staticSite: StaticSite; render: RenderLive }): Router {
  const router = createRouter();
  router.get(pageAddresses(path), async (request, response, next) => {
    if (!queryOf(request).has('ua')) {
      next('router');
      return;
    }
    // What it repeats is the visitor's text: no search engine shall show it as ours, a refusal included.
    response.setHeader('X-Robots-Tag', 'noindex');
    const { ua, ip } = readInput(identifyUserAgentTool, request, 'page');
    const identified: IdentifiedPageData = { given: ua, answer: identifyUserAgent(ua, ip === undefined ? {} : { ip }) };
    await staticSite.sendPage(request, response, await render(componentPath, { identified }), {
      path,
      representation: representationOfEnding(request.path) ?? chosenRepresentation(request),
      cacheControl: 'public, max-age=60',
    });
  });
  return router;
}
