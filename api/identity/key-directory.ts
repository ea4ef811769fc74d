import type { KeyObject } from 'node:crypto';
import { Router } from 'express';
import type { Config } from '../config.ts';
import { keyDirectoryMediaType, keyDirectoryPath } from './signatures/key-directory.ts';
import { signKeyDirectory, toKeyDirectory } from './signatures/to-key-directory.ts';

/** The directory of the site's own public keys. Each answer is signed, which proves that the site holds the keys. */
export function keyDirectory({
  siteKey,
  config,
  now,
}: {
  siteKey: KeyObject;
  config: Pick<Config, 'baseUrl'>;
  now(): Date;
}): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const body = Buffer.from(JSON.stringify(toKeyDirectory([siteKey])));
  router.get(keyDirectoryPath, (_request, response) => {
    const proof = signKeyDirectory({ body, origin: config.baseUrl, privateKey: siteKey, now: now() });
    response.set({ ...proof, 'Cache-Control': 'public, max-age=300', 'Content-Length': String(body.length) });
    // Not by Express, which would add a charset that the media type does not have.
    response.setHeader('Content-Type', keyDirectoryMediaType);
    response.end(body);
  });
  return router;
}
