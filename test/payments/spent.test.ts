import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createPaymentsSpent, openPaymentsSpent } from '#api/payments/spent.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';

const folder = mkdtempSync(join(tmpdir(), 'spent-'));
after(() => rmSync(folder, { recursive: true }));
const start = Date.parse('2026-11-21T12:00:00Z');
const inSeconds = (seconds: number): Date => new Date(start + seconds * 1000);

test('a use is recorded once, and kept over a restart', async () => {
  const file = join(folder, 'payments-spent.json');
  const now = () => inSeconds(0);
  const first = await openPaymentsSpent({ file, now });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => first.add('payment-1', inSeconds(600))));
  assert.equal(outcomes.filter(Boolean).length, 1);
  assert.equal(first.has('payment-1'), true);
  assert.equal(first.has('payment-2'), false);
  await first.close();
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).state.spent, [
    { id: 'payment-1', until: inSeconds(600).getTime() },
  ]);
  const second = await openPaymentsSpent({ file, now });
  assert.equal(second.has('payment-1'), true);
  assert.equal(await second.add('payment-1', inSeconds(600)), false);
  await second.close();
});

test('a use is forgotten after its time, and never before', async () => {
  let clock = inSeconds(0);
  const spent = createPaymentsSpent({ now: () => clock, maxPayments: 2 });
  await spent.add('a', inSeconds(10));
  await spent.add('b', inSeconds(20));
  await assert.rejects(spent.add('c', inSeconds(30)), StorageUnavailable);
  assert.deepEqual([spent.has('a'), spent.has('b'), spent.has('c')], [true, true, false]);
  clock = inSeconds(10);
  assert.equal(await spent.add('c', inSeconds(30)), true);
  assert.deepEqual([spent.has('a'), spent.has('b'), spent.has('c')], [false, true, true]);
});

test('an id that is none is refused', async () => {
  const spent = createPaymentsSpent({ now: () => inSeconds(0) });
  for (const id of ['', '../a', 'a b', 'x'.repeat(65)]) {
    await assert.rejects(spent.add(id, inSeconds(10)), Error);
    assert.equal(spent.has(id), false);
  }
});
