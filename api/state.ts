import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditReport, auditReport } from './audit/report.ts';
import { type Audits, openAudits } from './audits/store.ts';
import type { Config } from './config.ts';
import { type Directory, openDirectory } from './directory/store.ts';
import { openSharedTally, type SharedTally } from './guestbook/shared-tally.ts';
import { type Guestbook, openGuestbook, tallySeconds } from './guestbook/store.ts';
import { createKeyPem, type KeyPair, openKeyPair, readKeyPair, toKeyPair } from './identity/signatures/key-pair.ts';
import { openReplayCache, type ReplayCache } from './identity/signatures/replay-cache.ts';
import { openSharedReplayCache } from './identity/signatures/shared-replay-cache.ts';
import { openTrustedKeys, type TrustedKeys } from './identity/trusted-keys.ts';
import { type OwnerLog, openOwnerLog } from './owner/log.ts';
import { openSharedOwnerLog } from './owner/shared-log.ts';
import { createPaymentSecret, openPaymentSecret, readPaymentSecret, toPaymentSecret } from './payments/secret.ts';
import { openPaymentsSpent, type PaymentsSpent } from './payments/spent.ts';
import type { Counters } from './stores/counters.ts';
import type { StoreOptions, StoreSnapshot } from './stores/durable-store.ts';
import { refuseWritable } from './stores/file-modes.ts';
import { openPostgresCounters } from './stores/postgres/counters.ts';
import { type Database, openDatabase } from './stores/postgres/database.ts';
import { openSecret } from './stores/postgres/secret.ts';

/** What the service keeps, in its data folder or in a database that it shares with others. */
export interface State {
  guestbook: Guestbook;
  trustedKeys: TrustedKeys;
  /** The last report on each site. */
  audits: Audits<AuditReport>;
  directory: Directory;
  paymentsSpent: PaymentsSpent;
  /** By which the service knows its own quotes and payments; made at the first start. */
  paymentSecret: Uint8Array;
  ownerLog: OwnerLog;
  /** The key pair by which the site signs; made at the first start. */
  siteKey: KeyPair;
  /** Signatures that were accepted already. */
  usedSignatures: ReplayCache;
  /** Every store as it is now, for a backup. */
  snapshots(): StoreSnapshot[];
  /** What is shared with other instances; null when this one is alone. */
  shared: { database: Database; counters: Counters } | null;
  /** Waits for what is being written and lets go of files and connections. */
  close(): Promise<void>;
}

type StateConfig = Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'databasePasswordFile' | 'databasePool' | 'siteKeyFile' | 'paymentSecretFile'
>;

interface Outside {
  now: () => Date;
  warn: (sentence: string) => void;
}

type Closable = { close(): void | Promise<void> };

/** What every engine keeps as stores, opened one after the other. The first one's lock tells whether another process is there. */
async function openStores(
  placeOf: (name: string) => StoreOptions,
  keep: <Opened extends Closable>(each: Opened) => Opened,
  { now, warn }: Outside,
  { secret, shared }: { secret: () => Uint8Array; shared?: Pick<SharedTally, 'tally' | 'companion'> },
) {
  const readers: (() => StoreSnapshot)[] = [];
  const toOptions = (name: string) => ({
    ...placeOf(name),
    now,
    warn,
    onOpen: (read: () => Omit<StoreSnapshot, 'name'>) => readers.push(() => ({ name, ...read() })),
  });
  return {
    snapshots: () => readers.map((read) => read()),
    guestbook: keep(await openGuestbook({ ...toOptions('guestbook'), ...shared, secret })),
    trustedKeys: keep(await openTrustedKeys(toOptions('trusted-keys'))),
    audits: keep(await openAudits({ ...toOptions('audits'), report: auditReport })),
    directory: keep(await openDirectory(toOptions('directory'))),
    paymentsSpent: keep(await openPaymentsSpent(toOptions('payments-spent'))),
  };
}

function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be made. Set DATA_DIR to a folder that is writable.`, { cause });
  }
  refuseWritable(dataDir);
}

async function openFileState(
  config: StateConfig,
  keep: <Opened extends Closable>(each: Opened) => Opened,
  outside: Outside,
): Promise<Omit<State, 'close'>> {
  const { now } = outside;
  const inFolder = (name: string): string => join(config.dataDir, name);
  // The lock of the first store comes before anything is made.
  let secret: Uint8Array = new Uint8Array();
  const stores = await openStores((name) => ({ file: inFolder(`${name}.json`) }), keep, outside, {
    secret: () => secret,
  });
  secret =
    config.paymentSecretFile === null
      ? await openPaymentSecret(inFolder('payment-secret.json'))
      : readPaymentSecret(config.paymentSecretFile);
  return {
    ...stores,
    ownerLog: keep(await openOwnerLog({ file: inFolder('owner-log.jsonl'), now })),
    siteKey: config.siteKeyFile === null ? openKeyPair(inFolder('site-key.pem')) : readKeyPair(config.siteKeyFile),
    usedSignatures: keep(openReplayCache(inFolder('used-signatures.txt'), { now })),
    paymentSecret: secret,
    shared: null,
  };
}

async function openSharedState(
  config: StateConfig & { databaseUrl: string },
  keep: <Opened extends Closable>(each: Opened) => Opened,
  outside: Outside,
): Promise<Omit<State, 'close'>> {
  const { now, warn } = outside;
  const { databaseUrl: url, databasePasswordFile: passwordFile, databasePool: connections } = config;
  const database = keep(await openDatabase({ url, passwordFile, connections, warn }));
  const siteKey =
    config.siteKeyFile === null
      ? toKeyPair('The key in the database', await openSecret(database, 'site-key', createKeyPem))
      : readKeyPair(config.siteKeyFile);
  const paymentSecret =
    config.paymentSecretFile === null
      ? toPaymentSecret('The secret in the database', await openSecret(database, 'payment-secret', createPaymentSecret))
      : readPaymentSecret(config.paymentSecretFile);
  const writers = keep(openSharedTally(database, { windowSeconds: tallySeconds, now, secret: paymentSecret }));
  const { tally, companion } = writers;
  const stores = await openStores((name) => ({ database, name }), keep, outside, {
    secret: () => paymentSecret,
    shared: { tally, companion },
  });
  return {
    ...stores,
    ownerLog: openSharedOwnerLog(database, { now }),
    siteKey,
    usedSignatures: keep(openSharedReplayCache(database, { now })),
    paymentSecret,
    shared: { database, counters: keep(openPostgresCounters(database, { now, secret: paymentSecret })) },
  };
}

/**
 * Opens what the service keeps, making what is missing. Throws an Error, and changes nothing, when another process has the
 * data folder, when something in it or in the database is damaged, or when it cannot be used.
 */
export async function openState(config: StateConfig, outside: Outside): Promise<State> {
  const opened: Closable[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).toReversed()) {
      await each.close();
    }
  };
  const keep = <Opened extends Closable>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  try {
    // The owner's socket is there whatever the engine is.
    prepareFolder(config.dataDir);
    const { databaseUrl } = config;
    const state =
      databaseUrl === null
        ? await openFileState(config, keep, outside)
        : await openSharedState({ ...config, databaseUrl }, keep, outside);
    return { ...state, close };
  } catch (error) {
    await close();
    throw error;
  }
}
