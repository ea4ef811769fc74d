import { generateKeyPairSync } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createAlmanac } from '#almanac/almanac.ts';
import { type AppContext, createApp } from '#api/app.ts';
import { auditReport } from '#api/audit/report.ts';
import { createAllowance } from '#api/audits/allowance.ts';
import { createAuditor } from '#api/audits/auditor.ts';
import type { AuditService } from '#api/audits/service.ts';
import { createAudits } from '#api/audits/store.ts';
import { readConfig } from '#api/config.ts';
import { defaultLimits } from '#api/contract/limits.ts';
import { freeOfCharge } from '#api/contract/prices.ts';
import { createDirectory, type Directory, findListing } from '#api/directory/store.ts';
import { createGuestbook, type Guestbook } from '#api/guestbook/store.ts';
import { createReplayCache } from '#api/identity/signatures/replay-cache.ts';
import { createSignatureVerifier } from '#api/identity/signatures/signature-verifier.ts';
import { createTrustedKeys, type TrustedKeys } from '#api/identity/trusted-keys.ts';
import { createPayments } from '#api/payments/payments.ts';
import { createPaymentsSpent } from '#api/payments/spent.ts';
import { createCounters } from '#api/stores/counters.ts';
import { auditHere } from './audits-here.ts';
import { withoutSite } from './without-site.ts';

/** Its indexes are built once for all applications of a file. */
const almanac = createAlmanac();

export const testBaseUrl = 'https://porch.example';

/** The moment at which every test application stands. */
export const testMoment = new Date('2026-11-21T12:00:00.000Z');

/** The API alone, without a built site, a clock that stands still and a log that is kept. */
export interface TestApp {
  app: ReturnType<typeof createApp>;
  /** Lines of the log so far, parsed. */
  log: Record<string, unknown>[];
  /** The log as it was written. */
  logText(): string;
  guestbook: Guestbook;
  trustedKeys: TrustedKeys;
  directory: Directory;
  context: AppContext;
}

/** Builds the application in memory. Variables of the environment and limits are those of the service unless given. */
export function createTestApp(
  options: {
    environment?: Record<string, string>;
    limits?: Partial<AppContext['limits']>;
    now?: () => Date;
    nameServers?: string[];
    /** In place of the one that fetches. */
    auditService?: AuditService;
    fetchDirectory?: (url: URL) => Promise<unknown>;
  } = {},
): TestApp {
  const log: Record<string, unknown>[] = [];
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      log.push(JSON.parse(chunk.toString('utf8')) as Record<string, unknown>);
      done();
    },
  });
  const now = options.now ?? (() => testMoment);
  const guestbook = createGuestbook({ now });
  const trustedKeys = createTrustedKeys({ now });
  const audits = createAudits({ report: auditReport, now });
  const directory = createDirectory();
  const siteKey = generateKeyPairSync('ed25519').privateKey;
  const config = readConfig({ BASE_URL: testBaseUrl, ...options.environment });
  const context: AppContext = {
    config,
    almanac,
    log: pino({ level: 'trace', base: null }, stream),
    sharedCounters: null,
    limits: { ...defaultLimits, ...options.limits },
    now,
    guestbook,
    audits,
    directory,
    findListing: (origin) => findListing(directory, origin),
    auditService:
      options.auditService ??
      createAuditor({
        config,
        siteKey,
        audits,
        counters: createCounters({ now }),
        now,
        onError: (error) => log.push({ fault: String(error) }),
        openProcess: auditHere,
        ...(options.nameServers === undefined ? {} : { nameServers: options.nameServers }),
      }),
    freeAudits: createAllowance({ name: 'audits', ...freeOfCharge.audits, counters: createCounters({ now }), now }),
    joins: createAllowance({ name: 'joins', ...freeOfCharge.joins, counters: createCounters({ now }), now }),
    payments: createPayments({
      secret: Buffer.alloc(32, 7),
      payUrl: `${config.baseUrl}/api/pay`,
      spent: createPaymentsSpent({ now }),
      now,
    }),
    playbook: withoutSite.playbook,
    waitUntilVisible: async () => undefined,
    signatures: createSignatureVerifier({
      now,
      baseUrl: config.baseUrl,
      trustedKeys: () => trustedKeys.list(),
      replay: createReplayCache(),
      ...(options.fetchDirectory === undefined ? {} : { fetchDirectory: options.fetchDirectory }),
    }),
    siteKey,
  };
  return { app: createApp(context, withoutSite), log, logText: () => text, guestbook, trustedKeys, directory, context };
}
