import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib';
import type { ContentCoding } from './negotiate.ts';
import { toOwnMemory } from './own-memory.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzipCompress);

/** Effort of the encoders: 11 gives the smallest result; 5 takes a hundredth of its time for some more bytes. */
export type Effort = 5 | 11;

/** A body in one coding; null when that is no shorter than the body. */
export async function compressAs(coding: 'br' | 'gzip', body: Buffer, effort: Effort): Promise<Buffer | null> {
  const coded =
    coding === 'br'
      ? await toBrotli(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: effort, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        })
      : await toGzip(body, { level: effort === 11 ? 9 : 6 });
  return coded.length < body.length ? toOwnMemory(coded) : null;
}

/** The coded forms of a body; a form that is no shorter than the body is left out. */
export async function compress(body: Buffer, effort: Effort): Promise<Partial<Record<ContentCoding, Buffer>>> {
  const [br, gzip] = await Promise.all([compressAs('br', body, effort), compressAs('gzip', body, effort)]);
  return { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) };
}
