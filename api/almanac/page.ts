import type { Router } from 'express';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import type { StaticSite } from '../http/static-site.ts';
import { readInput } from '../http/tool-request.ts';
import type { RenderLive } from '../live/renderer.ts';
import { type AskAnswer, answerQuestion, askAlmanac } from './ask_almanac.ts';
import type { AlmanacContext } from './context.ts';
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
  context: AlmanacContext,
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
    const { q } = readInput(askAlmanac, request, 'page');
    const answer = answerQuestion(q, context);
    const ask: AskData = { query: q, answer, results: searchRecords({ q, kind: 'all' }, context).results };
    const page = await render(askPagePath, { ask });
    await staticSite.sendPage(request, response, page, {
      path: askPagePath,
      representation: representationOfEnding(request.path),
      cacheControl: 'public, max-age=60',
    });
  });
  return router;
}
