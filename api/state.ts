import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditReport, auditReport } from './audit/report.ts';
import { type Audits, openAudits } from './audits/store.ts';
import { type Directory, openDirectory } from './directory/store.ts';
import { type Guestbook, openGuestbook } from './guestbook/store.ts';
import { type KeyPair, openKeyPair } from './identity/signatures/key-pair.ts';
import { openReplayCache, type ReplayCache } from './identity/signatures/replay-cache.ts';
import { openTrustedKeys, type TrustedKeys } from './identity/trusted-keys.ts';
import { type OwnerLog, openOwnerLog } from './owner/log.ts';
import { openPaymentSecret } from './payments/secret.ts';
import { openPaymentsSpent, type PaymentsSpent } from './payments/spent.ts';

/** What the service keeps in its data folder. */
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
  /** Waits for what is being written and lets go of the files. */
  close(): Promise<void>;
}

/**
 * Opens the data folder, making what is missing. Throws an Error, and changes nothing, when another process has the
 * folder, when a file in it is damaged, or when it cannot be used.
 */
export async function openState(
  dataDir: string,
  { now, notice }: { now: () => Date; notice: (sentence: string) => void },
): Promise<State> {
  const opened: { close(): void | Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).toReversed()) {
      await each.close();
    }
  };
  const keep = <Opened extends { close(): void | Promise<void> }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  try {
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new Error(`The data folder ${dataDir} cannot be made. Set DATA_DIR to a folder that is writable.`, {
        cause,
      });
    }
    // First, because its lock tells whether another process has the folder.
    const guestbook = keep(await openGuestbook({ file: join(dataDir, 'guestbook.json'), now, notice }));
    const trustedKeys = keep(await openTrustedKeys({ file: join(dataDir, 'trusted-keys.json'), now, notice }));
    const ownerLog = keep(await openOwnerLog({ file: join(dataDir, 'owner-log.jsonl'), now }));
    const siteKey = openKeyPair(join(dataDir, 'site-key.pem'));
    const usedSignatures = keep(openReplayCache(join(dataDir, 'used-signatures.txt'), { now }));
    const toOptions = (name: string) => ({ file: join(dataDir, name), now, notice });
    const audits = keep(await openAudits({ ...toOptions('audits.json'), report: auditReport }));
    const directory = keep(await openDirectory(toOptions('directory.json')));
    const paymentsSpent = keep(await openPaymentsSpent(toOptions('payments-spent.json')));
    const paymentSecret = await openPaymentSecret(join(dataDir, 'payment-secret.json'));
    return {
      guestbook,
      trustedKeys,
      ownerLog,
      siteKey,
      usedSignatures,
      audits,
      directory,
      paymentsSpent,
      paymentSecret,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
