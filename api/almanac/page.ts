import type { Router } from 'express';
import type { Logger } from 'pino';
import type { Problem } from '../contract/problem.ts';
import { sendProblemPage } from '../http/form-page.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import type { StaticSite } from '../http/static-site.ts';
import { readInput } from '../http/tool-request.ts';
import type { RenderLive } from '../live/renderer.ts';
import { type AskAnswer, answerQuestion, askAlmanac } from './ask_almanac.ts';
import type { AlmanacContext } from './context.ts';
import { toQueryRefusal } from './query-refusal.ts';
import { type SearchAnswer, searchRecords } from './search_almanac.ts';

/** What `/ask?q=…` shows: the answer and the matches of the API, for one question. */
export interface AskData {
  query: string;
  answer: AskAnswer;
  results: SearchAnswer['results'];
}

/** The page that answers questions; it's rendered for each. */
export const askPagePath = '/ask';

/** `/ask?q=…` and its twins: the answer to a question and the matches for its words, as a page. */
export function askPage(
  context: AlmanacContext & { log: Logger },
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
): Router {
  const router = createRouter();
  router.get(pageAddresses(askPagePath), async (request, response, next) => {
    if (!queryOf(request).has('q')) {
      next('router');
      return;
    }
    // What it repeats is the visitor's text: no search engine shall show it as ours, a refusal included.
    response.setHeader('X-Robots-Tag', 'noindex');
    const representation = representationOfEnding(request.path);
    let q: string;
    try {
      ({ q } = readInput(askAlmanac, request, 'page'));
    } catch (error) {
      if (representation !== undefined) {
        throw error;
      }
      const toPage = (problem: Problem) =>
        render(askPagePath, {
          askRefusal: toQueryRefusal(problem, request, { name: 'q', called: { q: 'The question' } }),
        });
      await sendProblemPage(request, response, { error, log: context.log, toPage });
      return;
    }
    const answer = answerQuestion(q, context);
    const ask: AskData = { query: q, answer, results: searchRecords({ q, kind: 'all' }, context).results };
    const page = await render(askPagePath, { ask });
    await staticSite.sendPage(request, response, page, {
      path: askPagePath,
      representation,
      cacheControl: 'public, max-age=60',
    });
  });
  return router;
}
