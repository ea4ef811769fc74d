import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Problem } from '../contract/problem.ts';
import type { Representations } from '../render/representations.ts';
import { toProblem } from './errors.ts';
import { requestIdOf } from './request-context.ts';
import { wantsPage } from './wants-page.ts';

/**
 * Answers a form that ended with an error: a browser gets the page that `toPage` makes of the problem. Throws the Problem for
 * every other client, which the error handler then sends.
 */
export async function answerFormProblem(
  { request, response, log }: { request: Request; response: Response; log: Logger },
  error: unknown,
  toPage: (problem: Problem) => Promise<Representations>,
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
