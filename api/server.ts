import { readFile } from 'node:fs/promises';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type Logger, pino } from 'pino';
import { createAlmanac } from '#almanac/almanac.ts';
import { type BuiltSite, createApp } from './app.ts';
import { createAllowance } from './audits/allowance.ts';
import { createAuditor } from './audits/auditor.ts';
import type { Config } from './config.ts';
import { type AppContext, defaultLimits } from './context.ts';
import { freeOfCharge } from './contract/prices.ts';
import { toUnreadDocument } from './contract/problem.ts';
import { type ProblemSlug, problemType } from './contract/problem-types.ts';
import { keepDirectoryReady } from './directory/live.ts';
import type { Directory } from './directory/store.ts';
import { keepGuestbookReady } from './guestbook/live.ts';
import type { Guestbook } from './guestbook/store.ts';
import { readSiteFiles } from './http/site-files.ts';
import { createSiteFront } from './http/site-front.ts';
import { createDirectoryFetcher } from './identity/key-directories.ts';
import { createSignatureVerifier } from './identity/signatures/signature-verifier.ts';
import type { Ready } from './live/keep-ready.ts';
import { openRenderThread } from './live/render-thread.ts';
import { openOwnerSocket } from './owner/socket.ts';
import { createPayments } from './payments/payments.ts';
import { readBuiltPlaybook } from './playbook/built.ts';
import type { Playbook } from './playbook/playbook.ts';
import { openState, type State } from './state.ts';
import { createCounters } from './stores/counters.ts';

/** A service that listens. */
export interface RunningService {
  server: Server;
  /** Answers what is under way, refuses what is new, and resolves when all is closed. */
  stop(): Promise<void>;
}

const stopWithinSeconds = 9;

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

/** Answers a request that Node could not parse (RFC 9112 section 2.2). */
function answerUnreadable(baseUrl: string, error: NodeJS.ErrnoException, socket: Duplex): void {
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
  const slugs: Record<string, ProblemSlug> = {
    HPE_HEADER_OVERFLOW: 'headers-too-large',
    ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  };
  answerOnSocket(baseUrl, socket, slugs[error.code ?? ''] ?? 'invalid-request');
}

/** Opens the built site: its files in memory, its server build for the live pages, and these with what is stored. */
async function openBuiltSite(
  distDir: string,
  source: { config: Config; log: Logger; guestbook: Guestbook; directory: Directory },
): Promise<BuiltSite & { close(): Promise<void> }> {
  const stamp = JSON.parse(await readFile(join(distDir, 'build.json'), 'utf8')) as { id: string };
  const files = readSiteFiles(join(distDir, 'client'));
  const front = createSiteFront(files, source.config.baseUrl);
  const { render, close } = await openRenderThread(distDir);
  let guestbook: Ready;
  let directory: Ready;
  try {
    guestbook = await keepGuestbookReady({ ...source, front, render });
    directory = await keepDirectoryReady({ ...source, front, render });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    files,
    front,
    render,
    guestbook,
    directory,
    build: stamp.id.slice(0, 12),
    close: () => {
      guestbook.stop();
      directory.stop();
      return close();
    },
  };
}

/** Starts the service on the configured address, with the built site when a folder of it is given. */
export async function startService(
  config: Config,
  options: {
    distDir: string | null;
    /** The playbook, where it is not the one of the built site. */
    playbook?: Playbook;
    limits?: AppContext['limits'];
    now?: () => Date;
  },
): Promise<RunningService> {
  const log = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const now = options.now ?? (() => new Date());
  const state = await openState(config, { now, notice: (sentence) => log.warn(sentence) });
  const closing: (() => Promise<void>)[] = [() => state.close()];
  const close = async (): Promise<void> => {
    for (const job of closing.splice(0).toReversed()) {
      await job();
    }
  };
  try {
    return await serve({ config, log, now, state, closing, close, ...options });
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(parts: {
  config: Config;
  log: Logger;
  now: () => Date;
  state: State;
  /** What has to be closed when the service stops, in the order opened. */
  closing: (() => Promise<void>)[];
  close(): Promise<void>;
  distDir: string | null;
  playbook?: Playbook;
  limits?: AppContext['limits'];
}): Promise<RunningService> {
  const { config, log, now, state, closing, close, distDir } = parts;
  const { guestbook, trustedKeys, ownerLog } = state;
  const site =
    distDir === null ? null : await openBuiltSite(distDir, { config, log, guestbook, directory: state.directory });
  if (site !== null) {
    closing.push(() => site.close());
  }
  const auditService = createAuditor({
    config,
    siteKey: state.siteKey.privateKey,
    audits: state.audits,
    now,
    onFault: (error) => log.error({ err: error }, 'an audit failed'),
  });
  closing.push(() => auditService.stop());
  const counters = state.shared?.counters ?? createCounters({ now });
  const context: AppContext = {
    config,
    almanac: createAlmanac(),
    stores: { guestbook, audits: state.audits, directory: state.directory },
    auditService,
    allowances: {
      audits: createAllowance({ name: 'audits', ...freeOfCharge.audits, counters, now }),
      joins: createAllowance({ name: 'joins', ...freeOfCharge.joins, counters, now }),
    },
    payments: createPayments({
      secret: state.paymentSecret,
      payUrl: `${config.baseUrl}/api/pay`,
      spent: state.paymentsSpent,
      now,
    }),
    playbook: parts.playbook ?? (distDir === null ? null : await readBuiltPlaybook(distDir)),
    published: async () => {
      await Promise.all([site?.guestbook.published(), site?.directory.published()]);
    },
    now,
    log,
    limits: parts.limits ?? defaultLimits,
    sharedCounters: state.shared?.counters ?? null,
    signatures: createSignatureVerifier({
      now,
      baseUrl: config.baseUrl,
      trustedKeys: () => trustedKeys.list(),
      replay: state.usedSignatures,
      fetchDirectory: createDirectoryFetcher({
        userAgent: `Porchlight/1.0 (+${config.baseUrl}/about)`,
        now,
      }),
      onFault: (error) => log.error({ err: error }, 'a signature could not be checked'),
    }),
    siteKey: state.siteKey.privateKey,
    distDir,
  };
  const ownerSocket = await openOwnerSocket({ config, guestbook, trustedKeys, ownerLog, published: context.published });
  closing.push(() => ownerSocket.close());
  if (ownerSocket.path === null) {
    log.warn({ dataDir: config.dataDir }, 'the path of the data folder is too long for a socket: no owner commands');
  }
  const app = createApp(context, site);
  // Room for a URL that is answered with 414 rather than cut off with 431.
  const server = createServer(
    // A request without a Host is refused by the application, with a body that says so.
    {
      maxHeaderSize: 32 * 1024,
      requestTimeout: 15_000,
      headersTimeout: 10_000,
      // How often Node looks for requests that are past these; half a minute unless told.
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
    app,
  );
  server.keepAliveTimeout = 75_000;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerUnreadable(config.baseUrl, error, socket));
  // This is no proxy: a tunnel is asked of it by mistake (RFC 9110 section 9.3.6).
  server.on('connect', (_request, socket) =>
    answerOnSocket(config.baseUrl, socket, 'method-not-allowed', ['Allow: GET, HEAD']),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  log.info({ host: config.host, port: config.port, baseUrl: config.baseUrl, build: site?.build ?? null }, 'listening');

  let stopping: Promise<void> | undefined;
  server.prependListener('request', (_request, response) => {
    if (stopping !== undefined) {
      response.setHeader('Connection', 'close');
    }
  });
  const stop = (): Promise<void> => {
    stopping ??= new Promise((resolve) => {
      // Whoever waits for an audit is answered before the connections are cut.
      void auditService.stop();
      // A connection becomes idle when its answer is out; then nothing more is expected of it.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      const cut = setTimeout(() => server.closeAllConnections(), stopWithinSeconds * 1000);
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(cut);
        resolve(close());
      });
    });
    return stopping;
  };
  return { server, stop };
}
