import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { openAudits } from '#api/audits/store.ts';
import { openDirectory } from '#api/directory/store.ts';
import { IdempotencyConflict } from '#api/guestbook/refusals.ts';
import { openGuestbook } from '#api/guestbook/store.ts';
import { openTrustedKeys } from '#api/identity/trusted-keys.ts';
import { openPaymentsSpent } from '#api/payments/spent.ts';
import { openStore } from '#api/stores/durable-store.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';
import { toNewEntry } from '../guestbook/new-entry.ts';
import { storeEngines } from '../support/store-engines.ts';
import { add, words } from './words.ts';

const now = () => new Date('2026-11-21T12:00:00.000Z');

for (const { engine, open } of storeEngines) {
  describe(`stores in ${engine}`, async () => {
    const places = await open();

    test('everything is found again, before and after a compaction', async () => {
      const place = places.place('words');
      const first = await openStore(words, place);
      await Promise.all(['a', 'b', 'c'].map((word) => first.update(add(word))));
      assert.equal(await first.compact(), true);
      await first.update(add('d'));
      assert.deepEqual(first.state, ['a', 'b', 'c', 'd']);
      await first.close();
      const second = await openStore(words, place);
      assert.deepEqual(second.state, ['a', 'b', 'c', 'd']);
      await second.close();
    });

    test('a decision sees those before it; one that throws changes nothing; one for nothing gives its result', async () => {
      const store = await openStore(words, places.place('decisions'));
      const seen = await Promise.all([
        store.update((state) => ({ change: 'a', result: state.length })),
        store.update((state) => ({ change: 'b', result: state.length })),
        store.update((state) => ({ change: null, result: state.length })),
      ]);
      assert.deepEqual(seen, [0, 1, 2]);
      await assert.rejects(
        store.update(() => {
          throw new RangeError('no');
        }),
        RangeError,
      );
      assert.deepEqual(store.state, ['a', 'b']);
      await store.close();
    });

    test('changes are announced once they are durable; close waits for what is under way and refuses what comes later', async () => {
      const store = await openStore(words, places.place('closing'));
      const announced: string[][] = [];
      store.onChange(() => announced.push(store.state));
      const written = store.update(add('a'));
      const closed = store.close();
      await assert.rejects(store.update(add('b')), StorageUnavailable);
      await Promise.all([written, closed, store.close()]);
      assert.deepEqual(announced, [['a']]);
    });

    test('a store of a newer format is refused, an older one migrated', async () => {
      const place = places.place('versions');
      const older = await openStore(words, place);
      await older.update(add('a'));
      await older.close();
      const next = { ...words, version: 2, migrate: (state: unknown) => z.array(z.string()).parse(state).toReversed() };
      const newer = await openStore(next, place);
      assert.deepEqual(newer.state, ['a']);
      await newer.close();
      await assert.rejects(openStore(words, place), /format version 2, and this program knows versions up to 1/);
    });

    test('the guestbook: entries, repeated writes, labels and withdrawals come back as they were', async () => {
      const place = places.place('guestbook');
      const guestbook = await openGuestbook({ ...place, now });
      const idempotency = { key: 'one', bodyHash: 'x' };
      const added = await guestbook.add(toNewEntry({ name: 'Zoë \u{1f3ee}', message: 'a\nb\u2028' }), { idempotency });
      const again = await guestbook.add(toNewEntry({}), { idempotency });
      assert.deepEqual([again.replayed, again.entry?.id], [true, added.entry?.id]);
      await assert.rejects(
        guestbook.add(toNewEntry({}), { idempotency: { key: 'one', bodyHash: 'y' } }),
        IdempotencyConflict,
      );
      const gone = await guestbook.add(toNewEntry({ message: 'to be withdrawn' }));
      assert.ok(!gone.replayed);
      await guestbook.withdraw(gone.entry.id, gone.token);
      assert.ok(added.entry);
      await guestbook.label(added.entry.id, { label: 'off-topic', reason: 'a reason', by: 'the owner' });
      const before = guestbook.list();
      await guestbook.close();
      const opened = await openGuestbook({ ...place, now });
      assert.deepEqual(opened.list(), before);
      assert.equal(JSON.stringify(opened.list()), JSON.stringify(before), 'members are in the same order');
      await opened.close();
    });

    test('reports, listings, payments and keys come back as they were', async () => {
      const report = z.strictObject({ score: z.int() });
      const openAll = async () => ({
        audits: await openAudits({ ...places.place('audits'), report, now }),
        directory: await openDirectory(places.place('directory')),
        spent: await openPaymentsSpent({ ...places.place('payments-spent'), now }),
        keys: await openTrustedKeys({ ...places.place('trusted-keys'), now }),
      });
      const { audits, directory, spent, keys } = await openAll();
      const page = 'https://example.com/';
      const result = { audited_at: '2026-11-21T12:00:00.000Z', score: 90, grade: 'A', rubric: '1', causes: [] };
      await audits.record({ home: page, asked: page, result }, { score: 90 });
      const certified = {
        score: 90,
        grade: 'Good',
        certified_at: '2026-11-21T12:00:00.000Z',
        tier: 'standard' as const,
      };
      await directory.put({ url: 'https://example.com', ...certified });
      const until = new Date('2026-11-21T12:10:00.000Z');
      assert.deepEqual(await Promise.all([spent.add('p', until), spent.add('p', until)]), [true, false]);
      await keys.add({ keyid: 'A'.repeat(43), owner: 'somebody', note: null });
      const all = [audits, directory, spent, keys];
      const before = [audits.list(), audits.results(page), directory.list(), spent.has('p'), keys.list()];
      for (const each of all) {
        await each.close();
      }
      const again = await openAll();
      assert.deepEqual(
        [
          again.audits.list(),
          again.audits.results(page),
          again.directory.list(),
          again.spent.has('p'),
          again.keys.list(),
        ],
        before,
      );
      for (const each of [again.audits, again.directory, again.spent, again.keys]) {
        await each.close();
      }
      await places.close();
    });
  });
}
