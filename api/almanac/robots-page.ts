import type { RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { makeRobotsTxt, type Use, uses } from '#almanac/robots-txt.ts';
import { toFieldSentences } from '../contract/form-problem.ts';
import type { Problem } from '../contract/problem.ts';
import { sendProblemPage } from '../http/form-page.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import { chosenRepresentation, type StaticSite } from '../http/static-site.ts';
import { readInput } from '../http/tool-request.ts';
import { keepLast } from '../live/keep-last.ts';
import type { RenderLive } from '../live/renderer.ts';
import type { Representations } from '../render/representations.ts';
import type { AlmanacContext } from './context.ts';
import { makeRobotsTxtTool, toChoices } from './make_robots_txt.ts';
import type { RobotsPageData } from './page-data.ts';

/** The prebuilt page with the form that makes a robots.txt. */
export const robotsPagePath = '/robots';

/** The component that renders the file for a choice, and what is wrong with one; it has no address of its own. */
const componentPath = '/almanac/robots';

/** How many pages are kept as they were rendered: there are sixteen choices, and each may have a sitemap. */
const mostKept = 16;

const names = Object.keys(makeRobotsTxtTool.input.shape);
/** What a person calls each field. */
const called: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(uses).map(([use, meaning]) => [use, `The choice for ${meaning}`])),
  sitemap: 'The address of the sitemap',
};

/** What a person is shown whose choice can't be read: the form with what could, and the reason. */
const toRefusal = (problem: Problem, given: URLSearchParams): RobotsPageData => {
  const wrong = new Set(problem.errors?.map(({ pointer }) => pointer.slice(1)));
  const read = Object.fromEntries([...given].filter(([name]) => !wrong.has(name))) as Partial<Record<Use, string>>;
  return {
    choices: toChoices(read),
    sitemap: null,
    made: null,
    problem: { slug: problem.slug, detail: toFieldSentences(problem, called), due: null },
    wrong: [...wrong],
  };
};

/**
 * `/robots?training=no` and its twins: the file that the API makes of the same query, as a page with what each of its lines costs.
 * A query without any of the choices is left to the page itself.
 */
export function robotsPage(
  { config, log }: AlmanacContext & { log: Logger },
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
  countReads: RequestHandler,
): Router {
  const router = createRouter();
  const keep = keepLast<Representations>(mostKept);
  router.get(pageAddresses(robotsPagePath), countReads, async (request, response, next) => {
    const query = queryOf(request);
    if (!names.some((name) => query.has(name))) {
      next('router');
      return;
    }
    // One of many choices out of a page that is indexed.
    response.setHeader('X-Robots-Tag', 'noindex');
    const ending = representationOfEnding(request.path);
    let input: Partial<Record<Use | 'sitemap', string | undefined>>;
    try {
      input = readInput(makeRobotsTxtTool, request, 'page');
    } catch (error) {
      if (ending !== undefined) {
        throw error;
      }
      const toPage = (problem: Problem) => render(componentPath, { robots: toRefusal(problem, query) });
      await sendProblemPage(request, response, { error, log, toPage });
      return;
    }
    const choices = toChoices(input);
    const sitemap = input.sitemap === undefined ? null : new URL(input.sitemap).href;
    const page = await keep(JSON.stringify([choices, sitemap]), () => {
      const made = makeRobotsTxt(choices, { site: config.baseUrl, ...(sitemap !== null && { sitemap }) });
      return render(componentPath, { robots: { choices, sitemap, made, problem: null, wrong: [] } });
    });
    await staticSite.sendPage(request, response, page, {
      path: robotsPagePath,
      representation: ending ?? chosenRepresentation(request),
      cacheControl: 'public, max-age=300',
    });
  });
  return router;
}
