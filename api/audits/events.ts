import type { RequestHandler, Router } from 'express';
import { type CheckResult, contentNotice } from '../audit/report.ts';
import { toProblemDocument } from '../contract/problem.ts';
import { toProblem } from '../http/errors.ts';
import type { FormContext } from '../http/form-page.ts';
import { jsonBody } from '../http/json-body.ts';
import { requestIdOf } from '../http/request-context.ts';
import { createRouter } from '../http/router.ts';
import { readInput, toToolRequest } from '../http/tool-request.ts';
import { auditSite } from './audit_site.ts';
import type { AuditContext } from './context.ts';
import type { AuditEvent } from './service.ts';
import { beginAudit, toAnswerIn } from './start.ts';

const mediaType = 'text/event-stream';

/** Nothing is quiet for longer, so that no proxy takes the connection for dead. */
const heartbeatSeconds = 10;

const wantsStream: RequestHandler = (request, _response, next) => {
  // Only who names it gets it: a wildcard means JSON.
  const isNamed = request.get('accept')?.toLowerCase().includes(mediaType) === true;
  next(isNamed && request.accepts('application/json', mediaType) === mediaType ? undefined : 'router');
};

/**
 * The audit as a stream of events (HTML standard, section 9.2): `progress` while it waits and fetches, `check` for each
 * check as soon as it can be judged (where the audit is paid for: once the payment is used up), and at the end
 * `headers` (`Age`, and what became of a payment), then `result`, or `problem`. What is refused at once is refused with
 * its status, as without a stream.
 */
export function auditStream(context: AuditContext & FormContext, limitWrites: RequestHandler): Router {
  const router = createRouter();
  router.post(auditSite.path, wantsStream, limitWrites, ...jsonBody, async (request, response) => {
    const { url, view, platform } = readInput(auditSite, request);
    const early: string[] = [];
    const send = (event: string, data: unknown): void => {
      const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
      if (!response.headersSent) {
        early.push(text);
      } else if (response.writable) {
        response.write(text);
      }
    };
    const told = new Set<string>();
    const tell = (check: CheckResult): void => {
      if (!told.has(check.id)) {
        told.add(check.id);
        send('check', { content_notice: contentNotice, ...check });
      }
    };
    const { answered } = await beginAudit(url, context, toToolRequest(request, context), (news: AuditEvent) =>
      news.stage === 'judged' ? tell(news.finding) : send('progress', news),
    );
    response.status(200);
    response.setHeader('Content-Type', mediaType);
    // Not to be changed on the way: a compressor would wait for more to compress.
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    response.vary('Accept');
    response.flushHeaders();
    response.write(early.join(''));
    const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatSeconds * 1000);
    try {
      const { answer, headers } = await answered;
      // The head of the response is long gone: what would be in it comes as an event.
      if (Object.keys(headers).length > 0) {
        send('headers', headers);
      }
      for (const check of answer.checks) {
        tell(check);
      }
      send('result', toAnswerIn(answer, { view, platform }, context.config.baseUrl));
    } catch (error) {
      const problem = toProblem(error);
      if (problem.slug === 'internal-error') {
        context.log.error({ requestId: requestIdOf(response), err: problem.cause }, 'request failed');
      }
      const { baseUrl } = context.config;
      send('problem', toProblemDocument(problem, { baseUrl, path: request.path, requestId: requestIdOf(response) }));
    } finally {
      clearInterval(heartbeat);
      response.end();
    }
  });
  return router;
}
