import type { Server } from 'node:http';
import { type Logger, pino } from 'pino';
import { createAlmanac } from '#almanac/almanac.ts';
import { type AppContext, createApp } from './app.ts';
import { createAllowance } from './audits/allowance.ts';
import { createAuditor } from './audits/auditor.ts';
import type { Config } from './config.ts';
import { defaultLimits, type Limits } from './contract/limits.ts';
import { freeOfCharge } from './contract/prices.ts';
import { findListing } from './directory/store.ts';
import { listen, stopListening } from './http/listen.ts';
import { createDirectoryFetcher } from './identity/key-directories.ts';
import { createSignatureVerifier } from './identity/signatures/signature-verifier.ts';
import { openOwnerSocket } from './owner/socket.ts';
import { createPayments } from './payments/payments.ts';
import { openBuiltSite, type Site, type SiteSource } from './site.ts';
import { openState, type State } from './state.ts';
import { createCounters } from './stores/counters.ts';
import { version } from './version.ts';

/** A service that listens. */
export interface RunningService {
  server: Server;
  /** Answers running requests, refuses new ones, and resolves when all is closed. */
  stop(): Promise<void>;
}

interface ServiceOptions {
  /** Opens the site to serve; the built one by default. */
  openSite?: (source: SiteSource) => Promise<Site>;
  limits?: Limits;
  now?: () => Date;
}

const stopWithinSeconds = 9;

/** What the application is built from, for a service that runs. */
function toContext(
  parts: { config: Config; log: Logger; limits: Limits; now: () => Date },
  state: State,
  site: Site,
): AppContext {
  const { config, log, now } = parts;
  const { guestbook, audits, directory, trustedKeys } = state;
  const counters = state.shared?.counters ?? createCounters({ now });
  return {
    ...parts,
    almanac: createAlmanac(site.passages),
    guestbook,
    audits,
    directory,
    findListing: (origin) => findListing(directory, origin),
    auditService: createAuditor({
      config,
      siteKey: state.siteKey.privateKey,
      audits,
      now,
      onError: (error) => log.error({ err: error }, 'an audit failed'),
    }),
    freeAudits: createAllowance({ name: 'audits', ...freeOfCharge.audits, counters, now }),
    joins: createAllowance({ name: 'joins', ...freeOfCharge.joins, counters, now }),
    sharedCounters: state.shared?.counters ?? null,
    payments: createPayments({
      secret: state.paymentSecret,
      payUrl: `${config.baseUrl}/api/pay`,
      spent: state.paymentsSpent,
      now,
    }),
    playbook: site.playbook,
    waitUntilVisible: async () => {
      await Promise.all([site.guestbook.waitUntilVisible(), site.directory.waitUntilVisible()]);
    },
    signatures: createSignatureVerifier({
      now,
      baseUrl: config.baseUrl,
      trustedKeys: () => trustedKeys.list(),
      replay: state.usedSignatures,
      fetchDirectory: createDirectoryFetcher({ userAgent: `Porchlight/${version} (+${config.baseUrl}/about)`, now }),
      onError: (error) => log.error({ err: error }, 'a signature could not be checked'),
    }),
    siteKey: state.siteKey.privateKey,
  };
}

/** Starts the service on the configured address. What it has opened is closed again when it can't start. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<RunningService> {
  const { openSite = openBuiltSite, limits = defaultLimits, now = () => new Date() } = options;
  const log = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  // What is open, in the order opened.
  const opened: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).toReversed()) {
      await each.close();
    }
  };
  try {
    const state = await openState(config, { now, notice: (sentence) => log.warn(sentence) });
    opened.push(state);
    const { guestbook, directory, trustedKeys, ownerLog } = state;
    const site = await openSite({ config, log, guestbook, directory });
    opened.push(site);
    const context = toContext({ config, log, limits, now }, state, site);
    const { auditService, waitUntilVisible } = context;
    opened.push({ close: () => auditService.stop() });
    const ownerSocket = await openOwnerSocket({ config, guestbook, trustedKeys, ownerLog, waitUntilVisible });
    opened.push(ownerSocket);
    if (ownerSocket.path === null) {
      log.warn({ dataDir: config.dataDir }, 'the path of the data folder is too long for a socket: no owner commands');
    }
    const server = await listen(createApp(context, site), config);
    const { host, port, baseUrl } = config;
    log.info({ host, port, baseUrl, build: site.build }, 'listening');

    let stopping: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      // Whoever waits for an audit is answered before the connections are cut.
      void auditService.stop();
      stopping ??= stopListening(server, stopWithinSeconds).then(close);
      return stopping;
    };
    return { server, stop };
  } catch (error) {
    await close();
    throw error;
  }
}
