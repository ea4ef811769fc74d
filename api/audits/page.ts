import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { AppContext } from '../context.ts';
import { toFormProblem } from '../contract/form-problem.ts';
import { prices } from '../contract/prices.ts';
import { Problem } from '../contract/problem.ts';
import { toListingId } from '../directory/store.ts';
import { answerFormProblem } from '../http/answer-form-problem.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { formBody, readForm } from '../http/form-body.ts';
import { liveCacheControl } from '../http/headers.ts';
import { liveAddresses } from '../http/live-paths.ts';
import { chosenRepresentation, type SiteFront } from '../http/site-front.ts';
import { toToolRequest } from '../interfaces/tools.ts';
import type { RenderLive } from '../live/renderer.ts';
import { withQuotePaid } from '../payments/pay-quote.ts';
import { completeAddress } from './complete-address.ts';
import type { AuditPageData, ShownAudit } from './page-data.ts';
import { startAudit, toAuditTarget } from './start.ts';

const pagePath = '/audit';

/** The `url` of the query as it was given, null when there is no query; throws a Problem for anything else in it. */
function readUrl(request: Request): string | null {
  const query = new URL(request.originalUrl, 'http://localhost').searchParams;
  const names = [...query.keys()];
  if (names.length === 0) {
    return null;
  }
  const errors = [...new Set(names)].flatMap((name) => {
    const pointer = `?${name.slice(0, 100)}`;
    if (name !== 'url') {
      return [{ pointer, detail: 'is not known. Accepted here: url.' }];
    }
    return query.getAll(name).length > 1 ? [{ pointer, detail: 'comes more than once; give it once.' }] : [];
  });
  if (errors.length > 0) {
    throw new Problem('invalid-query', 'The last report on a site is at /audit?url=ADDRESS.', { errors });
  }
  return query.get('url') ?? '';
}

/** What a person is told who has used up the free audits. */
function toDueSentence(members: Record<string, unknown>): string {
  // The member that startAudit gives to this problem.
  const { allowance } = members as { allowance: { limit: number; resets_at: string } };
  const resetsAt = allowance.resets_at.slice(11, 16);
  return `The ${allowance.limit} free audits of this hour are used up. They come back at ${resetsAt} UTC. One audit costs ${prices.audit.amountUsd} USD until then, in a demonstration: no money moves.`;
}

/**
 * The page of the audit. GET shows the last report on an address and never starts an audit; POST, the form, runs one and
 * leads to its report. Both work without scripts.
 */
export function auditPage(
  context: AppContext,
  { front, render }: { front: SiteFront; render: RenderLive },
  limit: { reads: RequestHandler; writes: readonly RequestHandler[] },
): Router {
  const { stores, config, log } = context;
  const router = Router({ caseSensitive: true, strict: true });
  const renderPage = (audit: AuditPageData) => render(pagePath, { audit });

  function toTarget(url: string): URL {
    if (url === '') {
      throw new Problem('invalid-fields', 'No address was given. Give that of a site, such as https://example.com/.', {
        errors: [{ pointer: '/url', detail: 'is empty: give the address of a site.' }],
      });
    }
    return toAuditTarget(url, context);
  }

  function lastOn(target: URL): ShownAudit | null {
    const last = stores.audits.get(target.origin);
    if (last === null) {
      return null;
    }
    const id = toListingId(new URL(last.report.final_url).origin);
    return { ...last, isKept: true, listing: { id, isListed: stores.directory.get(id) !== null } };
  }

  /** Answers a browser with the form, filled in again, under what went wrong. */
  const sendProblem = (request: Request, response: Response, error: unknown, url: string): Promise<void> =>
    answerFormProblem({ request, response, log }, error, (problem) =>
      renderPage({ url, last: null, problem: toFormProblem(problem, { priced: 'audit', toDueSentence }) }),
    );

  router.get(liveAddresses(pagePath), limit.reads, async (request, response, next) => {
    const typed = readUrl(request);
    if (typed === null) {
      next('router');
      return;
    }
    const url = completeAddress(typed);
    const ending = /\.(md|json)$/.exec(request.path)?.[1];
    let target: URL;
    try {
      target = toTarget(url);
    } catch (error) {
      if (ending !== undefined || chosenRepresentation(request) !== 'html') {
        throw error;
      }
      await sendProblem(request, response, error, typed);
      return;
    }
    const last = lastOn(target);
    const page = await renderPage({ url: target.href, last, problem: null });
    // What strangers ask about other strangers' sites is no content of this one.
    response.setHeader('X-Robots-Tag', 'noindex');
    await front.sendPage(request, response, page, {
      path: pagePath,
      status: last === null ? 404 : 200,
      ...(ending === undefined ? {} : { representation: ending === 'md' ? ('markdown' as const) : ('json' as const) }),
      cacheControl: liveCacheControl,
    });
  });

  const before = [...limit.writes, refuseCrossSite(config.baseUrl), ...formBody('POST /api/audit')];
  router.post(pagePath, ...before, async (request, response) => {
    let typed = '';
    try {
      const field = readForm(request);
      typed = field('url');
      const url = completeAddress(typed);
      const target = toTarget(url);
      const paying = withQuotePaid(toToolRequest(request, context), field('quote'), context);
      const { answer, headers } = await startAudit(url, context, paying);
      const { Age: _age, ...others } = headers;
      response.set(others);
      response.setHeader('Cache-Control', 'no-store');
      const last = lastOn(target);
      if (last?.report.audited_at === answer.audited_at && last.report.url === answer.url) {
        response.setHeader('Location', `${pagePath}?${new URLSearchParams({ url: answer.url })}`);
        response.status(303).end();
        return;
      }
      // Too long to be kept, or there is a newer one on this site: it has no address, so it is shown here.
      const { allowance: _allowance, payment: _payment, request_id: _id, ...report } = answer;
      const listing = { id: toListingId(new URL(report.final_url).origin), isListed: false };
      const page = await renderPage({
        url: report.url,
        last: { report, recorded_at: report.audited_at, ageSeconds: 0, isKept: false, listing },
        problem: null,
      });
      response.type('html').send(page.html);
    } catch (error) {
      await sendProblem(request, response, error, typed);
    }
  });

  router.all(pagePath, (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    throw new Problem('method-not-allowed', '/audit is read with GET or HEAD, and POST audits a site.', {
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    });
  });
  return router;
}
