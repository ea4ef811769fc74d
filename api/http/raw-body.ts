import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';

const longest = 16 * 1024;

const bodies = new WeakMap<IncomingMessage, Buffer[]>();

/**
 * Keeps the bytes of the body as they came, besides what a parser makes of them: a digest of the content covers these
 * (RFC 9530 section 2). It runs right before the parser, which has to listen before the first bytes come.
 */
export const keepRawBody: RequestHandler = (request, _response, next) => {
  const chunks: Buffer[] = [];
  let length = 0;
  bodies.set(request, chunks);
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= longest) {
      chunks.push(chunk);
    }
  });
  next();
};

/** The bytes of the body as they came; empty when there was none. */
export const rawBodyOf = (request: IncomingMessage): Buffer => Buffer.concat(bodies.get(request) ?? []);

/** Refuses a body whose Content-Type names another charset than UTF-8 (RFC 8259 section 8.1 for JSON; forms alike). */
export const refuseOtherCharsets: RequestHandler = (request, _response, next) => {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(request.headers['content-type'] ?? '') ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw new Problem('unsupported-media-type', `The charset ${charset.slice(0, 40)} is not read here. Send UTF-8.`);
  }
  next();
};
