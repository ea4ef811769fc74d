import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { type Allowance, createAllowance } from '#api/audits/allowance.ts';
import { createCounters } from '#api/stores/counters.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

function createSetting(options: { maxKeys?: number } = {}): {
  allowance: Allowance;
  counters: ReturnType<typeof createCounters>;
  at: (seconds: number) => void;
} {
  let clock = start;
  const now = (): Date => new Date(clock);
  const counters = createCounters({ now, ...options });
  return {
    counters,
    allowance: createAllowance({ name: 'test', limit: 3, windowSeconds: 3600, counters, now }),
    at: (seconds) => {
      clock = start + seconds * 1000;
    },
  };
}

test('three in an hour from the first, and then three again', async () => {
  const { allowance, at } = createSetting();
  assert.deepEqual(await allowance.status('192.0.2.1'), {
    limit: 3,
    remaining: 3,
    resets_at: '2026-11-21T13:00:00.000Z',
  });
  at(60);
  const takings = await Promise.all([1, 2, 3, 4].map(() => allowance.take('192.0.2.1')));
  assert.deepEqual(
    takings.map(({ granted, status }) => [granted, status.remaining, status.resets_at]),
    [
      [true, 2, '2026-11-21T13:01:00.000Z'],
      [true, 1, '2026-11-21T13:01:00.000Z'],
      [true, 0, '2026-11-21T13:01:00.000Z'],
      [false, 0, '2026-11-21T13:01:00.000Z'],
    ],
  );
  assert.equal((await allowance.status('192.0.2.2')).remaining, 3);
  at(3659.999);
  assert.equal((await allowance.take('192.0.2.1')).granted, false);
  at(3660);
  assert.equal((await allowance.take('192.0.2.1')).status.remaining, 2);
});

test('parallel requests get no more than the allowance', async () => {
  const { allowance } = createSetting();
  const takings = await Promise.all(
    Array.from({ length: 50 }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return (await allowance.take('192.0.2.1')).granted;
    }),
  );
  assert.equal(takings.filter(Boolean).length, 3);
});

test('what is given back can be taken again, once', async () => {
  const { allowance, counters, at } = createSetting();
  const first = await allowance.take('192.0.2.1');
  const second = await allowance.take('192.0.2.1');
  assert.ok(first.granted && second.granted);
  await first.release();
  assert.equal((await allowance.status('192.0.2.1')).remaining, 2);
  await first.release();
  assert.equal((await allowance.status('192.0.2.1')).remaining, 2);
  await second.release();
  assert.equal((await allowance.status('192.0.2.1')).remaining, 3);
  assert.equal(counters.size, 0);

  const old = await allowance.take('192.0.2.1');
  assert.ok(old.granted);
  at(3600);
  await allowance.take('192.0.2.1');
  await old.release();
  assert.equal((await allowance.status('192.0.2.1')).remaining, 2);
});

describe('a client', () => {
  const cases: [string, string, string, boolean][] = [
    ['one IPv4 address', '192.0.2.1', '192.0.2.1', true],
    ['its form mapped into IPv6', '192.0.2.1', '::ffff:192.0.2.1', true],
    ['the same mapped address in hexadecimal', '192.0.2.1', '::ffff:c000:201', true],
    ['its neighbour', '192.0.2.1', '192.0.2.2', false],
    ['an IPv6 address of the same /64', '2001:db8::1', '2001:db8:0:0:ffff:ffff:ffff:ffff', true],
    ['the same address written otherwise', '2001:db8::1', '2001:DB8:0000::0:1', true],
    ['an IPv6 address of the next /64', '2001:db8::1', '2001:db8:0:1::1', false],
    ['what is no address', 'unknown', 'unknown', true],
  ];
  for (const [name, one, other, isSame] of cases) {
    it(`${name} is ${isSame ? 'the same' : 'another'}`, async () => {
      const { allowance } = createSetting();
      await allowance.take(one);
      assert.equal((await allowance.status(other)).remaining, isSame ? 2 : 3);
    });
  }
});

test('memory is bounded: what has ended goes, then the window that ends first', async () => {
  const { allowance, counters, at } = createSetting({ maxKeys: 100 });
  for (let index = 0; index < 1000; index += 1) {
    at(index / 1000);
    await allowance.take(`10.0.${index >> 8}.${index & 255}`);
  }
  assert.equal(counters.size, 100);
  assert.equal((await allowance.status('10.0.3.231')).remaining, 2);
  assert.equal((await allowance.status('10.0.0.0')).remaining, 3);
  at(3601);
  assert.equal((await allowance.status('10.0.3.231')).remaining, 3);
  assert.equal(counters.size, 0);
});
