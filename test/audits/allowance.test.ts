import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { type Allowance, createAllowance } from '#api/audits/allowance.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

function createSetting(options: { maxClients?: number } = {}): { allowance: Allowance; at: (seconds: number) => void } {
  let clock = start;
  return {
    allowance: createAllowance({ limit: 3, windowSeconds: 3600, now: () => new Date(clock), ...options }),
    at: (seconds) => {
      clock = start + seconds * 1000;
    },
  };
}

test('three in an hour from the first, and then three again', () => {
  const { allowance, at } = createSetting();
  assert.deepEqual(allowance.status('192.0.2.1'), { limit: 3, remaining: 3, resets_at: '2026-11-21T13:00:00.000Z' });
  at(60);
  const takings = [1, 2, 3, 4].map(() => allowance.take('192.0.2.1'));
  assert.deepEqual(
    takings.map(({ granted, status }) => [granted, status.remaining, status.resets_at]),
    [
      [true, 2, '2026-11-21T13:01:00.000Z'],
      [true, 1, '2026-11-21T13:01:00.000Z'],
      [true, 0, '2026-11-21T13:01:00.000Z'],
      [false, 0, '2026-11-21T13:01:00.000Z'],
    ],
  );
  assert.equal(allowance.status('192.0.2.2').remaining, 3);
  at(3659.999);
  assert.equal(allowance.take('192.0.2.1').granted, false);
  at(3660);
  assert.equal(allowance.take('192.0.2.1').status.remaining, 2);
});

test('parallel requests get no more than the allowance', async () => {
  const { allowance } = createSetting();
  const takings = await Promise.all(
    Array.from({ length: 50 }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return allowance.take('192.0.2.1').granted;
    }),
  );
  assert.equal(takings.filter(Boolean).length, 3);
});

test('what is given back can be taken again, once', () => {
  const { allowance, at } = createSetting();
  const first = allowance.take('192.0.2.1');
  const second = allowance.take('192.0.2.1');
  assert.ok(first.granted && second.granted);
  assert.equal(first.giveBack().remaining, 2);
  assert.equal(first.giveBack().remaining, 2);
  assert.equal(second.giveBack().remaining, 3);
  assert.equal(allowance.size, 0);

  const old = allowance.take('192.0.2.1');
  assert.ok(old.granted);
  at(3600);
  allowance.take('192.0.2.1');
  assert.equal(old.giveBack().remaining, 2);
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
    it(`${name} is ${isSame ? 'the same' : 'another'}`, () => {
      const { allowance } = createSetting();
      allowance.take(one);
      assert.equal(allowance.status(other).remaining, isSame ? 2 : 3);
    });
  }
});

test('memory is bounded: what has ended goes, then the window that ends first', () => {
  const { allowance, at } = createSetting({ maxClients: 100 });
  for (let index = 0; index < 1000; index += 1) {
    at(index / 1000);
    allowance.take(`10.0.${index >> 8}.${index & 255}`);
  }
  assert.equal(allowance.size, 100);
  assert.equal(allowance.status('10.0.3.231').remaining, 2);
  assert.equal(allowance.status('10.0.0.0').remaining, 3);
  at(3601);
  assert.equal(allowance.status('10.0.3.231').remaining, 3);
  assert.equal(allowance.size, 0);
});
