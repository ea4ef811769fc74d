import type { RequestHandler } from 'express';
import { readCorsHeaders } from './headers.ts';

/** Opens reads to other origins (Fetch standard, section 3.2): GET, HEAD and the preflight of a read. */
export const openReads: RequestHandler = (request, response, next) => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) {
    for (const [name, value] of Object.entries(readCorsHeaders)) {
      response.setHeader(name, value);
    }
  }
  next();
};
