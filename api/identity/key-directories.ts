import { Resolver } from 'node:dns/promises';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import { publicPolicy, type TargetPolicy } from '../fetch/target.ts';
import { keyDirectoryMediaType } from './signatures/key-directory.ts';

const longestDirectory = 64 * 1024;

/**
 * Makes the fetcher of other sites' key directories. It goes through the guarded fetch: public addresses only, no
 * redirects, 64 KiB, five seconds. It rejects with a sentence that the sender of the signed request may read.
 */
export function createDirectoryFetcher(options: {
  userAgent: string;
  now: () => Date;
  policy?: TargetPolicy;
}): (url: URL) => Promise<unknown> {
  const { userAgent, now, policy = publicPolicy } = options;
  return async (url) => {
    const fetch = createGuardedFetch({
      resolver: new Resolver({ timeout: 2000, tries: 2 }),
      policy,
      identity: { userAgent },
      now,
    });
    try {
      const exchange = await fetch(url.href, {
        headers: { accept: `${keyDirectoryMediaType}, application/json;q=0.5` },
        followRedirects: false,
        maxBodyBytes: longestDirectory,
      });
      if (exchange.outcome !== 'ok') {
        throw new Error(exchange.error ?? 'It did not answer.');
      }
      if (exchange.status !== 200) {
        throw new Error(`It answered with status ${exchange.status}; 200 is expected.`);
      }
      if (exchange.truncated) {
        throw new Error(`It is longer than ${longestDirectory} bytes.`);
      }
      try {
        return JSON.parse(exchange.body) as unknown;
      } catch (cause) {
        throw new Error('It is not JSON.', { cause });
      }
    } finally {
      await fetch.close();
    }
  };
}
