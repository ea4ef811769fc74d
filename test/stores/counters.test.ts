import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Counters, createCounters, createLocalCounters } from '#api/stores/counters.ts';
import { openPostgresCounters } from '#api/stores/postgres/counters.ts';
import { type Database, openDatabase } from '#api/stores/postgres/database.ts';
import { type RunningPostgres, startPostgres } from '../../scripts/support/postgres.ts';

let clock = Date.parse('2026-11-21T12:00:00.000Z');
const now = (): Date => new Date(clock);
const minute = { limit: 3, windowSeconds: 60 };

let postgres: RunningPostgres;
const databases: Database[] = [];
let shared: (Counters & { close(): Promise<void> })[] = [];

before(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase();
  for (let count = 0; count < 2; count += 1) {
    databases.push(await openDatabase({ url, warn: () => undefined }));
  }
  shared = databases.map((database) => openPostgresCounters(database, { now, secret: Buffer.from('secret') }));
});
after(async () => {
  for (const each of [...shared, ...databases]) {
    await each.close();
  }
  await postgres.stop();
});

/** Two who count together: the same counters in memory, or two instances on one database. */
const kinds: { kind: string; open(): [Counters, Counters] }[] = [
  {
    kind: 'memory',
    open: () => {
      const counters = createCounters({ now });
      return [counters, counters];
    },
  },
  {
    kind: 'PostgreSQL',
    open: () => {
      const [one, other] = shared;
      assert.ok(one && other);
      return [one, other];
    },
  },
];

for (const { kind, open } of kinds) {
  describe(`counters in ${kind}`, () => {
    test('up to the limit and no further, until the window ends', async () => {
      const [counters] = open();
      const endsAt = clock + 60_000;
      assert.equal(await counters.read('a'), null);
      const takings = [];
      for (let count = 0; count < 5; count += 1) {
        takings.push(await counters.take('a', minute));
      }
      assert.deepEqual(
        takings.map(({ granted, taken }) => [granted, taken]),
        [
          [true, 1],
          [true, 2],
          [true, 3],
          [false, 3],
          [false, 3],
        ],
      );
      assert.ok(takings.every((taking) => taking.endsAt === endsAt));
      assert.deepEqual(await counters.read('a'), { taken: 3, endsAt });
      clock += 60_000;
      assert.equal(await counters.read('a'), null);
      assert.deepEqual(await counters.take('a', minute), { granted: true, taken: 1, endsAt: clock + 60_000 });
    });

    test('200 at once over both, for two clients: each gets its limit exactly', async () => {
      const both = open();
      const limit = { limit: 40, windowSeconds: 60 };
      const takings = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const client = `b${index % 2}`;
          const { granted } = await (both[index % 3 === 0 ? 0 : 1] as Counters).take(client, limit);
          return granted ? client : null;
        }),
      );
      assert.equal(takings.filter((client) => client === 'b0').length, 40);
      assert.equal(takings.filter((client) => client === 'b1').length, 40);
    });

    test('what is given back can be taken again, in its own window alone', async () => {
      const [one, other] = open();
      const first = await one.take('c', { ...minute, limit: 1 });
      assert.equal((await other.take('c', { ...minute, limit: 1 })).granted, false);
      await other.giveBack('c', first.endsAt);
      assert.equal(await one.read('c'), null, 'a window in which nothing was taken has not begun');
      clock += 1000;
      const second = await other.take('c', { ...minute, limit: 1 });
      assert.deepEqual([second.granted, second.endsAt], [true, clock + 60_000]);
      await one.giveBack('c', first.endsAt);
      assert.equal((await one.take('c', { ...minute, limit: 1 })).granted, false);
    });
  });
}

test('counters in memory forget a window that has ended, also when nobody takes any more', () => {
  const counters = createLocalCounters({ now: () => clock });
  counters.take('a', minute);
  counters.take('b', { ...minute, windowSeconds: 120 });
  counters.dropEnded();
  assert.equal(counters.size, 2);
  clock += 60_000;
  counters.dropEnded();
  assert.equal(counters.size, 1);
});

test('the database holds no address', async () => {
  const [counters] = shared;
  await counters?.take('audits 192.0.2.77', minute);
  const rows = (await databases[0]?.query<{ key: string }>('select key from rate_counters')) ?? [];
  assert.ok(rows.length > 0 && rows.every(({ key }) => /^[\w-]{43}$/.test(key)));
});
