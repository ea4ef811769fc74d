import type { RequestHandler } from 'express';
import { createFairQueue } from './fair-queue.ts';

/** Lets requests that may change something in one at a time, so that a burst of them does not hold up reads. */
export function serializeWrites(): RequestHandler {
  const turn = createFairQueue();
  return (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
    } else {
      void turn().then(() => next());
    }
  };
}
