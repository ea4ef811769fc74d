import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createReplayCache, openReplayCache } from '#api/identity/signatures/replay-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
after(() => rmSync(folder, { recursive: true }));

const id = (text: string | number): string => createHash('sha256').update(String(text)).digest('base64url');
const now = 1_795_222_800;
const clock = () => new Date(now * 1000);

test('a use is first once', () => {
  const cache = createReplayCache();
  assert.equal(cache.record({ id: id('a'), created: now, now }), 'first');
  assert.equal(cache.record({ id: id('a'), created: now, now }), 'seen');
  assert.equal(cache.record({ id: id('b'), created: now, now }), 'first');
});

test('what is past its time is dropped', () => {
  const cache = createReplayCache();
  cache.record({ id: id('a'), created: now - 300, now });
  assert.equal(cache.record({ id: id('a'), created: now - 300, now }), 'seen');
  cache.record({ id: id('b'), created: now + 1, now: now + 1 });
  assert.equal(cache.size(), 1);
});

test('the cache stays within its bound, and forgets the oldest seconds first', () => {
  const cache = createReplayCache({ maxEntries: 100 });
  for (let index = 0; index < 1000; index += 1) {
    const created = now - 300 + (index % 331);
    assert.notEqual(cache.record({ id: id(index), created, now }), 'seen');
    assert.ok(cache.size() <= 100);
  }
  assert.equal(cache.record({ id: id('old'), created: now - 290, now }), 'forgotten');
});

test('an opened cache remembers across a restart, also after a torn line', () => {
  const file = join(folder, 'restart');
  const first = openReplayCache(file, { now: clock });
  assert.equal(first.record({ id: id('a'), created: now, now }), 'first');
  assert.equal(first.record({ id: id('b'), created: now - 10, now }), 'first');
  first.close();
  appendFileSync(file, `${now} torn`);
  const second = openReplayCache(file, { now: clock });
  assert.equal(second.record({ id: id('a'), created: now, now }), 'seen');
  assert.equal(second.record({ id: id('b'), created: now - 10, now }), 'seen');
  assert.equal(second.record({ id: id('c'), created: now, now }), 'first');
  second.close();
  assert.equal(readFileSync(file, 'latin1').split('\n').length, 4);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a use counts as recorded only when the file took it', () => {
  const file = join(folder, 'closed');
  const cache = openReplayCache(file, { now: clock });
  cache.close();
  assert.throws(() => cache.record({ id: id('a'), created: now, now }), /is closed/);
});

test('uses that are too old, or impossible, are not read back', () => {
  const file = join(folder, 'old');
  writeFileSync(file, `${now - 301} ${id('a')}\n${now} ${id('b')}\n${now + 31} ${id('c')}\nrubbish\n`);
  const cache = openReplayCache(file, { now: clock });
  assert.equal(cache.size(), 1);
  cache.close();
});

test('the file is rewritten before it grows without bound', () => {
  const file = join(folder, 'growing');
  const cache = openReplayCache(file, { now: clock, maxEntries: 5 });
  for (let index = 0; index < 200; index += 1) {
    cache.record({ id: id(index), created: now, now: now + (index > 100 ? 1 : 0) });
  }
  for (let index = 0; index < 200; index += 1) {
    cache.record({ id: id(index), created: now + 1 + index, now: now + 1 + index });
  }
  assert.ok(readFileSync(file, 'latin1').split('\n').length <= 22);
  cache.close();
});

test('a file that cannot be read is an error that names it', () => {
  assert.throws(() => openReplayCache(folder, { now: clock }), new RegExp(`used signatures ${folder} cannot be read`));
});
