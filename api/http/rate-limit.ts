import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { Problem } from '../problem.ts';

/**
 * Counts the requests of a client address in a window and refuses what is above, with the RateLimit and
 * RateLimit-Policy headers of draft-ietf-httpapi-ratelimit-headers. An IPv6 client is its /64, because it is free to
 * choose any address below it.
 */
export function limitRate(name: string, limit: { count: number; windowSeconds: number }): RequestHandler {
  return rateLimit({
    windowMs: limit.windowSeconds * 1000,
    limit: limit.count,
    identifier: name,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request) => ipKeyGenerator(request.ip ?? '0.0.0.0', 64),
    validate: { trustProxy: false },
    handler: (_request, response, next) => {
      const seconds = Number(response.getHeader('Retry-After') ?? limit.windowSeconds);
      next(
        new Problem(
          'rate-limited',
          `${limit.count} requests per ${limit.windowSeconds} seconds are allowed. Wait ${seconds} seconds.`,
          {
            headers: { 'Retry-After': String(seconds) },
          },
        ),
      );
    },
  });
}
