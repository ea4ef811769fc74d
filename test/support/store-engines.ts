import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreOptions } from '#api/stores/durable-store.ts';
import { type Database, openDatabase } from '#api/stores/postgres/database.ts';
import { type RunningPostgres, startPostgres } from '../../scripts/support/postgres.ts';

/** A place for stores that keeps what is written when they are closed, as the two engines give it. */
export interface StorePlaces {
  /** The place of the store of this name; opened again, it is the same one. */
  place(name: string): StoreOptions;
  close(): Promise<void>;
}

/** Both engines, each with a way to get an empty place. */
export const storeEngines: readonly { engine: string; open(): Promise<StorePlaces> }[] = [
  {
    engine: 'files',
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'stores-'));
      return {
        place: (name) => ({ file: join(folder, `${name}.json`) }),
        close: async () => rmSync(folder, { recursive: true }),
      };
    },
  },
  {
    engine: 'PostgreSQL',
    async open() {
      const postgres: RunningPostgres = await startPostgres();
      const database: Database = await openDatabase({ url: await postgres.createDatabase(), warn: () => undefined });
      return {
        place: (name) => ({ database, name }),
        async close() {
          await database.close();
          await postgres.stop();
        },
      };
    },
  },
];
