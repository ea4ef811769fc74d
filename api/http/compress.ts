import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ContentCoding } from './negotiate.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Effort of the encoders: 11 gives the smallest result; 5 takes a hundredth of its time for some more bytes. */
export type Effort = 5 | 11;

/** The coded forms of a body; a form that is no shorter than the body is left out. */
export async function compress(body: Buffer, effort: Effort): Promise<Partial<Record<ContentCoding, Buffer>>> {
  const [br, gz] = await Promise.all([
    toBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: effort, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    toGzip(body, { level: effort === 11 ? 9 : 6 }),
  ]);
  return { ...(br.length < body.length ? { br } : {}), ...(gz.length < body.length ? { gzip: gz } : {}) };
}
