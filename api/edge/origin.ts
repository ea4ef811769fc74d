import { edgeClientHeader } from '../http/headers.ts';

/** The service behind a worker. */
export interface Origin {
  /** Scheme and host, without a slash at the end. */
  url: string;
  /** What the worker shares with the service, so that it is believed who the client is; null when nothing is set. */
  secret: string | null;
  /** Address of the client; null when the host doesn't tell. */
  clientAddress: string | null;
}

/** Headers that belong to one connection (RFC 9110 section 7.6.1). */
const hopHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade'];

/** Those, and what follows from the request that is sent. */
const ownHeaders = [...hopHeaders, 'expect', 'host', 'content-length'];

/** The answer without the headers of the connection that it came on, where the runtime shows them. */
function toOwnAnswer(answer: Response): Response {
  if (!hopHeaders.some((name) => answer.headers.has(name))) {
    return answer;
  }
  const headers = new Headers(answer.headers);
  for (const name of hopHeaders) {
    headers.delete(name);
  }
  return new Response(answer.body, { status: answer.status, headers });
}

/** Statuses by which what stands before a service says that the service is away; above 519 are Cloudflare's. */
const isAway = (status: number): boolean => (status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/**
 * Passes a request on to the origin and resolves with its answer as it comes; null when there is none within the seconds given,
 * or only what says that the service is away. A problem that the service itself sends is an answer, unless a page stands in.
 */
export async function askOrigin(
  request: Request,
  url: URL,
  options: { origin: Origin | null; seconds: number; isCoded: boolean; isReplaceable: boolean },
): Promise<Response | null> {
  const { origin, seconds, isCoded, isReplaceable } = options;
  if (origin === null) {
    return null;
  }
  const headers = new Headers(request.headers);
  for (const name of ownHeaders) {
    headers.delete(name);
  }
  headers.delete(edgeClientHeader);
  if (origin.secret !== null && origin.clientAddress !== null) {
    headers.set(edgeClientHeader, `${origin.secret} ${origin.clientAddress}`);
  }
  if (!isCoded) {
    headers.set('accept-encoding', 'identity');
  }
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), seconds * 1000);
  try {
    const answer = await fetch(`${origin.url}${url.pathname}${url.search}`, {
      ...{ method: request.method, headers, redirect: 'manual', signal: abort.signal },
      // A body of unknown length is sent as it comes.
      ...(request.body === null ? {} : { body: request.body, duplex: 'half' }),
    } as RequestInit);
    const isProblem = answer.headers.get('content-type') === 'application/problem+json';
    if (isAway(answer.status) && (isReplaceable || !isProblem)) {
      await answer.body?.cancel();
      return null;
    }
    return toOwnAnswer(answer);
  } catch {
    // Nobody answered, or the runtime doesn't send such a request.
    return null;
  } finally {
    clearTimeout(timer);
  }
}
