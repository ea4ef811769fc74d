import type { Request, Router } from 'express';
import { type PlatformId, platformIds } from '../audit/fixes/platforms/index.ts';
import type { AuditReport } from '../audit/report.ts';
import type { Config } from '../config.ts';
import { echoedLine } from '../contract/echoed-line.ts';
import { toFormProblem } from '../contract/form-problem.ts';
import { prices } from '../contract/prices.ts';
import { Problem } from '../contract/problem.ts';
import { toProblem } from '../http/errors.ts';
import { type FormContext, type FormLimit, formPage, sendProblemPage } from '../http/form-page.ts';
import { liveCacheControl } from '../http/headers.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import { chosenRepresentation, type StaticSite } from '../http/static-site.ts';
import type { RenderLive } from '../live/renderer.ts';
import { withQuotePaid } from '../payments/pay-quote.ts';
import { checksCsvPath, toChecksCsv } from './checks-csv.ts';
import { compareReports } from './comparison.ts';
import { completeAddress } from './complete-address.ts';
import type { AuditContext } from './context.ts';
import { auditFeedPath, toAuditFeed } from './feed.ts';
import { historyOf } from './history.ts';
import type { AuditComparePageData, AuditPageData, ShownAudit } from './page-data.ts';
import { auditPreviewPath, createPreviews } from './preview.ts';
import { toServerFix } from './server-fix.ts';
import { type AnsweredAudit, startAudit, toAuditTarget } from './start.ts';
import {
  type AuditViewName,
  auditViews,
  fixArchivePath,
  toFixArchive,
  toFixes,
  toFixMarkdown,
  toSummary,
  toSummaryMarkdown,
} from './views.ts';

/** The part of the service that the page of the audit needs. */
export interface AuditPageContext extends AuditContext, FormContext {
  config: AuditContext['config'] & Pick<Config, 'siteName'>;
  /** What the directory holds for an origin: the id of its badge, and whether it's listed. */
  findListing(origin: string): ShownAudit['listing'];
}

/** The page that shows reports; its data changes with each of them. */
export const auditPagePath = '/audit';

/** The page that shows two reports side by side. */
export const comparePagePath = '/audit/compare';

/** What strangers ask about other strangers' sites is no content of this one. */
const unindexed = { 'X-Robots-Tag': 'noindex', 'Cache-Control': liveCacheControl };

/** A member of the query as it was given, or null without one. */
function readOnce(request: Request, name: string, hint: string): string | null {
  const values = queryOf(request).getAll(name);
  if (values.length > 1) {
    throw new Problem('invalid-query', hint, {
      errors: [{ pointer: `?${name}`, detail: `comes ${values.length} times; give it once.` }],
    });
  }
  return values[0] ?? null;
}

/** The `url` of the query as it was given, or null without one. */
const readUrl = (request: Request): string | null =>
  readOnce(request, 'url', 'The last report on a site is at /audit?url=ADDRESS.');

/** The view and the platform that the query asks for; a Problem names what they may be. */
function readView(request: Request): { view: AuditViewName; platform: PlatformId | undefined } {
  const query = queryOf(request);
  const oneOf = <Name extends string>(name: string, allowed: readonly Name[]): Name | undefined => {
    const value = query.get(name);
    const found = allowed.find((each) => each === value);
    if (value !== null && found === undefined) {
      const detail = `is none of ${allowed.join(', ')}.`;
      throw new Problem('invalid-query', `${name} ${detail}`, { errors: [{ pointer: `?${name}`, detail }] });
    }
    return found;
  };
  return { view: oneOf('view', auditViews) ?? 'full', platform: oneOf('platform', platformIds) };
}

/** The last report on the address of the query. Throws a Problem: none was given, it may not be fetched, there is no report. */
function keptAudit(request: Request, context: AuditPageContext): ShownAudit {
  const target = toTarget(completeAddress(readUrl(request) ?? ''), context);
  const last = lastOn(target, context);
  if (last === null) {
    throw new Problem(
      'not-found',
      `There is no report on ${target.origin}. Audit it first: POST /api/audit with its url.`,
    );
  }
  return last;
}

const keptReport = (request: Request, context: AuditPageContext): AuditReport => keptAudit(request, context).report;

function toTarget(url: string, context: AuditContext): URL {
  if (url === '') {
    throw new Problem('invalid-fields', 'No address was given. Give that of a site, such as https://example.com/.', {
      errors: [{ pointer: '/url', detail: 'is empty: give the address of a site.' }],
    });
  }
  return toAuditTarget(url, context);
}

/** The host of a report as a part of the name of a file. */
const fileHost = ({ final_url }: AuditReport): string => new URL(final_url).hostname.replace(/[^\w.-]/g, '');

/** The last report on a site, as the page shows it, or null. */
function lastOn({ href }: URL, context: AuditPageContext): ShownAudit | null {
  const last = context.audits.get(href);
  if (last === null) {
    return null;
  }
  const listing = context.findListing(new URL(last.report.final_url).origin);
  const history = historyOf(last.report, context.audits);
  return { ...last, isKept: true, serverFix: toServerFix(last.report), history, listing };
}

/**
 * A report that has no address of its own: it's too long to be kept, too little could be judged where a full one is kept, or
 * there is a newer one.
 */
function toUnkept({ answer }: AnsweredAudit, context: AuditPageContext): ShownAudit {
  const { findListing } = context;
  const { allowance: _allowance, payment: _payment, request_id: _id, history, ...report } = answer;
  const { id } = findListing(new URL(report.final_url).origin);
  return {
    report,
    recorded_at: report.audited_at,
    ageSeconds: 0,
    isKept: false,
    serverFix: toServerFix(report),
    history,
    listing: { id, isListed: false },
  };
}

/** What a person reads who has used up the free audits. */
function toDueSentence(members: Record<string, unknown>): string {
  // The member that startAudit gives to this problem.
  const { allowance } = members as { allowance: { limit: number; resets_at: string } };
  const resetsAt = allowance.resets_at.slice(11, 16);
  return `The ${allowance.limit} free audits of this hour are used up. They come back at ${resetsAt} UTC. One audit costs ${prices.audit.amountUsd} USD until then, in a demonstration: no money moves.`;
}

/** What the page shows of a problem: the form, filled in again, under what went wrong. */
const toPageData = (problem: Problem, url: string): AuditPageData => ({
  url: echoedLine(url),
  last: null,
  problem: toFormProblem(problem, { priced: 'audit', toDueSentence }),
});

/** The two addresses of the query; null without any. A Problem names the one that is missing. */
function readCompared(request: Request): { a: string; b: string } | null {
  const hint = 'Two reports are side by side at /audit/compare?a=ADDRESS&b=ADDRESS.';
  const [a, b] = [readOnce(request, 'a', hint), readOnce(request, 'b', hint)];
  if (a === null && b === null) {
    return null;
  }
  if (a === null || b === null) {
    const name = a === null ? 'a' : 'b';
    throw new Problem('invalid-query', hint, {
      errors: [{ pointer: `?${name}`, detail: 'is missing: give the address of a site.' }],
    });
  }
  return { a, b };
}

/** The last reports on two addresses side by side. Throws a Problem where one of them is no address to fetch. */
function toCompareData(typed: { a: string; b: string }, context: AuditPageContext): AuditComparePageData {
  const one = toTarget(completeAddress(typed.a), context);
  const other = toTarget(completeAddress(typed.b), context);
  const [a, b] = [lastOn(one, context), lastOn(other, context)];
  const missing = [...(a === null ? [one.href] : []), ...(b === null ? [other.href] : [])];
  return { typed, comparison: a && b ? compareReports(a.report, b.report) : null, missing, errors: {}, problem: null };
}

/** What the page shows when the query has no two addresses to compare: the form with what was typed, and what is wrong. */
function toCompareRefusal(problem: Problem, request: Request, context: AuditPageContext): AuditComparePageData {
  const typedIn = (name: string): string => echoedLine(queryOf(request).get(name) ?? '');
  const typed = { a: typedIn('a'), b: typedIn('b') };
  const wrong = (['a', 'b'] as const).flatMap((name) => {
    try {
      toTarget(completeAddress(typed[name]), context);
      return [];
    } catch (error) {
      return [[name, toProblem(error).plain] as const];
    }
  });
  const { slug, plain } = problem;
  return {
    ...{ typed, comparison: null, missing: [], errors: Object.fromEntries(wrong) },
    problem: wrong.length > 0 ? null : { slug, detail: plain, due: null },
  };
}

/** Audits the site that the form names, and leads to the page of its report. */
const auditForm = (
  context: AuditPageContext,
  renderPage: (audit: AuditPageData) => Promise<{ html: string }>,
  limit: FormLimit,
): Router =>
  formPage(
    {
      path: auditPagePath,
      jsonGoesTo: 'POST /api/audit',
      submit: async (field, request) => {
        const url = completeAddress(field('url'));
        const target = toTarget(url, context);
        const audit = await startAudit(url, context, withQuotePaid(request, field('quote'), context));
        const { Age: _age, ...headers } = audit.headers;
        const { report } = lastOn(target, context) ?? {};
        if (report?.audited_at === audit.answer.audited_at && report.url === audit.answer.url) {
          const location = `${auditPagePath}?${new URLSearchParams({ url: report.url })}`;
          return { status: 303, headers: { ...headers, Location: location } };
        }
        const unkept = toUnkept(audit, context);
        const { html } = await renderPage({ url: unkept.report.url, last: unkept, problem: null });
        return { status: 200, headers, html };
      },
      toProblemPage: (problem, typed) => renderPage(toPageData(problem, typed('url'))),
    },
    context,
    limit,
  );

/**
 * The page of the audit. GET shows the last report on an address and never starts an audit; POST, the form, runs one and
 * leads to its report. Both work without scripts.
 */
export function auditPage(
  context: AuditPageContext,
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
  limit: FormLimit,
): Router {
  const router = createRouter();
  const renderPage = (audit: AuditPageData) => render(auditPagePath, { audit });

  router.get(fixArchivePath, limit.reads, (request, response) => {
    const report = keptReport(request, context);
    const platform = readView(request).platform ?? report.stack.platform;
    const name = `fixes-${fileHost(report)}.zip`;
    response.set(unindexed);
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    response.type('application/zip').send(Buffer.from(toFixArchive(report, platform, context.config.baseUrl)));
  });

  router.get(auditFeedPath, limit.reads, (request, response) => {
    const history = historyOf(keptReport(request, context), context.audits);
    response.set(unindexed);
    response.type('application/atom+xml; charset=utf-8').send(toAuditFeed(history, context.config));
  });

  router.get(checksCsvPath, limit.reads, (request, response) => {
    const report = keptReport(request, context);
    response.set(unindexed);
    response.attachment(`checks-${fileHost(report)}.csv`);
    response.type('text/csv; charset=utf-8').send(toChecksCsv(report));
  });

  const draw = createPreviews(context.config.siteName);
  router.get(auditPreviewPath, limit.reads, async (request, response) => {
    const picture = await draw(keptAudit(request, context));
    response.setHeader('X-Robots-Tag', 'noindex');
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.type('image/png').send(picture);
  });

  router.get(pageAddresses(comparePagePath), limit.reads, async (request, response, next) => {
    const representation = representationOfEnding(request.path) ?? chosenRepresentation(request);
    let data: AuditComparePageData;
    try {
      const typed = readCompared(request);
      if (typed === null) {
        next('router');
        return;
      }
      data = toCompareData(typed, context);
    } catch (error) {
      if (representation !== 'html') {
        throw error;
      }
      const toPage = (problem: Problem) =>
        render(comparePagePath, { auditCompare: toCompareRefusal(problem, request, context) });
      response.setHeader('X-Robots-Tag', 'noindex');
      await sendProblemPage(request, response, { error, log: context.log, toPage });
      return;
    }
    const page = await render(comparePagePath, { auditCompare: data });
    response.setHeader('X-Robots-Tag', 'noindex');
    await staticSite.sendPage(request, response, page, {
      path: comparePagePath,
      status: data.comparison === null ? 404 : 200,
      representation,
      cacheControl: liveCacheControl,
    });
  });

  router.get(pageAddresses(auditPagePath), limit.reads, async (request, response, next) => {
    const typed = readUrl(request);
    if (typed === null) {
      next('router');
      return;
    }
    const representation = representationOfEnding(request.path) ?? chosenRepresentation(request);
    const { view, platform } = readView(request);
    if (view !== 'full' && representation !== 'html') {
      const report = keptReport(request, context);
      const { baseUrl } = context.config;
      const wanted = platform ?? report.stack.platform;
      response.set(unindexed);
      response.vary('Accept');
      if (representation === 'markdown') {
        response.type('text/markdown; charset=utf-8');
        response.send(view === 'fixes' ? toFixMarkdown(report, wanted, baseUrl) : toSummaryMarkdown(report, baseUrl));
      } else {
        response.json(view === 'fixes' ? toFixes(report, wanted, baseUrl) : toSummary(report, baseUrl));
      }
      return;
    }
    let target: URL;
    try {
      target = toTarget(completeAddress(typed), context);
    } catch (error) {
      if (representation !== 'html') {
        throw error;
      }
      const toPage = (problem: Problem) => renderPage(toPageData(problem, typed));
      await sendProblemPage(request, response, { error, log: context.log, toPage });
      return;
    }
    const last = lastOn(target, context);
    const page = await renderPage({ url: target.href, last, problem: null });
    // What strangers ask about other strangers' sites is no content of this one.
    response.setHeader('X-Robots-Tag', 'noindex');
    await staticSite.sendPage(request, response, page, {
      path: auditPagePath,
      status: last === null ? 404 : 200,
      representation,
      cacheControl: liveCacheControl,
    });
  });
  return router.use(auditForm(context, renderPage, limit));
}
