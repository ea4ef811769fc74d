import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { createAlmanac } from '#almanac/almanac.ts';
import { type AppContext, createApp } from './app.ts';
import { createAllowance } from './audits/allowance.ts';
import { createAuditor } from './audits/auditor.ts';
import type { AuditProcess } from './audits/process.ts';
import type { AuditService } from './audits/service.ts';
import type { AuditorSettings } from './audits/task.ts';
import type { Config } from './config.ts';
import { defaultLimits, type Limits } from './contract/limits.ts';
import { freeOfCharge } from './contract/prices.ts';
import { openRechecker } from './directory/recheck.ts';
import { findListing } from './directory/store.ts';
import { answerDirectly } from './http/direct-reads.ts';
import { listen, stopListening } from './http/listen.ts';
import { limitReads } from './http/rate-limit.ts';
import { createDirectoryFetcher } from './identity/key-directories.ts';
import { createSignatureVerifier } from './identity/signatures/signature-verifier.ts';
import { openMonitor } from './monitoring/listener.ts';
import { createMetrics, type Metrics } from './monitoring/metrics.ts';
import { createReadiness } from './monitoring/readiness.ts';
import { releaseAtRest } from './monitoring/rest.ts';
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
  /** Opens a process for audits; one of its own unless given. */
  openAuditProcess?: (settings: AuditorSettings) => AuditProcess;
}

const stopWithinSeconds = 9;

/** What the application is built from, for a service that runs. */
function toContext(
  parts: { config: Config; log: Logger; limits: Limits; now: () => Date },
  state: State,
  site: Site,
  openProcess: ServiceOptions['openAuditProcess'],
): AppContext {
  const { config, log, now } = parts;
  const { guestbook, audits, directory, trustedKeys } = state;
  const counters = state.shared?.counters ?? createCounters({ now });
  return {
    ...parts,
    almanac: createAlmanac(site.passages, site.readPrepared),
    guestbook,
    audits,
    directory,
    findListing: (origin) => findListing(directory, origin),
    auditService: createAuditor({
      config,
      siteKey: state.siteKey.privateKey,
      audits,
      counters,
      shared: state.shared && { database: state.shared.database, secret: state.paymentSecret },
      now,
      ...(openProcess === undefined ? {} : { openProcess }),
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

/** Opens the listener of the operators, where one is configured. */
async function watch(
  config: Config,
  parts: { state: State; site: Site; auditService: AuditService; isStopping(): boolean },
): Promise<{ observe?: Metrics['observe']; close(): Promise<void> }> {
  if (config.metricsListen === null) {
    return { close: async () => undefined };
  }
  const { state, site, auditService, isStopping } = parts;
  const database = state.shared?.database ?? null;
  const behindSeconds = (): number => Math.max(site.guestbook.behindSeconds(), site.directory.behindSeconds());
  const metrics = createMetrics({
    ...{ instance: config.instance, baseUrl: config.baseUrl, build: site.build, database, behindSeconds },
    audits: () => auditService.load,
    entries: () => ({
      guestbook: state.guestbook.totals().total,
      directory: state.directory.list().length,
      reports: state.audits.list().length,
    }),
  });
  const readiness = createReadiness({ dataDir: config.dataDir, database, behindSeconds, isStopping });
  const { close } = await openMonitor(config.metricsListen, { metrics, readiness });
  return { observe: metrics.observe, close };
}

/** Starts the service on the configured address. What it has opened is closed again when it can't start. */
export async function startService(config: Config, options: ServiceOptions = {}): Promise<RunningService> {
  const { openSite = openBuiltSite, limits = defaultLimits, now = () => new Date() } = options;
  const log = pino({
    level: config.logLevel,
    base: { instance: config.instance },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  // What is open, in the order opened.
  const opened: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).toReversed()) {
      await each.close();
    }
  };
  try {
    const state = await openState(config, { now, warn: (sentence) => log.warn(sentence) });
    opened.push(state);
    const { audits, guestbook, directory, trustedKeys, ownerLog } = state;
    const site = await openSite({
      ...{ config, log, guestbook, directory },
      scoresOf: (home) =>
        audits
          .results(home)
          .map(({ score }) => score)
          .toReversed(),
    });
    opened.push(site);
    const context = toContext({ config, log, limits, now }, state, site, options.openAuditProcess);
    const { auditService, waitUntilVisible } = context;
    opened.push({ close: () => auditService.stop() });
    const rechecker = openRechecker({
      ...{ directory, auditService, now, counters: context.sharedCounters ?? createCounters({ now }) },
      onError: (error) => log.warn({ err: error }, 'a site of the directory could not be checked again'),
    });
    opened.push(rechecker);
    const ownerSocket = await openOwnerSocket({
      ...{ config, guestbook, trustedKeys, directory, rechecker, ownerLog, waitUntilVisible },
      backup: { ...state, siteKey: state.siteKey.privateKey, now },
    });
    opened.push(ownerSocket);
    if (ownerSocket.path === null) {
      log.warn({ dataDir: config.dataDir }, 'the path of the data folder is too long for a socket: no owner commands');
    }
    let stopping: Promise<void> | undefined;
    const monitor = await watch(config, { state, site, auditService, isStopping: () => stopping !== undefined });
    opened.push(monitor);
    opened.push(releaseAtRest({ held: [site, context.almanac] }));
    const { observe } = monitor;
    const reads = limitReads(limits.read);
    const app = createApp({ ...context, observe }, site, reads);
    const direct = answerDirectly(app, site, { config, log, observe, reads, trusts: app.get('trust proxy fn') });
    const server = await listen(direct, config);
    const { host, port, baseUrl } = config;
    const engine = state.shared === null ? 'files' : 'PostgreSQL';
    log.info({ host, port, baseUrl, build: site.build, engine }, 'listening');

    const end = async (): Promise<void> => {
      if (config.drainSeconds > 0) {
        // Whoever sends requests here has time to see that it should no more.
        await wait(config.drainSeconds * 1000);
      }
      // Whoever waits for an audit is answered before the connections are cut.
      void auditService.stop();
      await stopListening(server, stopWithinSeconds);
      await close();
      log.info('stopped');
    };
    const stop = (): Promise<void> => {
      stopping ??= end();
      return stopping;
    };
    return { server, stop };
  } catch (error) {
    await close();
    throw error;
  }
}
