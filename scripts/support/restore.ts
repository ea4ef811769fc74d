import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '#api/config.ts';
import { backupManifest } from '#api/owner/backup.ts';
import { ownerAct } from '#api/owner/log.ts';
import { openState } from '#api/state.ts';
import { createDurableFile } from '#api/stores/durable-file.ts';
import { openDatabase } from '#api/stores/postgres/database.ts';

const stored = z.strictObject({ version: z.int().min(1), state: z.unknown() });

/** The files of a backup, each of which is what the manifest says. Throws an Error when one is not. */
function readBackup(folder: string): Map<string, string> {
  const file = join(folder, 'backup.json');
  if (!existsSync(file)) {
    throw new Error(`${folder} holds no whole backup: backup.json is missing.`);
  }
  const { files } = backupManifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(
    Object.entries(files).map(([name, sha256]) => {
      const text = readFileSync(join(folder, name), 'utf8');
      if (createHash('sha256').update(text).digest('hex') !== sha256) {
        throw new Error(`${name} of the backup is damaged: its SHA-256 is not that of the manifest.`);
      }
      return [name, text];
    }),
  );
}

const keyFiles = ['site-key.pem', 'payment-secret.json'];

const storesOf = (files: Map<string, string>) =>
  [...files]
    .filter(([name]) => name.endsWith('.json') && !keyFiles.includes(name))
    .map(([name, text]) => ({ name: name.replace(/\.json$/, ''), ...stored.parse(JSON.parse(text)) }));

async function restoreToFiles(files: Map<string, string>, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (readdirSync(dataDir).length > 0) {
    throw new Error(
      `The data folder ${dataDir} is not empty. Nothing was changed: a backup is restored into an empty one.`,
    );
  }
  for (const { name, version, state } of storesOf(files)) {
    await createDurableFile(join(dataDir, `${name}.json`), (document) => document).write({
      version,
      sequence: 0,
      state,
    });
  }
  for (const name of keyFiles) {
    await writeFile(join(dataDir, name), files.get(name) ?? '', { mode: 0o600 });
  }
  await appendFile(join(dataDir, 'owner-log.jsonl'), files.get('owner-log.jsonl') ?? '', { mode: 0o600 });
}

async function restoreToDatabase(
  files: Map<string, string>,
  { url, passwordFile }: { url: string; passwordFile: string | null },
): Promise<void> {
  const database = await openDatabase({ url, passwordFile, warn: () => undefined });
  try {
    await database.locked('restore', async (client) => {
      for (const table of ['store_snapshots', 'owner_log', 'secrets']) {
        if (((await client.query(`select 1 from ${table} limit 1`)).rowCount ?? 0) > 0) {
          throw new Error(`The database is not empty. Nothing was changed: a backup is restored into an empty one.`);
        }
      }
      for (const { name, version, state } of storesOf(files)) {
        await client.query('insert into store_snapshots (store, version, sequence, state) values ($1, $2, 0, $3)', [
          ...[name, version, JSON.stringify(state)],
        ]);
      }
      const secret = z.strictObject({ secret: z.string() }).parse(JSON.parse(files.get('payment-secret.json') ?? ''));
      for (const [name, value] of [
        ['site-key', files.get('site-key.pem') ?? ''],
        ['payment-secret', secret.secret],
      ]) {
        await client.query('insert into secrets (name, value) values ($1, $2)', [name, Buffer.from(value ?? '')]);
      }
      for (const line of (files.get('owner-log.jsonl') ?? '').split('\n').filter((each) => each !== '')) {
        const { time, by, action, entry, reason } = ownerAct.parse(JSON.parse(line));
        await client.query('insert into owner_log (time, by, action, entry, reason) values ($1, $2, $3, $4, $5)', [
          ...[time, by, action, entry, reason],
        ]);
      }
      await client.query('commit');
    });
  } finally {
    await database.close();
  }
}

/**
 * Restores a backup into what the configuration names: an empty data folder, or an empty database. Throws an Error, and
 * changes nothing, when the backup is damaged or the place is not empty. Everything is opened once at the end, as the service
 * does at start, so that what can't be used is found now.
 */
export async function restoreBackup(folder: string, config: Config): Promise<{ guestbook: number; directory: number }> {
  const files = readBackup(folder);
  if (config.databaseUrl === null) {
    await restoreToFiles(files, config.dataDir);
  } else {
    await restoreToDatabase(files, { url: config.databaseUrl, passwordFile: config.databasePasswordFile });
  }
  const state = await openState(config, { now: () => new Date(), warn: () => undefined });
  const counts = { guestbook: state.guestbook.totals().total, directory: state.directory.list().length };
  await state.close();
  return counts;
}
