import { compress } from './compress.ts';
import { liveCacheControl } from './headers.ts';
import { type ReadyBody, toReadyBody } from './site-front.ts';

/** A document that many read and few change, written down once in each coding, to be sent from memory. */
export async function toReadyJson(document: unknown): Promise<ReadyBody> {
  const identity = Buffer.from(JSON.stringify(document));
  const bytes = { identity, ...(await compress(identity, 5)) };
  return toReadyBody(
    { file: '', type: 'application/json; charset=utf-8', bytes },
    { 'Cache-Control': liveCacheControl, Vary: 'Accept-Encoding' },
  );
}
