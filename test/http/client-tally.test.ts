import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientTally } from '#api/http/client-tally.ts';

const begin = Date.parse('2026-11-21T12:00:00.000Z');
const windowSeconds = 24 * 3600;
const now = (): Date => new Date();

test('who wrote what is forgotten when the window ends, though nobody asks', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: begin });
  const tally = createClientTally({ windowSeconds, now });
  tally.record(tally.clientOf('192.0.2.1'), 'first', now());
  t.mock.timers.tick(3600 * 1000);
  tally.record(tally.clientOf('192.0.2.2'), 'second', now());
  t.mock.timers.tick((windowSeconds - 3600 - 1) * 1000);
  assert.equal(tally.size, 2);
  assert.equal(tally.momentsOf(tally.clientOf('192.0.2.1'), ['first', 'second'], now()).length, 1);
  t.mock.timers.tick(1000);
  assert.equal(tally.size, 1, 'the first is over');
  t.mock.timers.tick(3600 * 1000);
  assert.equal(tally.size, 0, 'and so is the second');
});

test('a clock that jumps ahead keeps nobody longer than a window', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: begin });
  let skewMs = 0;
  const tally = createClientTally({ windowSeconds, now: () => new Date(Date.now() + skewMs) });
  tally.record(tally.clientOf('192.0.2.1'), 'first', new Date(begin));
  skewMs = 10 * windowSeconds * 1000;
  t.mock.timers.tick(windowSeconds * 1000);
  assert.equal(tally.size, 0);
});

test('an entry that is gone has no writer', () => {
  const tally = createClientTally({ windowSeconds, now });
  for (const id of ['a', 'b', 'c']) {
    tally.record(tally.clientOf('2001:db8:1:2::1'), id, now());
  }
  tally.forget('a');
  assert.equal(tally.size, 2);
  assert.equal(
    tally.momentsOf(tally.clientOf('2001:db8:1:ffff::1'), ['a', 'b', 'c'], now()).length,
    2,
    'the /64 is one client',
  );
  tally.keep(new Set(['c']));
  assert.equal(tally.size, 1);
});
