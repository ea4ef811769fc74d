import compression from 'compression';
import { type RequestHandler, Router } from 'express';
import type { AppContext, ToolRequest } from '../context.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { formBody, readForm } from '../http/form-body.ts';
import { Problem } from '../problem.ts';
import { deliverPlaybook } from '../registry/deliver-playbook.ts';
import { payQuote, withPayment } from '../registry/pay-quote.ts';
import { toToolRequest } from './tools.ts';

const pagePath = '/playbook';

/** Takes the way of every buyer: asks without a payment, pays the quote of the 402, and asks again with the payment. */
async function buyPlaybook(context: AppContext, request: ToolRequest): ReturnType<typeof deliverPlaybook> {
  try {
    return await deliverPlaybook(context, request);
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'payment-required') {
      throw error;
    }
    return deliverPlaybook(context, withPayment(request, payQuote(String(error.members['quote']), context)));
  }
}

/** The form that pays for the playbook, which works without scripts. It is answered with a page of all chapters. */
export function playbookForm(context: AppContext, limitWrites: readonly RequestHandler[]): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.post(
    pagePath,
    compression({ threshold: 1024 }),
    ...limitWrites,
    refuseCrossSite(context.config.baseUrl),
    ...formBody('POST /api/pay'),
    async (request, response) => {
      if (readForm(request)('pay') !== 'demo') {
        const detail = 'is not `demo`: nothing else can be paid with here, since no money moves.';
        throw new Problem('invalid-fields', `The field pay ${detail}`, { errors: [{ pointer: '/pay', detail }] });
      }
      const { playbook, headers } = await buyPlaybook(context, toToolRequest(request, context));
      response.set({ ...headers, 'Cache-Control': 'no-store' });
      response.type('html').send(playbook.html);
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
