import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../stores/postgres/database.ts';
import { toReason } from '../stores/storage-unavailable.ts';

/** Pages may be behind the stores for this long. */
const longestLagSeconds = 10;

/** How long a result holds, and how long the database may take to answer. */
const checkedForMs = 2000;
const databaseMs = 2000;

/** Why an instance should be sent no requests; empty when it should be. */
export type Readiness = () => Promise<string[]>;

/** Writes a byte to the disk that keeps the stores. */
async function writeProbe(dataDir: string): Promise<void> {
  const file = join(dataDir, 'ready.probe');
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.write('.');
    await handle.datasync();
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

async function askDatabase(database: Database): Promise<string[]> {
  const answered = await Promise.race([
    database.query('select 1').then(
      () => true,
      () => false,
    ),
    wait(databaseMs, false, { ref: false }),
  ]);
  return [
    ...(answered ? [] : ['the database does not answer']),
    ...(database.isListening ? [] : ['changes of other instances are not heard']),
  ];
}

/** Builds the check of whether this instance can do its work: keep what is written, and show it. */
export function createReadiness(parts: {
  dataDir: string;
  database: Database | null;
  behindSeconds(): number;
  isStopping(): boolean;
}): Readiness {
  const { dataDir, database, behindSeconds, isStopping } = parts;
  let checked: { at: number; faults: Promise<string[]> } | null = null;
  const check = (): Promise<string[]> =>
    database === null
      ? writeProbe(dataDir).then(
          () => [],
          (error: unknown) => [`nothing can be written to the data folder (${toReason(error)})`],
        )
      : askDatabase(database);
  return async () => {
    if (checked === null || performance.now() - checked.at > checkedForMs) {
      checked = { at: performance.now(), faults: check() };
    }
    const lag = behindSeconds();
    return [
      ...(isStopping() ? ['the service is stopping'] : []),
      ...(lag > longestLagSeconds ? [`the pages are ${Math.round(lag)} seconds behind what is stored`] : []),
      ...(await checked.faults),
    ];
  };
}
