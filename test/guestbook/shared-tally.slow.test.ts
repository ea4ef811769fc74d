import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CapReached } from '#api/guestbook/refusals.ts';
import { openSharedTally } from '#api/guestbook/shared-tally.ts';
import { type Guestbook, openGuestbook, tallySeconds } from '#api/guestbook/store.ts';
import { openDatabase } from '#api/stores/postgres/database.ts';
import { startPostgres } from '../../scripts/support/postgres.ts';
import { toNewEntry } from './new-entry.ts';

const secret = Buffer.alloc(32, 3);
const maxPerClient = 10;
const postgres = await startPostgres();
after(() => postgres.stop());

/** The guestbook as one of several instances has it. */
async function openInstance(url: string, now: () => Date) {
  const database = await openDatabase({ url, warn: () => undefined });
  const { tally, companion, close } = openSharedTally(database, { windowSeconds: tallySeconds, now, secret });
  const guestbook = await openGuestbook({ now, database, name: 'guestbook', companion, tally, maxPerClient });
  return {
    guestbook,
    database,
    async close() {
      await guestbook.close();
      close();
      await database.close();
    },
  };
}

const fill = (guestbook: Guestbook) =>
  Promise.all(
    Array.from({ length: 500 }, (_, number) =>
      guestbook.add(toNewEntry(), { client: `198.51.${number % 100}.${Math.floor(number / 100)}` }),
    ),
  );

test('what one client may hold of a full guestbook is exact over two instances, and over a restart', async () => {
  const url = await postgres.createDatabase();
  let now = new Date('2026-11-21T12:00:00.000Z');
  const clock = (): Date => now;
  const one = await openInstance(url, clock);
  const two = await openInstance(url, clock);
  await fill(one.guestbook);
  const write = (guestbook: Guestbook) => guestbook.add(toNewEntry(), { client: '192.0.2.1' });
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, number) => write((number % 2 === 0 ? one : two).guestbook)),
  );
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, maxPerClient);
  for (const result of results) {
    assert.ok(result.status === 'fulfilled' || result.reason instanceof CapReached);
  }
  const marks = await one.database.query<{ entry: string; client: string }>(
    'select entry, client from writer_marks order by at desc, sequence desc limit 10',
  );
  assert.equal(marks.length, 10);
  assert.doesNotMatch(JSON.stringify(marks), /192\.0\.2/);
  await one.close();
  await two.close();

  const three = await openInstance(url, clock);
  await assert.rejects(write(three.guestbook), CapReached);
  // Withdrawn by mail, it counts no more.
  const [mine] = marks;
  await three.guestbook.withdrawByMail(mine?.entry ?? '');
  await three.guestbook.add(toNewEntry(), { client: '203.0.113.5' });
  assert.equal((await write(three.guestbook)).replayed, false);
  await assert.rejects(write(three.guestbook), CapReached);
  now = new Date(now.getTime() + tallySeconds * 1000);
  assert.equal((await write(three.guestbook)).replayed, false);
  await three.close();
});

test('what is refused by the database leaves no mark', async () => {
  const url = await postgres.createDatabase();
  const now = (): Date => new Date('2026-11-21T12:00:00.000Z');
  const one = await openInstance(url, now);
  await fill(one.guestbook);
  await one.database.query('alter table writer_marks rename to away');
  await assert.rejects(one.guestbook.add(toNewEntry(), { client: '192.0.2.1' }));
  await one.database.query('alter table away rename to writer_marks');
  await one.guestbook.add(toNewEntry(), { client: '192.0.2.2' });
  const [row] = await one.database.query<{ marks: number }>('select count(*)::int as marks from writer_marks');
  assert.equal(row?.marks, 501);
  await one.close();
});
