import compression from 'compression';
import { type RequestHandler, Router } from 'express';
import type { AppContext } from '../context.ts';
import { toFormProblem } from '../contract/form-problem.ts';
import { prices } from '../contract/prices.ts';
import { Problem } from '../contract/problem.ts';
import { answerFormProblem } from '../http/answer-form-problem.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { formBody, readForm } from '../http/form-body.ts';
import { toToolRequest } from '../interfaces/tools.ts';
import type { RenderLive } from '../live/renderer.ts';
import { withQuotePaid } from '../payments/pay-quote.ts';
import { deliverPlaybook } from './deliver.ts';

const pagePath = '/playbook';

/** What a person is told who has not paid yet. */
const toDueSentence = (): string =>
  `The playbook costs ${prices.playbook.amountUsd} USD, in a demonstration: no money moves.`;

/**
 * The form that sells the playbook, which works without scripts. It is answered with the price and a second button, which sends
 * the quote and pays it; that is answered with a page of all chapters.
 */
export function playbookForm(context: AppContext, render: RenderLive, limitWrites: readonly RequestHandler[]): Router {
  const { config, log } = context;
  const router = Router({ caseSensitive: true, strict: true });

  router.post(
    pagePath,
    compression({ threshold: 1024 }),
    ...limitWrites,
    refuseCrossSite(config.baseUrl),
    ...formBody('POST /api/pay'),
    async (request, response) => {
      try {
        const paying = withQuotePaid(toToolRequest(request, context), readForm(request)('quote'), context);
        const { playbook, headers } = await deliverPlaybook(context, paying);
        response.set({ ...headers, 'Cache-Control': 'no-store' });
        response.type('html').send(playbook.html);
      } catch (error) {
        await answerFormProblem({ request, response, log }, error, (problem) =>
          render('/playbook/payment', {
            playbookProblem: toFormProblem(problem, { priced: 'playbook', toDueSentence }),
          }),
        );
      }
    },
  );

  router.all(pagePath, (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    throw new Problem('method-not-allowed', `${pagePath} is read with GET or HEAD and paid for with POST.`, {
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    });
  });
  return router;
}
