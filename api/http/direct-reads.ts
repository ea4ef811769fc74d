import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { namesOneHost } from './check-request.ts';
import { openToOtherOrigins } from './cors.ts';
import { hostGuardedPaths } from './cross-site.ts';
import { edgeClientHeader } from './headers.ts';
import { type ContextOptions, createRequestContext } from './request-context.ts';
import { type StaticSite, send } from './static-site.ts';

/** Headers by which a request asks for more than the bytes of a page, or for something else. */
const special = ['if-match', 'transfer-encoding', 'content-length', 'x-request-id', edgeClientHeader.toLowerCase()];

/** True for a read of an address without a query or percent-encoding by a client that says nothing special. */
function isPlain(request: IncomingMessage, trustProxy: Config['trustProxy']): boolean {
  const { method, url = '', headers, rawHeaders, httpVersion } = request;
  return (
    (method === 'GET' || method === 'HEAD') &&
    /^\/[\w./-]{0,1000}$/.test(url) &&
    !special.some((name) => headers[name] !== undefined) &&
    // A proxy that isn't trusted is worth a warning.
    (trustProxy !== null || headers['x-forwarded-for'] === undefined) &&
    namesOneHost(rawHeaders, httpVersion)
  );
}

/**
 * Answers plain reads of built and live pages before the application, whose router takes as long as the rest of such an answer.
 * Whatever needs a second look is left to the application, which gives plain reads the same answer.
 */
export function answerDirectly(
  app: RequestListener,
  site: Pick<StaticSite, 'ready'>,
  { config, ...context }: Omit<ContextOptions, 'baseUrl'> & { config: Pick<Config, 'baseUrl' | 'trustProxy'> },
): RequestListener {
  const begin = createRequestContext({ ...context, baseUrl: config.baseUrl });
  return (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    const { url = '' } = request;
    const body =
      isPlain(request, config.trustProxy) && !hostGuardedPaths.test(url)
        ? site.ready(url, request.headers.accept)
        : undefined;
    if (body === undefined) {
      app(request, response);
      return;
    }
    begin(request, response, randomUUID(), () => 'site');
    openToOtherOrigins(response);
    // The application says what's wrong when the bytes can't be read.
    send(request, response, body)?.catch(() => app(request, response));
  };
}
