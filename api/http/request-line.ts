import type { RequestHandler } from 'express';
import { Problem } from '../problem.ts';

const longestTarget = 8 * 1024;

/** Refuses a request target that is too long (RFC 9110 section 15.5.15) or whose percent-encoding is broken. */
export const checkRequestLine: RequestHandler = (request, _response, next) => {
  if (request.url.length > longestTarget) {
    throw new Problem(
      'uri-too-long',
      `The request target has ${request.url.length} bytes; at most ${longestTarget} are taken.`,
    );
  }
  const [path = ''] = request.url.split('?');
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new Problem(
      'invalid-request',
      'The path has a percent-encoding that is not UTF-8. Encode it as RFC 3986 says.',
      { cause },
    );
  }
  if (/%00/.test(path)) {
    throw new Problem('invalid-request', 'The path holds an encoded NUL character, which no address here has.');
  }
  next();
};
