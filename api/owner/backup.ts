import { createHash, type KeyObject } from 'node:crypto';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../stores/durable-file.ts';
import type { StoreSnapshot } from '../stores/durable-store.ts';
import type { OwnerLog } from './log.ts';

/** What lies next to the files of a backup: when it was made and what each file is. */
export const backupManifest = z.strictObject({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  files: z.record(z.string().regex(/^[a-z-]+\.(?:json|jsonl|pem)$/), z.string().regex(/^[0-9a-f]{64}$/)),
});

/** What a backup is made from: it's the same whether the service keeps it in files or in a database. */
export interface BackupSource {
  snapshots(): StoreSnapshot[];
  ownerLog: OwnerLog;
  siteKey: KeyObject;
  paymentSecret: Uint8Array;
  now(): Date;
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes everything the service keeps into a new or empty folder, readable by its user alone: each store as it is at one
 * moment, the owner's log and both keys, and at last the manifest, without which it is no backup. Writing goes on meanwhile.
 * Throws an Error when the folder holds something already or can't be written.
 */
export async function writeBackup(folder: string, source: BackupSource): Promise<{ files: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty. Give the backup a folder of its own.`);
  }
  const acts = await source.ownerLog.read();
  const texts: Record<string, string> = {
    ...Object.fromEntries(
      source.snapshots().map(({ name, version, state }) => [`${name}.json`, JSON.stringify({ version, state })]),
    ),
    'owner-log.jsonl': acts.map((act) => `${JSON.stringify(act)}\n`).join(''),
    'site-key.pem': source.siteKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'payment-secret.json': JSON.stringify({ secret: Buffer.from(source.paymentSecret).toString('base64url') }),
  };
  const files: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    await writeSynced(join(folder, name), text);
    files[name] = createHash('sha256').update(text).digest('hex');
  }
  const manifest: z.infer<typeof backupManifest> = { format: 1, made_at: source.now().toISOString(), files };
  await writeSynced(join(folder, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await syncFolder(folder);
  return { files: Object.keys(files).length };
}
