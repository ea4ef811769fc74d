import type { RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';

const longestTarget = 8 * 1024;

const longestBody = 16 * 1024;

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port (RFC 9112 section 3.2). */
const hostForm = /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** False for a request without a Host, with two of them, or with one that is none (RFC 9112 section 3.2). */
export function namesOneHost(rawHeaders: readonly string[], httpVersion: string): boolean {
  let hosts = 0;
  let host = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
      host = rawHeaders[index + 1] ?? '';
    }
  }
  return hosts === 0 ? httpVersion === '1.0' : hosts === 1 && (host === '' || hostForm.test(host));
}

/** Refuses a target that is too long (RFC 9110 section 15.5.15), is no path or has a broken percent-encoding. */
export function checkTarget(target: string): void {
  if (target.length > longestTarget) {
    throw new Problem(
      'uri-too-long',
      `The request target has ${target.length} bytes; at most ${longestTarget} are taken.`,
    );
  }
  const [path = ''] = target.split('?');
  if (!path.startsWith('/')) {
    throw new Problem('invalid-request', `The target ${path.slice(0, 100)} is no path. Ask for a path.`);
  }
  if (/%(?![\da-f]{2})/i.test(path)) {
    throw new Problem('invalid-request', 'The path has a broken percent-encoding. Encode it as RFC 3986 says.');
  }
  if (path.includes('%00')) {
    throw new Problem('invalid-request', 'The path holds an encoded NUL character, which no address here has.');
  }
}

/** Refuses a body that is announced as too long (RFC 9110 section 15.5.14). */
export function checkAnnouncedBody(contentLength: string | undefined): void {
  if (Number(contentLength ?? 0) > longestBody) {
    throw new Problem(
      'body-too-large',
      `The body is longer than ${longestBody.toLocaleString('en')} bytes. Send less.`,
    );
  }
}

/**
 * Refuses what no address takes: besides the above, a Host header that is missing or wrong, and a transfer coding (RFC
 * 9112 section 6.1).
 */
export const checkRequest: RequestHandler = (request, _response, next) => {
  if (!namesOneHost(request.rawHeaders, request.httpVersion)) {
    throw new Problem('invalid-request', 'A request has one Host header that names a host. Send one.');
  }
  const transferCoding = request.headers['transfer-encoding'];
  if (transferCoding !== undefined && transferCoding.toLowerCase() !== 'chunked') {
    throw new Problem('invalid-request', 'The only transfer coding that is read is chunked.');
  }
  checkTarget(request.url);
  checkAnnouncedBody(request.headers['content-length']);
  next();
};
