import express, { type RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';
import { keepRawBody, refuseOtherCharsets } from './raw-body.ts';

/** Takes a JSON body; any other media type is refused (RFC 9110 section 15.5.16). */
export const jsonBody: RequestHandler[] = [
  (request, _response, next) => {
    if (!request.is('application/json')) {
      throw new Problem('unsupported-media-type', 'Send the body as JSON, with Content-Type: application/json.');
    }
    next();
  },
  refuseOtherCharsets,
  keepRawBody,
  express.json({ limit: '16kb', strict: false, type: 'application/json' }),
];
