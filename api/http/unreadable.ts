import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { toUnreadDocument } from '../contract/problem.ts';
import { type ProblemSlug, problemType } from '../contract/problem-types.ts';

/** Answers on a connection for whose request there is no response object, and closes it. */
function answerOnSocket(baseUrl: string, socket: Duplex, slug: ProblemSlug, headers: string[] = []): void {
  const type = problemType(slug);
  const body = JSON.stringify(toUnreadDocument(slug, { baseUrl, instance: '/', requestId: 'unread' }));
  socket.end(
    [
      `HTTP/1.1 ${type.status} ${STATUS_CODES[type.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Agent-Welcome: ${baseUrl}/llms.txt`,
      'Cache-Control: no-store',
      ...headers,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const slugByCode: Partial<Record<string, ProblemSlug>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Answers a request that Node could not parse (RFC 9112 section 2.2). */
function answerClientError(baseUrl: string, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // As Node's own handler does: a request can be answered before the rest of it turns out to be unreadable.
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } | null };
  if (answer?.headersSent) {
    socket.end();
    return;
  }
  answerOnSocket(baseUrl, socket, slugByCode[error.code ?? ''] ?? 'invalid-request');
}

/** Answers what reaches no application: requests that cannot be parsed, and CONNECT. */
export function answerUnreadable(server: Server, baseUrl: string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerClientError(baseUrl, error, socket));
  // This is no proxy: a tunnel is requested by mistake (RFC 9110 section 9.3.6).
  server.on('connect', (_request, socket) =>
    answerOnSocket(baseUrl, socket, 'method-not-allowed', ['Allow: GET, HEAD']),
  );
}
