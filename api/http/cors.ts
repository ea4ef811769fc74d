import type { RequestHandler } from 'express';
import { readCorsHeaders } from './headers.ts';

const headers = Object.entries(readCorsHeaders);

/** Opens reads to other origins (Fetch standard, section 3.2): GET, HEAD and the preflight of a read. */
export const allowCrossOriginReads: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') {
    for (const [name, value] of headers) {
      response.setHeader(name, value);
    }
  }
  next();
};
