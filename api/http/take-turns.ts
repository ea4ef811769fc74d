import type { RequestHandler } from 'express';
import { createTurns } from './turns.ts';

/** Lets requests that may change something in one at a time, so that a burst of them does not hold up reads. */
export function takeTurns(): RequestHandler {
  const turn = createTurns();
  return (request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
    } else {
      void turn().then(() => next());
    }
  };
}
