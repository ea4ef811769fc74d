import type { RequestHandler } from 'express';
import { createFairQueue } from './fair-queue.ts';

/**
 * Begins requests that may change something in a turn of the event loop each, so that a burst of them does not hold up reads.
 * It doesn't wait for the end of the one before.
 */
export function spreadWrites(): RequestHandler {
  const turn = createFairQueue();
  return (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
    } else {
      void turn().then(() => next());
    }
  };
}
