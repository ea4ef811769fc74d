import type { RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';

/**
 * Refuses a form that a page of another site sends through a visitor's browser: it would write in the visitor's name and
 * from the visitor's address. Browsers say where a form comes from in Sec-Fetch-Site, older ones in Origin alone;
 * programs that are no browsers send neither and are let through, since they act for nobody else.
 */
export const refuseCrossSite =
  (baseUrl: string): RequestHandler =>
  (request, _response, next) => {
    const site = request.get('sec-fetch-site');
    const origin = request.get('origin');
    const isOwn =
      site === undefined
        ? origin === undefined || origin === baseUrl || /^https?:\/\/(.+)$/.exec(origin)?.[1] === request.get('host')
        : site === 'same-origin' || site === 'none';
    if (!isOwn) {
      throw new Problem(
        'cross-site-form',
        `The form was sent by a page of another site (${site ?? origin}). Open the form on ${baseUrl} and send it from there.`,
      );
    }
    next();
  };
