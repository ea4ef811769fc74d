import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { Problem, type ProblemDocument, toProblemDocument } from '../contract/problem.ts';
import { toStorageProblem } from '../contract/storage-problem.ts';
import { StorageUnavailable } from '../stores/storage-unavailable.ts';
import { toProblemPage } from './problem-page.ts';
import { requestIdOf } from './request-context.ts';
import type { SiteFiles } from './site-files.ts';
import { wantsPage } from './wants-page.ts';

/** What Express and its body parser throw: an error with a status, which is the client's when it is below 500. */
interface HttpError {
  status: number;
  type?: string;
  message: string;
}

/** Characters of the path that an error repeats. */
const longestInstance = 200;

const isHttpError = (error: unknown): error is HttpError =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';

/** The problem that an error is. What is not the caller's fault is not passed on to the caller. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (error instanceof StorageUnavailable) {
    return toStorageProblem(error);
  }
  if (isHttpError(error) && error.status >= 400 && error.status < 500) {
    if (error.status === 413) {
      return new Problem('body-too-large', 'The body is longer than 16,384 bytes. Send less.', { cause: error });
    }
    if (error.status === 415) {
      return new Problem(
        'unsupported-media-type',
        `${error.message}. Send UTF-8 without a content coding, or with gzip.`,
        { cause: error },
      );
    }
    return new Problem('invalid-request', `The request cannot be read: ${error.message}.`, { cause: error });
  }
  return new Problem('internal-error', 'The service failed at this request. Report it with the request_id.', {
    cause: error,
  });
}

function documentOf(request: Request, response: Response, problem: Problem, baseUrl: string): ProblemDocument {
  const path = request.path.slice(0, longestInstance);
  return toProblemDocument(problem, { baseUrl, path, requestId: requestIdOf(response) });
}

function writeHead(response: Response, problem: Problem): void {
  response.status(problem.status);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Vary', 'Accept');
  for (const [name, value] of Object.entries(problem.headers)) {
    response.setHeader(name, value);
  }
}

/** Sends a problem as problem+json, with the headers of its own. */
export function sendProblem(request: Request, response: Response, problem: Problem, baseUrl: string): void {
  const document = documentOf(request, response, problem, baseUrl);
  writeHead(response, problem);
  const body = Buffer.from(JSON.stringify(document));
  // Not by Express, which would add a charset that the media type does not have (RFC 8259 section 11).
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

/** Sends every error: problem+json, or the page of its type to a client that names text/html before JSON. */
export function handleErrors(options: { baseUrl: string; log: Logger; site: SiteFiles }): ErrorRequestHandler {
  return async (error, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = toProblem(error);
    if (problem.status >= 500 && problem.slug === 'internal-error') {
      options.log.error({ requestId: requestIdOf(response), err: problem.cause }, 'request failed');
    }
    const form = options.site.pages.get(`/problems/${problem.slug}`)?.html.forms.identity;
    if (form === undefined || !wantsPage(request.get('accept'))) {
      sendProblem(request, response, problem, options.baseUrl);
      return;
    }
    const page = (await form.read()).toString('utf8');
    writeHead(response, problem);
    response
      .type('html')
      .send(toProblemPage(page, documentOf(request, response, problem, options.baseUrl), problem.form));
  };
}
