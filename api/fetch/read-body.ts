import { Buffer } from 'node:buffer';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';

/** What came of a body: the decoded bytes, whether they are all, and the error that ended it early. */
export interface ReadBody {
  bytes: Buffer;
  truncated: boolean;
  error: Error | null;
}

/** Thrown for a body whose coding is not read. */
export class CodingNotRead extends Error {
  override readonly name = 'CodingNotRead';
}

/** The content codings that are read, for Accept-Encoding. Node before 22.15 knows no zstd. */
export const readCodings: string = ['gzip', 'deflate', 'br', ...('createZstdDecompress' in zlib ? ['zstd'] : [])].join(
  ', ',
);

// RFC 9659: a zstd window above 8 MB is not for the web. Without this a frame of a few bytes can claim 128 MB.
const zstdWindowLog = 23;

function decoderFor(coding: string, firstByte: number): Transform | null {
  switch (coding) {
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: zstdWindowLog } });
    case 'deflate':
      // RFC 9110 section 8.4.1.2 means zlib's format, but servers that send raw deflate are many.
      return (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    default:
      throw new CodingNotRead(`The content coding "${coding.slice(0, 40)}" is not read.`);
  }
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/**
 * Reads a response body to its end, or to `maxBytes` after decoding, whichever comes first. One layer of content coding
 * is undone piece by piece, so that a decompression bomb costs no more than the limit; bytes on the wire count against
 * the same limit, since a stream can also carry much and decode to nothing. Never throws: what came before an error is
 * returned with it. The stream is closed when this returns.
 */
export async function readBody(stream: Readable, contentEncoding: string[], maxBytes: number): Promise<ReadBody> {
  const codings = contentEncoding
    .flatMap((value) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const chunks: Buffer[] = [];
  let size = 0;
  let capped = false;

  async function* onWire(): AsyncGenerator<Buffer> {
    let received = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      received += chunk.length;
      yield chunk;
      if (received > maxBytes) {
        capped = true;
        return;
      }
    }
  }

  async function keep(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) {
      const room = maxBytes - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (chunk.length > room) {
        capped = true;
        return;
      }
    }
  }

  let error: Error | null = null;
  try {
    if (codings.length > 1) {
      throw new CodingNotRead(`The body has ${codings.length} layers of content coding; one is read.`);
    }
    const source = onWire();
    const first = await source.next();
    if (!first.done) {
      const whole = async function* (): AsyncGenerator<Buffer> {
        yield first.value;
        yield* source;
      };
      const decoder = decoderFor(codings[0] ?? 'identity', first.value[0] ?? 0);
      if (decoder === null) {
        await keep(whole());
      } else {
        await pipeline(whole, decoder, keep);
      }
    }
  } catch (reason) {
    // A decoder that is stopped at the limit complains that its stream ended early.
    error = capped ? null : toError(reason);
  } finally {
    stream.destroy();
  }
  return { bytes: Buffer.concat(chunks), truncated: capped || error !== null, error };
}
