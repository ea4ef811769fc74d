import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { GuestbookEntry } from '#api/guestbook/entry.ts';
import { CapReached, EntryNotFound, IdempotencyConflict, ReviewRefused } from '#api/guestbook/refusals.ts';
import { createGuestbook, type Guestbook, type GuestbookOptions, openGuestbook } from '#api/guestbook/store.ts';
import { until } from '../support/until.ts';
import { toNewEntry } from './new-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'guestbook-'));
after(() => rmSync(folder, { recursive: true }));

function createClock(start = '2026-11-21T12:00:00.000Z') {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
  };
}

/** Writes an entry and returns it with its token. */
async function sign(guestbook: Guestbook, members: Parameters<typeof toNewEntry>[0] = {}) {
  const added = await guestbook.add(toNewEntry(members));
  assert.ok(!added.replayed);
  return added;
}

const ids = (entries: GuestbookEntry[]): string[] => entries.map(({ id }) => id);

const olderEntry = {
  id: '0123456789ab',
  name: 'Old hand',
  message: 'First.',
  model: null,
  visitor_type: 'human (probably)',
  user_agent: 'Mozilla/5.0',
  signed_at: '2026-08-01T10:00:00Z',
};

let opened = 0;
const kinds: [string, (options: GuestbookOptions) => Promise<Guestbook>][] = [
  ['in memory', async (options) => createGuestbook(options)],
  [
    'on disk',
    (options) => {
      opened += 1;
      return openGuestbook({ ...options, file: join(folder, String(opened), 'guestbook.json') });
    },
  ],
];

for (const [kind, open] of kinds) {
  describe(`guestbook ${kind}`, () => {
    test('a new entry is complete, awaits review and is found at once', async () => {
      const clock = createClock();
      const guestbook = await open(clock);
      const { entry, token } = await sign(guestbook, {
        model: 'm-1',
        tier: 'B',
        truncated: true,
        stripped_invisible: 2,
      });
      assert.match(entry.id, /^[0-9a-f]{12}$/);
      assert.match(token, /^[A-Za-z0-9_-]{43}$/);
      assert.deepEqual(entry, {
        id: entry.id,
        name: 'Ada',
        message: 'The light is on.',
        model: 'm-1',
        visitor_type: 'agent',
        user_agent: 'test/1.0',
        signed_at: '2026-11-21T12:00:00.000Z',
        provenance: { signature: { present: false }, transport: 'json', declared_intent: null },
        truncated: true,
        stripped_invisible: 2,
        identity: { tier: 'B' },
        label: null,
        review: { state: 'awaiting' },
        host_reply: null,
      });
      assert.deepEqual(guestbook.get(entry.id), entry);
      assert.deepEqual(guestbook.list(), { matched: 1, entries: [entry] });
      assert.deepEqual(guestbook.waiting(), [entry]);
      assert.equal(guestbook.get('000000000000'), null);
      await guestbook.close();
    });

    test('a field beyond its limit is refused, since a stored entry must be readable again', async () => {
      const guestbook = await open(createClock());
      const wrong: Parameters<typeof toNewEntry>[0][] = [
        { name: '' },
        { name: 'x'.repeat(81) },
        { message: '😀'.repeat(281) },
        { model: '' },
        { user_agent: 'x'.repeat(513) },
        { stripped_invisible: -1 },
      ];
      for (const members of wrong) {
        await assert.rejects(guestbook.add(toNewEntry(members)), /The entry .* is not valid/, JSON.stringify(members));
      }
      await sign(guestbook, { name: '😀'.repeat(80), message: '😀'.repeat(280), user_agent: '' });
      assert.equal(guestbook.totals().total, 1);
      await guestbook.close();
    });

    test('lists newest first, the later written first at equal times, with limit and since', async () => {
      const clock = createClock();
      const guestbook = await open(clock);
      const first = (await sign(guestbook)).entry.id;
      const second = (await sign(guestbook)).entry.id;
      clock.pass(60);
      const third = (await sign(guestbook)).entry.id;
      clock.pass(-30);
      const fourth = (await sign(guestbook)).entry.id;
      const all = [fourth, third, second, first];
      const list = (query: { limit?: number; since?: Date }) => {
        const { matched, entries } = guestbook.list(query);
        return [matched, ids(entries)];
      };
      assert.deepEqual(list({}), [4, all]);
      assert.deepEqual(list({ limit: 1 }), [4, [fourth]]);
      assert.deepEqual(list({ since: new Date('2026-11-21T12:00:30Z') }), [2, [fourth, third]]);
      assert.deepEqual(list({ since: new Date('2026-11-21T12:00:00Z'), limit: 3 }), [4, all.slice(0, 3)]);
      assert.deepEqual(list({ since: new Date('2026-11-22T00:00:00Z') }), [0, []]);
      await guestbook.close();
    });

    test('keeps the newest 500', async () => {
      const clock = createClock();
      const guestbook = await open(clock);
      const written: string[] = [];
      for (let count = 0; count < 503; count += 1) {
        clock.pass(1);
        written.push((await sign(guestbook)).entry.id);
      }
      assert.deepEqual(ids(guestbook.list().entries), written.slice(3).reverse());
      await guestbook.close();
    });

    test('entries that the owner has cleared are not pushed out, as long as they are not too many', async () => {
      const clock = createClock();
      const guestbook = await open(clock);
      const written: string[] = [];
      for (let count = 0; count < 500; count += 1) {
        clock.pass(1);
        written.push((await sign(guestbook)).entry.id);
      }
      const cleared = written.slice(0, 3);
      for (const id of cleared) {
        await guestbook.clear(id, 'Owner');
      }
      for (let count = 0; count < 500; count += 1) {
        clock.pass(1);
        written.push((await sign(guestbook)).entry.id);
      }
      assert.deepEqual(ids(guestbook.list().entries), [...cleared, ...written.slice(503)].reverse());
      for (const id of written.slice(-248)) {
        await guestbook.clear(id, 'Owner');
      }
      // 251 are cleared: the oldest goes, and then no other.
      await sign(guestbook);
      await sign(guestbook);
      const left = new Set(ids(guestbook.list().entries));
      assert.deepEqual(
        cleared.map((id) => left.has(id)),
        [false, true, true],
      );
      assert.equal(left.size, 500);
      await guestbook.close();
    });

    test('what is acknowledged is shown first, though the guestbook is full and the clock jumps behind its oldest entry', async () => {
      const clock = createClock();
      const guestbook = await open(clock);
      for (let count = 0; count < 500; count += 1) {
        clock.pass(1);
        await sign(guestbook);
      }
      const newest = guestbook.list().entries[0]?.signed_at;
      clock.pass(-365 * 24 * 3600);
      for (let count = 0; count < 3; count += 1) {
        const { entry, token } = await sign(guestbook, { message: `After the jump ${count}.` });
        assert.equal(entry.signed_at, newest);
        assert.deepEqual(guestbook.list({ limit: 1 }).entries, [entry]);
        assert.deepEqual(guestbook.list({ limit: 1, since: new Date(newest ?? '') }).entries, [entry]);
        assert.equal(guestbook.totals().total, 500);
        if (count === 2) {
          await guestbook.withdraw(entry.id, token);
        }
      }
      assert.deepEqual(
        guestbook.list({ limit: 2 }).entries.map(({ message }) => message),
        ['After the jump 1.', 'After the jump 0.'],
      );
      clock.pass(366 * 24 * 3600);
      const { entry } = await sign(guestbook);
      assert.equal(entry.signed_at, clock.now().toISOString());
      await guestbook.close();
    });

    test('withdraws with the right token, once', async () => {
      const guestbook = await open(createClock());
      const { entry, token } = await sign(guestbook);
      const other = await sign(guestbook);
      for (const wrong of ['', 'x', other.token, `${token} `, token.slice(1), '\uD800']) {
        await assert.rejects(guestbook.withdraw(entry.id, wrong), { name: 'WithdrawalRefused', reason: 'wrong-token' });
      }
      const attempts = await Promise.allSettled([1, 2, 3].map(() => guestbook.withdraw(entry.id, token)));
      assert.deepEqual(
        attempts.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected'],
      );
      await assert.rejects(guestbook.withdraw(entry.id, token), EntryNotFound);
      assert.equal(guestbook.get(entry.id), null);
      assert.deepEqual(ids(guestbook.list().entries), [other.entry.id]);
      await guestbook.close();
    });

    test('labels, clears and answers; only an awaiting entry is reviewed', async () => {
      const guestbook = await open(createClock());
      const advert = (await sign(guestbook)).entry.id;
      const welcome = (await sign(guestbook)).entry.id;
      const fresh = (await sign(guestbook)).entry.id;
      const labelled = await guestbook.label(advert, { label: 'promotional', reason: 'It sells shoes.', by: 'Owner' });
      assert.deepEqual(labelled.label, {
        label: 'promotional',
        reason: 'It sells shoes.',
        by: 'Owner',
        at: '2026-11-21',
      });
      assert.deepEqual(labelled.review, { state: 'labelled' });
      const cleared = await guestbook.clear(welcome, 'Owner');
      assert.deepEqual(cleared.review, { state: 'cleared', by: 'Owner', at: '2026-11-21' });
      assert.equal(cleared.label, null);
      assert.deepEqual(guestbook.get(welcome), cleared);
      const reply = {
        by: 'Owner',
        drafted_by: 'Owner',
        text: 'Thanks.',
        links: [{ what: 'fix', url: 'https://example.org/1' }],
      };
      const replied = await guestbook.reply(welcome, reply);
      assert.deepEqual(replied.host_reply, { ...reply, at: '2026-11-21' });
      assert.deepEqual(replied.review, cleared.review);
      assert.deepEqual(ids(guestbook.waiting()), [fresh]);
      assert.deepEqual(guestbook.totals(), { total: 3, labelled: 1, cleared: 1, awaiting_review: 1, unlabelled: 2 });
      for (const id of [advert, welcome]) {
        await assert.rejects(guestbook.clear(id, 'Owner'), ReviewRefused);
        await assert.rejects(guestbook.label(id, { label: 'off-topic', reason: 'x', by: 'Owner' }), ReviewRefused);
      }
      const absent = 'ffffffffffff';
      await assert.rejects(guestbook.clear(absent, 'Owner'), EntryNotFound);
      await assert.rejects(guestbook.reply(absent, reply), EntryNotFound);
      await assert.rejects(
        guestbook.reply(fresh, { ...reply, links: [{ what: 'x', url: 'javascript:1' }] }),
        /not valid/,
      );
      await assert.rejects(guestbook.label(fresh, { label: 'off-topic', reason: '', by: 'Owner' }), /not valid/);
      await guestbook.close();
    });

    test('takes over older entries, all or none', async () => {
      const guestbook = await open(createClock());
      const { entry } = await sign(guestbook);
      const shown = {
        ...olderEntry,
        id: 'abcdef012345',
        signed_at: '2026-09-07T23:59:59.999+00:00',
        url: 'https://example.org/guestbook#gb-abcdef012345',
        signals: ['contains-url'],
        suspicious: false,
        identity: { tier: 'n/a', meaning: 'recorded before' },
        label: { label: 'off-topic', reason: 'Weather.', by: 'Owner', at: '2026-08-03' },
        review: { state: 'labelled' },
      };
      assert.deepEqual(await guestbook.import([olderEntry, shown, olderEntry]), {
        imported: 2,
        skipped: 1,
        dropped: 0,
      });
      assert.deepEqual(await guestbook.import([shown]), { imported: 0, skipped: 1, dropped: 0 });
      assert.deepEqual(ids(guestbook.list().entries), [entry.id, 'abcdef012345', '0123456789ab']);
      assert.deepEqual(guestbook.get('0123456789ab'), {
        ...olderEntry,
        signed_at: '2026-08-01T10:00:00.000Z',
        identity: { tier: 'n/a' },
        label: null,
        review: { state: 'awaiting' },
        host_reply: null,
      });
      const { url: _, signals: __, suspicious: ___, ...stored } = shown;
      assert.deepEqual(guestbook.get('abcdef012345'), {
        ...stored,
        signed_at: '2026-09-07T23:59:59.999Z',
        identity: { tier: 'n/a' },
        host_reply: null,
      });
      const wrong: [object, RegExp][] = [
        [
          { ...olderEntry, id: 'bbbbbbbbbbbb', signed_at: '2026-09-08T00:00:00Z' },
          /Entry 2 .*was signed at or after 2026-09-08/,
        ],
        [{ ...olderEntry, id: 'BBBBBBBBBBBB' }, /Entry 2 of the import is not valid/],
        [{ ...olderEntry, id: 'bbbbbbbbbbbb', message: 'x'.repeat(281) }, /longer than 280/],
        [{ ...shown, id: 'bbbbbbbbbbbb', label: null }, /without the state labelled/],
      ];
      for (const [bad, says] of wrong) {
        await assert.rejects(guestbook.import([{ ...olderEntry, id: 'aaaaaaaaaaaa' }, bad]), says);
      }
      assert.equal(guestbook.get('aaaaaaaaaaaa'), null);
      await assert.rejects(guestbook.withdraw('0123456789ab', ''), { name: 'WithdrawalRefused', reason: 'no-token' });
      assert.equal((await guestbook.withdrawByMail('0123456789ab')).entry.name, 'Old hand');
      assert.equal(guestbook.get('0123456789ab'), null);
      await guestbook.close();
    });

    test('an idempotency key gives the first entry again, without its token', async () => {
      const clock = createClock();
      const guestbook = await open(clock);
      const write = (key: string, bodyHash: string) => guestbook.add(toNewEntry(), { idempotency: { key, bodyHash } });
      const [first, atOnce] = await Promise.all([write('k', 'b'), write('k', 'b')]);
      assert.ok(!first.replayed);
      const replay = { replayed: true, id: first.entry.id, entry: first.entry };
      assert.deepEqual(atOnce, replay);
      clock.pass(24 * 3600 - 1);
      assert.deepEqual(await write('k', 'b'), replay);
      await assert.rejects(write('k', 'other'), IdempotencyConflict);
      assert.equal((await write('k2', 'b')).replayed, false);
      await guestbook.withdraw(first.entry.id, first.token);
      assert.deepEqual(await write('k', 'b'), { replayed: true, id: first.entry.id, entry: null });
      clock.pass(1);
      assert.equal((await write('k', 'other')).replayed, false);
      assert.equal(guestbook.totals().total, 2);
      await guestbook.close();
    });

    test('one client cannot push out everybody else', async () => {
      const clock = createClock();
      const guestbook = await open({ ...clock, maxPerClient: 3 });
      const write = (client: string) => guestbook.add(toNewEntry(), { client });
      for (let count = 0; count < 490; count += 1) {
        await write(`192.0.2.${count % 200}`);
      }
      for (let count = 0; count < 10; count += 1) {
        await write(`2001:db8:1:${count}::1`);
      }
      const before = guestbook.list();
      clock.pass(600);
      await assert.rejects(write('2001:db8:1:2:ffff::1'), { name: 'CapReached', retryAfterSeconds: 24 * 3600 - 600 });
      assert.deepEqual(guestbook.list(), before);
      for (const other of ['2001:db8:2:2::1', '198.51.100.1', '::ffff:198.51.100.1', '198.51.100.1']) {
        await write(other);
      }
      await assert.rejects(write('198.51.100.1'), CapReached);
      await assert.rejects(write('::ffff:198.51.100.1'), CapReached);
      clock.pass(24 * 3600 - 600);
      assert.equal((await write('2001:db8:1:2::1')).replayed, false);
      await guestbook.close();
    });

    test('calls back after each change', async () => {
      const guestbook = await open(createClock());
      const totals: number[] = [];
      const stop = guestbook.onChange(() => totals.push(guestbook.totals().total));
      const { entry, token } = await sign(guestbook);
      await guestbook.withdraw(entry.id, token);
      await assert.rejects(guestbook.withdraw(entry.id, token), EntryNotFound);
      stop();
      await sign(guestbook);
      assert.deepEqual(totals, [1, 0]);
      await guestbook.close();
    });
  });
}

describe('the files of a guestbook', () => {
  const file = join(folder, 'files', 'guestbook.json');
  const readAll = (): string =>
    readdirSync(join(folder, 'files'))
      .map((name) => readFileSync(join(folder, 'files', name), 'latin1'))
      .join('\n');

  test('keep entries, review, tokens and idempotency keys over a restart, and no token, key or address', async () => {
    const clock = createClock();
    const first = await openGuestbook({ ...clock, file });
    const idempotency = { key: 'a-key-of-the-client', bodyHash: 'b' };
    const added = await first.add(toNewEntry(), { client: '203.0.113.77', idempotency });
    assert.ok(!added.replayed);
    await first.clear(added.entry.id, 'Owner');
    const list = first.list();
    for (const secret of [added.token, idempotency.key, '203.0.113.77']) {
      assert.ok(!readAll().includes(secret));
    }
    await first.close();
    const second = await openGuestbook({ ...clock, file });
    assert.deepEqual(second.list(), list);
    assert.equal((await second.add(toNewEntry(), { client: '203.0.113.77', idempotency })).replayed, true);
    await second.withdraw(added.entry.id, added.token);
    await second.close();
    const third = await openGuestbook({ ...clock, file });
    assert.deepEqual(third.list(), { matched: 0, entries: [] });
    assert.deepEqual(await third.add(toNewEntry(), { client: '203.0.113.77', idempotency }), {
      replayed: true,
      id: added.entry.id,
      entry: null,
    });
    await third.close();
  });

  test('a repeat with a key that was stored as the hash of the key alone makes no second entry', async () => {
    const clock = createClock();
    const first = await openGuestbook({ ...clock, file });
    const { entry } = await sign(first);
    await first.close();
    const snapshot = JSON.parse(readFileSync(file, 'utf8'));
    const key = 'a-key-of-before';
    const key_sha256 = createHash('sha256').update(key).digest('hex');
    snapshot.state.keys = [{ key_sha256, body_hash: 'b', id: entry.id, at: clock.now().toISOString() }];
    writeFileSync(file, JSON.stringify(snapshot));
    rmSync(`${file}.bak`);
    const second = await openGuestbook({ ...clock, file });
    const write = (bodyHash: string) =>
      second.add(toNewEntry(), { client: '203.0.113.77', idempotency: { key, bodyHash } });
    assert.deepEqual(await write('b'), { replayed: true, id: entry.id, entry });
    // Another body is another client's.
    assert.equal((await write('c')).replayed, false);
    await second.close();
  });

  test('a text that cannot be taken out of the files is not said to be, and is taken out later', async () => {
    const guestbook = await openGuestbook({ ...createClock(), file, eraseAgainMs: 5, warn: () => undefined });
    const { entry, token } = await sign(guestbook, { message: 'Please erase this sentence.' });
    // What is in the way of the file that is written before the snapshot is replaced.
    mkdirSync(`${file}.tmp`);
    const { isErased } = await guestbook.withdraw(entry.id, token);
    assert.equal(isErased, false);
    assert.ok(readFileSync(`${file}.journal`, 'latin1').includes('erase this sentence'));
    rmSync(`${file}.tmp`, { recursive: true });
    await until(() => !readFileSync(`${file}.journal`, 'latin1').includes('erase this sentence'), 'it is taken out');
    assert.ok(!readAll().includes('erase this sentence'));
    await guestbook.close();
  });

  test('forget the text of a withdrawn entry at once', async () => {
    const guestbook = await openGuestbook({ ...createClock(), file });
    const { entry, token } = await sign(guestbook, { message: 'Please forget this sentence.' });
    assert.ok(readAll().includes('forget this sentence'));
    await guestbook.withdraw(entry.id, token);
    assert.ok(!readAll().includes('forget this sentence'));
    await guestbook.close();
  });
});
