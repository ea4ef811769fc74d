import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { readCorsHeaders } from './headers.ts';

const headers = Object.entries(readCorsHeaders);

/** Opens the answer to a read to other origins (Fetch standard, section 3.2). */
export function openToOtherOrigins(response: ServerResponse): void {
  for (const [name, value] of headers) {
    response.setHeader(name, value);
  }
}

/** Opens reads to other origins: GET, HEAD and the preflight of a read. */
export const allowCrossOriginReads: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') {
    openToOtherOrigins(response);
  }
  next();
};
