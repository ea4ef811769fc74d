import { createHmac } from 'node:crypto';
import type { Count, CounterLimit, Counters } from '../counters.ts';
import type { Database } from './database.ts';

/** How often windows that have ended are removed. */
const sweepMs = 60_000;

interface Asked extends CounterLimit {
  key: string;
  resolve(count: Count & { granted: boolean }): void;
  reject(error: unknown): void;
}

/**
 * Counters that all instances share. The database holds keyed hashes of what is counted, never an address. Those who ask while a
 * statement is under way share the next one.
 */
export function openPostgresCounters(
  database: Database,
  { now, secret }: { now: () => Date; secret: Uint8Array },
): Counters & { close(): Promise<void> } {
  const toHash = (key: string): string => createHmac('sha256', secret).update(key).digest('base64url');
  let waiting: Asked[] = [];
  let busy: Promise<void> | null = null;

  /** One statement for everybody who waits. The order of the keys is the same everywhere, so that no two lock each other out. */
  const takeAll = async (asked: Asked[]): Promise<void> => {
    const byKey = [...Map.groupBy(asked, ({ key }) => key)].sort(([one], [other]) => (one < other ? -1 : 1));
    const each = byKey.flatMap(([key, [first, ...others]]) =>
      first ? [{ key, asked: [first, ...others], first }] : [],
    );
    const rows = await database.query<{ taken_before: number; window_ends_at: Date }>(
      'select * from take_counters($1, $2, $3, $4, $5)',
      [
        each.map(({ key }) => key),
        each.map((one) => one.asked.length),
        each.map(({ first }) => first.limit),
        each.map(({ first }) => first.windowSeconds),
        now(),
      ],
    );
    for (const [index, one] of each.entries()) {
      const row = rows[index];
      if (row === undefined) {
        throw new Error('take_counters gave a row too few.');
      }
      for (const [place, { limit, resolve }] of one.asked.entries()) {
        const granted = row.taken_before + place < limit;
        const taken = Math.min(row.taken_before + place + 1, limit);
        resolve({ granted, taken, endsAt: row.window_ends_at.getTime() });
      }
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      await takeAll(asked).catch((error) => {
        for (const { reject } of asked) {
          reject(error);
        }
      });
    }
    busy = null;
  };

  const sweep = setInterval(() => {
    void database.query('delete from rate_counters where ends_at < $1', [now()]).catch(() => undefined);
  }, sweepMs).unref();

  return {
    take: (key, limit) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...limit, key: toHash(key), resolve, reject });
        busy ??= run();
      }),

    async giveBack(key, endsAt) {
      await database.query('update rate_counters set taken = taken - 1 where key = $1 and ends_at = $2 and taken > 0', [
        toHash(key),
        new Date(endsAt),
      ]);
    },

    async read(key) {
      const [row] = await database.query<{ taken: number; ends_at: Date }>(
        'select taken, ends_at from rate_counters where key = $1 and taken > 0 and ends_at > $2',
        [toHash(key), now()],
      );
      return row === undefined ? null : { taken: row.taken, endsAt: row.ends_at.getTime() };
    },

    async close() {
      clearInterval(sweep);
      await busy;
    },
  };
}
