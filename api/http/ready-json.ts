import type { Effort } from './compress.ts';
import { liveCacheControl } from './headers.ts';
import { type ReadyBody, toLiveBody } from './static-site.ts';

/** A document that many read and few change, as JSON that was written down once, to be sent from memory. */
export const toReadyJson = (json: string, cacheControl = liveCacheControl, effort: Effort = 5): ReadyBody =>
  toLiveBody(
    json,
    { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' },
    effort,
  );
