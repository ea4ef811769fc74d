import type { Request, RequestHandler, Response, Router } from 'express';
import type { Logger } from 'pino';
import { Problem } from '../contract/problem.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import type { SignatureVerifier } from '../identity/signatures/signature-verifier.ts';
import { refuseCrossSite } from './cross-site.ts';
import { toProblem } from './errors.ts';
import { formBody, readForm } from './form-body.ts';
import { requestIdOf } from './request-context.ts';
import { createRouter } from './router.ts';
import { toToolRequest } from './tool-request.ts';
import { wantsPage } from './wants-page.ts';

/** The part of the service that every form needs. */
export interface FormContext {
  config: { baseUrl: string };
  log: Logger;
  signatures: SignatureVerifier;
}

/** Reads a field of a form: its text, empty when it's missing. */
export type ReadField = (name: string) => string;

/** How a form is answered: with a page, with a zip to save, or without one and a Location. */
export interface FormAnswer {
  status: 200 | 201 | 303;
  headers?: Record<string, string>;
  html?: string;
  zip?: { name: string; bytes: Uint8Array };
}

/** A form that works without scripts. */
export interface Form {
  path: string;
  /** Where the same goes as JSON, such as `POST /api/audit`. */
  jsonGoesTo: string;
  /** Does what the form asks for. Throws a Problem. */
  submit(field: ReadField, request: ToolRequest): Promise<FormAnswer>;
  /** The page that shows a person what went wrong. */
  toProblemPage(problem: Problem, typed: ReadField): Promise<{ html: string }>;
}

/**
 * Answers a request for a page that ended with an error: a browser gets the page that `toPage` makes of the problem. Throws
 * the Problem for every other client, which the error handler then sends.
 */
export async function sendProblemPage(
  request: Request,
  response: Response,
  { error, log, toPage }: { error: unknown; log: Logger; toPage: (problem: Problem) => Promise<{ html: string }> },
): Promise<void> {
  const problem = toProblem(error);
  if (!wantsPage(request.get('accept'))) {
    throw problem;
  }
  if (problem.slug === 'internal-error') {
    log.error({ requestId: requestIdOf(response), err: problem.cause }, 'request failed');
  }
  const { html } = await toPage(problem);
  response.status(problem.status).set(problem.headers).vary('Accept');
  response.setHeader('Cache-Control', 'no-store');
  response.type('html').send(html);
}

/** What counts the requests that a form makes. */
export interface FormLimit {
  reads: RequestHandler;
  writes: RequestHandler;
}

/**
 * Counts a form as a write. One too many of a person is noted in `refused` and passed on, to be read and shown again with
 * what was typed: that counts as a read.
 */
const countForm =
  ({ reads, writes }: FormLimit, refused: WeakMap<Request, Problem>): RequestHandler =>
  (request, response, next) =>
    writes(request, response, (error?: unknown) => {
      if (error instanceof Problem && error.slug === 'rate-limited' && wantsPage(request.get('accept'))) {
        refused.set(request, error);
        reads(request, response, next);
      } else {
        next(error);
      }
    });

/** The route of a form: it's counted before its body is read, and a form of another site is refused. */
export function formPage(form: Form, context: FormContext, limit: FormLimit): Router {
  const { path, submit, toProblemPage } = form;
  const refused = new WeakMap<Request, Problem>();
  const before = [countForm(limit, refused), refuseCrossSite(context.config.baseUrl), ...formBody(form.jsonGoesTo)];
  const router = createRouter();
  router.post(path, ...before, async (request, response) => {
    const { field, typed } = readForm(request);
    response.setHeader('Cache-Control', 'no-store');
    try {
      const tooMany = refused.get(request);
      if (tooMany !== undefined) {
        throw tooMany;
      }
      const { status, headers = {}, html, zip } = await submit(field, toToolRequest(request, context));
      response.status(status).set(headers);
      if (zip !== undefined) {
        response.attachment(zip.name).send(Buffer.from(zip.bytes));
      } else if (html === undefined) {
        response.end();
      } else {
        response.type('html').send(html);
      }
    } catch (error) {
      const toPage = (problem: Problem) => toProblemPage(problem, typed);
      await sendProblemPage(request, response, { error, log: context.log, toPage });
    }
  });
  return router;
}
