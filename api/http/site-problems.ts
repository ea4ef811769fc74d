import { Problem } from '../contract/problem.ts';
import { problemType } from '../contract/problem-types.ts';
import { mediaTypes } from './negotiate.ts';

/*
 * What the fronts that serve the built site answer in its place: the server, and the worker at a CDN's edge.
 */

export const methodNotAllowed = (path: string): Problem =>
  new Problem('method-not-allowed', `${path} is read with GET or HEAD.`, { headers: { Allow: 'GET, HEAD' } });

export const notAcceptable = (): Problem =>
  new Problem('not-acceptable', `This page is ${Object.values(mediaTypes).join(', ')}. Accept one of them.`, {
    headers: { Vary: 'Accept' },
  });

export const preconditionFailed = (etag: string): Problem =>
  new Problem('precondition-failed', `The representation has the entity tag ${etag} now.`);

export function nothingThere(): Problem {
  const { when, remedy } = problemType('not-found');
  return new Problem('not-found', `${when} ${remedy}`);
}
