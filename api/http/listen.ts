import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { answerUnreadable } from './unreadable.ts';

/** Brings a target in absolute form, as it's sent to proxies, into the form of a path (RFC 9112 section 3.2.2). */
function toOriginForm(request: IncomingMessage): void {
  const { url = '' } = request;
  if (url.startsWith('/')) {
    return;
  }
  const [authority] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  if (authority !== undefined) {
    const rest = url.slice(authority.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
  }
}

/**
 * How many connections may wait until they're accepted. Node sets this anew on a socket that it's given, to 511 if nothing else
 * is said, and a request that comes while an instance is replaced waits there: as many as deploy/porchlight.socket says.
 */
const waitingConnections = 1024;

/** The connections of each server that listens. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Starts a server with limits on how slow and how long requests may be, on a socket that was opened for it or on an address.
 * Rejects when that can't be used.
 */
export async function listen(
  app: RequestListener,
  { host, port, listenFd = null, baseUrl }: { host: string; port: number; listenFd?: number | null; baseUrl: string },
): Promise<Server> {
  const server = createServer(
    {
      // Room for a URL that is answered with 414 rather than cut off with 431.
      maxHeaderSize: 32 * 1024,
      requestTimeout: 15_000,
      headersTimeout: 10_000,
      // How often Node looks for requests that are past these; half a minute by default.
      connectionsCheckingInterval: 2_000,
      // A request without a Host is refused by the application, with a body that says so.
      requireHostHeader: false,
    },
    (request, response) => {
      toOriginForm(request);
      app(request, response);
    },
  );
  server.keepAliveTimeout = 75_000;
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  answerUnreadable(server, baseUrl);
  // An expectation that we don't know may be ignored (RFC 9110 section 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listenFd === null ? { port, host } : { fd: listenFd }, waitingConnections, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

/** How long a connection that was accepted may take to send its request, once no more are accepted. */
const lastRequestMs = 300;

/** Refuses new connections, and resolves when running requests are answered or `withinSeconds` are over. */
export function stopListening(server: Server, withinSeconds: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  return new Promise((resolve) => {
    // A connection becomes idle when its answer is sent; then nothing more is expected of it. Before its first request it's
    // idle too, and that may be on its way.
    const begin = performance.now() + lastRequestMs;
    // To Node a connection is idle as soon as its answer is written, while most of it may wait for a client that reads slowly.
    const isSending = (): boolean =>
      [...(connections.get(server) ?? [])].some(({ writableLength }) => writableLength > 0);
    const sweep = setInterval(() => {
      if (performance.now() > begin && !isSending()) {
        server.closeIdleConnections();
      }
    }, 100);
    const cut = setTimeout(() => server.closeAllConnections(), withinSeconds * 1000);
    // The server's own close would cut idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}
