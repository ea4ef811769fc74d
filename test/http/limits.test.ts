import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { defaultLimits } from '#api/contract/limits.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const read = { count: 3, windowSeconds: 60 };
const behindProxy = { environment: { TRUST_PROXY: 'loopback' }, limits: { read } };
const statusFor = async (app: ReturnType<typeof createTestApp>['app'], forwarded: string): Promise<number> =>
  (await request(app).get('/api/health').set('X-Forwarded-For', forwarded)).status;

test('the service allows 600 reads a minute', () => {
  assert.deepEqual(defaultLimits.read, { count: 600, windowSeconds: 60 });
});

test('the allowance is told before it is used up, and after that 429 says when to come back', async () => {
  const { app } = createTestApp({ limits: { read } });
  for (let used = 1; used <= read.count; used += 1) {
    const response = await request(app).get('/api/health').expect(200);
    assert.match(response.get('ratelimit-policy') ?? '', /^"read"; q=3; w=60/);
    assert.match(response.get('ratelimit') ?? '', new RegExp(`^"read"; r=${read.count - used}; t=\\d+$`));
  }
  const refused = await request(app).get('/api/health').expect(429);
  assert.match(refused.get('ratelimit-policy') ?? '', /^"read"; q=3; w=60/);
  assert.match(refused.get('ratelimit') ?? '', /^"read"; r=0; t=\d+$/);
  const seconds = Number(refused.get('retry-after'));
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  assert.equal(refused.get('content-type'), 'application/problem+json');
  const body = JSON.parse(refused.text);
  assert.equal(body.type, `${testBaseUrl}/problems/rate-limited`);
  assert.equal(body.status, 429);
  assert.match(body.detail, new RegExp(`\\b${seconds} seconds`));
  assert.equal(refused.get('x-ratelimit-limit'), undefined);
});

test('what does not exist counts as well, and one allowance holds for all reads', async () => {
  const { app } = createTestApp({ limits: { read } });
  await request(app).get('/api/nothing-here').expect(404);
  await request(app).get('/api/search?x=1').expect(400);
  await request(app).post('/api/techniques').expect(405);
  await request(app).get('/api/techniques').expect(429);
});

/** Writes against two allowances until one is used up, and what a further one is told. */
async function refusedWrite(perMinute: number, perHour: number) {
  const write = [
    { count: perMinute, windowSeconds: 60 },
    { count: perHour, windowSeconds: 3600 },
  ];
  const { app } = createTestApp({ limits: { write } });
  const pay = () => request(app).post('/api/pay').send({});
  for (let used = 0; used < Math.min(perMinute, perHour); used += 1) {
    await pay().expect(422);
  }
  await pay().expect(429);
  const { headers, body } = await pay().expect(429);
  const seconds = Number(headers['retry-after']);
  assert.match(body.detail, new RegExp(`Wait ${seconds} seconds`));
  assert.equal(
    headers['ratelimit-policy'],
    `"read"; q=600; w=60, "write-60"; q=${perMinute}; w=60, "write-3600"; q=${perHour}; w=3600`,
  );
  return {
    seconds,
    left: [...String(headers['ratelimit']).matchAll(/write-\d+"; r=(\d+)/g)].map(([, left]) => Number(left)),
  };
}

test('what one allowance refuses takes nothing from the other, and both are told', async () => {
  const hour = await refusedWrite(5, 2);
  assert.deepEqual(hour.left, [3, 0]);
  assert.ok(hour.seconds > 3000, `${hour.seconds} seconds`);
  const minute = await refusedWrite(2, 5);
  assert.deepEqual(minute.left, [0, 3]);
  assert.ok(minute.seconds <= 60, `${minute.seconds} seconds`);
});

test('when two allowances are used up, the longer wait is told', async () => {
  const { seconds, left } = await refusedWrite(2, 2);
  assert.deepEqual(left, [0, 0]);
  assert.ok(seconds > 3000, `${seconds} seconds`);
});

test('X-Forwarded-For is not believed when no proxy is trusted', async () => {
  const { app } = createTestApp({ limits: { read } });
  const statuses: number[] = [];
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
    statuses.push(await statusFor(app, address));
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
});

test('X-Forwarded-For is not believed from an address that is not the trusted proxy', async () => {
  const { app } = createTestApp({ environment: { TRUST_PROXY: '192.0.2.0/24' }, limits: { read } });
  const statuses: number[] = [];
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
    statuses.push(await statusFor(app, address));
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
});

test('behind the trusted proxy each client has an allowance of its own', async () => {
  const { app } = createTestApp(behindProxy);
  for (let used = 0; used < read.count; used += 1) {
    assert.equal(await statusFor(app, '203.0.113.1'), 200);
  }
  assert.equal(await statusFor(app, '203.0.113.1'), 429);
  assert.equal(await statusFor(app, '203.0.113.2'), 200);
});

test('of a forwarded list only what the proxy wrote counts: the last address', async () => {
  const { app } = createTestApp(behindProxy);
  for (const invented of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
    assert.equal(await statusFor(app, `${invented}, 203.0.113.1`), 200);
  }
  assert.equal(await statusFor(app, '198.51.100.4, 203.0.113.1'), 429);
});

test('an IPv6 client is its /64', async () => {
  const { app } = createTestApp(behindProxy);
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:a:b:c:d']) {
    assert.equal(await statusFor(app, address), 200);
  }
  assert.equal(await statusFor(app, '2001:db8:1:2:1234::1'), 429, 'the same /64');
  assert.equal(await statusFor(app, '2001:db8:1:3::1'), 200, 'the next /64');
});

test('an IPv4 address in the form of IPv6 is that IPv4 address', async () => {
  const { app } = createTestApp(behindProxy);
  for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '203.0.113.1']) {
    assert.equal(await statusFor(app, address), 200);
  }
  assert.equal(await statusFor(app, '::ffff:203.0.113.1'), 429);
  assert.equal(await statusFor(app, '::ffff:203.0.113.2'), 200, 'another client is not shut out with it');
});

test('what is no address in X-Forwarded-For breaks nothing', async () => {
  const { app } = createTestApp({ ...behindProxy, limits: { read: { count: 100, windowSeconds: 60 } } });
  for (const text of [
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '::::',
    '<script>',
    '127.0.0.1:4321',
    '"',
    ',,,',
    'a'.repeat(4000),
  ]) {
    assert.equal(await statusFor(app, text), 200, text.slice(0, 20));
  }
});
