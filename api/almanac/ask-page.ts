import { Router } from 'express';
import type { AppContext } from '../context.ts';
import { liveAddresses } from '../http/live-paths.ts';
import type { SiteFront } from '../http/site-front.ts';
import { readInput, toToolRequest } from '../interfaces/tools.ts';
import type { AskData } from '../live/data.ts';
import type { RenderLive } from '../live/renderer.ts';
import { askAlmanac } from './ask_almanac.ts';
import { searchAlmanac } from './search_almanac.ts';

/** `/ask?q=…` and its twins: the answer to a question and the matches for its words, as a page. */
export function askPage(context: AppContext, front: SiteFront, render: RenderLive): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(liveAddresses('/ask'), async (request, response, next) => {
    if (!request.originalUrl.includes('?')) {
      next('router');
      return;
    }
    const input = readInput(askAlmanac, request);
    const toolRequest = toToolRequest(request, context);
    const answer = (await askAlmanac.run(input, context, toolRequest)) as AskData['answer'];
    const { results } = (await searchAlmanac.run(input, context, toolRequest)) as Pick<AskData, 'results'>;
    const ask: AskData = { query: String(input['q']), answer, results };
    const page = await render('/ask', { ask });
    const ending = /\.(md|json)$/.exec(request.path)?.[1];
    await front.sendPage(request, response, page, {
      path: '/ask',
      ...(ending === undefined ? {} : { representation: ending === 'md' ? ('markdown' as const) : ('json' as const) }),
      cacheControl: 'public, max-age=60',
    });
  });
  return router;
}
