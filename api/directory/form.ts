import { type RequestHandler, Router } from 'express';
import { completeAddress } from '../audits/complete-address.ts';
import type { AppContext } from '../context.ts';
import { Problem } from '../contract/problem.ts';
import { answerFormProblem } from '../http/answer-form-problem.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { formBody, readForm } from '../http/form-body.ts';
import { liveCacheControl } from '../http/headers.ts';
import type { SiteFront } from '../http/site-front.ts';
import { toToolRequest } from '../interfaces/tools.ts';
import type { RenderLive } from '../live/renderer.ts';
import { joinDirectory } from './join.ts';
import { toDirectoryJoined, toDirectoryRefusal } from './page-data.ts';
import { toDirectoryList, toShownList } from './responses.ts';

const pagePath = '/directory';
const longestAddress = 2048;

function readAddress(typed: string): string {
  const url = completeAddress(typed);
  if (url === '' || url.length > longestAddress) {
    const detail = url === '' ? 'is empty: give the address of a site.' : 'is longer than 2,048 characters.';
    throw new Problem('invalid-fields', `The address ${detail}`, { errors: [{ pointer: '/url', detail }] });
  }
  return url;
}

/**
 * The form that joins the directory, which works without scripts. It is answered with a page: the entry, or why there is
 * none, with the form filled in again. `GET /directory?url=…` shows the page with the form filled in.
 */
export function directoryForm(
  context: AppContext,
  { front, render }: { front: SiteFront; render: RenderLive },
  limit: { reads: RequestHandler; writes: readonly RequestHandler[] },
): Router {
  const { config, stores, log } = context;
  const router = Router({ caseSensitive: true, strict: true });

  router.get(pagePath, limit.reads, async (request, response, next) => {
    const url = new URL(request.originalUrl, 'http://localhost').searchParams.get('url') ?? '';
    if (url === '' || url.length > longestAddress) {
      next();
      return;
    }
    const directory = toShownList(toDirectoryList(stores.directory, config));
    const page = await render(pagePath, { directory, directoryForm: { url } });
    await front.sendPage(request, response, page, { path: pagePath, cacheControl: liveCacheControl });
  });

  router.post(
    pagePath,
    ...limit.writes,
    refuseCrossSite(config.baseUrl),
    ...formBody('POST /api/directory'),
    async (request, response) => {
      const typed = readForm(request)('url');
      response.setHeader('Cache-Control', 'no-store');
      try {
        const { isNew, answer } = await joinDirectory(readAddress(typed), context, toToolRequest(request, context));
        const directoryJoined = toDirectoryJoined(answer, isNew);
        const { html } = await render('/directory/joined', { directoryJoined });
        response.setHeader('Location', `${config.baseUrl}${pagePath}#site-${answer.entry.id}`);
        response
          .status(isNew ? 201 : 200)
          .type('html')
          .send(html);
      } catch (error) {
        await answerFormProblem({ request, response, log }, error, (problem) =>
          render('/directory/not-listed', {
            directoryRefusal: toDirectoryRefusal(problem, typed.slice(0, longestAddress)),
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
    throw new Problem('method-not-allowed', `${pagePath} is read with GET or HEAD and joined with POST.`, {
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    });
  });
  return router;
}
