import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { namesOneHost } from './check-request.ts';
import { hostGuardedPaths } from './cross-site.ts';
import { commonHeaders, edgeClientHeader, readCorsHeaders } from './headers.ts';
import type { ReadLimit } from './rate-limit.ts';
import { type ContextOptions, createRequestWatch } from './request-context.ts';
import { type ReadyAnswer, type ReadyBody, type StaticSite, toReadyAnswer } from './static-site.ts';

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

/** Says of an address whether it's a proxy whose word counts. */
type TrustsProxy = (address: string, hop: number) => boolean;

/** The address that a request comes from; undefined when it came by more than one proxy. */
function clientOf(request: IncomingMessage, trusts: TrustsProxy): string | undefined {
  const address = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !trusts(address, 0)) {
    return address;
  }
  return /^[\da-f:.]+$/i.test(String(forwarded)) ? String(forwarded) : undefined;
}

/** What keeps a list of the API ready; undefined where none is kept. */
interface ListKeeper {
  list(): ReadyBody | undefined;
}

/** What is read directly: the pages of the site, and the lists of the API that are kept ready. */
interface DirectlyRead {
  staticSite: Pick<StaticSite, 'ready'>;
  guestbook: ListKeeper;
  directory: ListKeeper;
}

interface DirectOptions extends Omit<ContextOptions, 'baseUrl'> {
  config: Pick<Config, 'baseUrl' | 'trustProxy' | 'auditAllowHosts'>;
  /** Counts the reads of the API. */
  reads: Pick<ReadLimit, 'take'>;
  trusts: TrustsProxy;
}

/**
 * Answers plain reads of built and live pages, and of the lists of the API, before the application, whose router takes as long as
 * the rest of such an answer. Whatever needs a second look is left to the application, which gives plain reads the same answer.
 */
export function answerDirectly(
  app: RequestListener,
  { staticSite, guestbook, directory }: DirectlyRead,
  { config, reads, trusts, ...options }: DirectOptions,
): RequestListener {
  const watch = createRequestWatch(options);
  const always = Object.entries({ ...commonHeaders(config.baseUrl), ...readCorsHeaders }).flat();
  const lists = new Map<string, () => ReadyBody | undefined>(
    // Where the Host decides who is answered, it's the application that asks for it.
    config.auditAllowHosts.length > 0
      ? []
      : [
          ['/api/guestbook', guestbook.list],
          ['/api/directory', directory.list],
        ],
  );

  // The lists that bodies give are the same each time: each is joined once.
  const joined = new WeakMap<readonly string[], readonly string[]>();
  const withCommon = (headers: readonly string[]): readonly string[] => {
    const known = joined.get(headers);
    if (known !== undefined) {
      return known;
    }
    const all = [...always, ...headers];
    joined.set(headers, all);
    return all;
  };

  const answer = (
    request: IncomingMessage,
    response: ServerResponse & { req: IncomingMessage },
    body: ReadyBody,
    { route, headers }: { route: string; headers: readonly string[] },
  ): void => {
    const requestId = randomUUID();
    let length: number | null = null;
    watch(request, response, requestId, { route: () => route, length: () => length });
    const write = (ready: ReadyAnswer): void => {
      length = ready.length;
      response.writeHead(ready.status, [...withCommon(ready.headers), 'X-Request-Id', requestId, ...headers]);
      response.end(ready.bytes);
    };
    const ready = toReadyAnswer(request, body);
    if (ready instanceof Promise) {
      // The application says what's wrong when the bytes can't be read.
      ready.then(write, () => app(request, response));
    } else {
      write(ready);
    }
  };

  return (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    const { url = '' } = request;
    if (!isPlain(request, config.trustProxy)) {
      app(request, response);
      return;
    }
    const list = lists.get(url)?.();
    const client = list === undefined ? undefined : clientOf(request, trusts);
    if (list !== undefined && client !== undefined) {
      const left = reads.take(client);
      if (left === null) {
        // The application refuses those who have read too much.
        app(request, response);
      } else {
        answer(request, response, list, { route: url, headers: left });
      }
      return;
    }
    const body = hostGuardedPaths.test(url) ? undefined : staticSite.ready(url, request.headers.accept);
    if (body === undefined) {
      app(request, response);
      return;
    }
    answer(request, response, body, { route: 'site', headers: [] });
  };
}
