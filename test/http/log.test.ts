import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { createTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('one line for each request, with what is needed to follow it up', async () => {
  const { app, log } = createTestApp();
  const response = await request(app).get('/api/techniques').expect(200);
  await until(() => log.length > 0, 'a line of the log');
  assert.equal(log.length, 1);
  const { time, level, milliseconds, ...line } = log[0] ?? {};
  assert.deepEqual(line, {
    requestId: response.get('x-request-id'),
    method: 'GET',
    path: '/api/techniques',
    route: '/api/techniques',
    status: 200,
    // It was compressed on the way.
    bytes: null,
    complete: true,
  });
  assert.equal(level, 30);
  assert.equal(typeof time, 'number');
  assert.equal(typeof milliseconds, 'number');
});

test('a trace of the caller can be followed; what is no traceparent is left out', async () => {
  const { app, log } = createTestApp();
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  for (const traceparent of [`00-${traceId}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`, 'needle']) {
    await request(app).get('/api/health').set('traceparent', traceparent).expect(200);
  }
  await until(() => log.length === 3, 'three lines of the log');
  assert.deepEqual(
    log.map((line) => [line['traceId'], line['spanId'], line['route']]),
    [
      [traceId, spanId, '/api/health'],
      [undefined, undefined, '/api/health'],
      [undefined, undefined, '/api/health'],
    ],
  );
});

test('no address, query, header or body of the client is written down', async () => {
  const { app, log, logText } = createTestApp({ environment: { TRUST_PROXY: 'loopback' } });
  const marks = [
    '203.0.113.77',
    'SecretAgent',
    'needle-in-query',
    'cookie-value',
    'token-value',
    'body-text',
    'elsewhere',
  ];
  const headers = {
    'X-Forwarded-For': '203.0.113.77',
    'User-Agent': 'SecretAgent/1.0',
    Cookie: 'a=cookie-value',
    Authorization: 'Bearer token-value',
    'X-Withdrawal-Token': 'token-value',
    'X-Payment': 'token-value',
    Referer: 'https://elsewhere.example/',
  };
  await request(app).get('/api/search?q=needle-in-query').set(headers).expect(200);
  await request(app).get('/api/search?needle-in-query=1').set(headers).expect(400);
  await request(app).get('/api/nothing-here?needle-in-query').set(headers).expect(404);
  await request(app).post('/api/techniques').set(headers).send({ text: 'body-text' }).expect(405);
  await until(() => log.length >= 4, 'four lines of the log');
  assert.equal(log.length, 4);
  for (const mark of [...marks, '127.0.0.1', '::1']) {
    assert.ok(!logText().includes(mark), mark);
  }
});

test('a long path is cut, and a line break in it makes no second line', async () => {
  const { app, log, logText } = createTestApp();
  await request(app)
    .get(`/api/%0a${'a'.repeat(3000)}`)
    .expect(404);
  await until(() => log.length > 0, 'a line of the log');
  assert.ok(String(log[0]?.['path']).length <= 200);
  assert.equal(logText().trim().split('\n').length, 1);
});

test('each request has an id of its own', async () => {
  const { app } = createTestApp();
  const ids = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    ids.add(String((await request(app).get('/api/health')).get('x-request-id')));
  }
  assert.equal(ids.size, 5);
  for (const id of ids) {
    assert.match(id, uuid);
  }
});

// biome-ignore format: one id a line
const given: [name: string, environment: Record<string, string>, id: string, kept: boolean][] = [
  ['from the trusted proxy', { TRUST_PROXY: 'loopback' }, '0123456789abcdef0123456789abcdef', true],
  ['from anyone', {}, '0123456789abcdef0123456789abcdef', false],
  ['from an address that is not the trusted proxy', { TRUST_PROXY: '192.0.2.1' }, '0123456789abcdef0123456789abcdef', false],
  ['too short', { TRUST_PROXY: 'loopback' }, 'short', false],
  ['too long', { TRUST_PROXY: 'loopback' }, 'a'.repeat(65), false],
  ['with characters that could mean something', { TRUST_PROXY: 'loopback' }, '"><script>alert(1)</script>', false],
];

for (const [name, environment, id, kept] of given) {
  test(`X-Request-Id ${name} is ${kept ? 'kept' : 'replaced'}`, async () => {
    const { app, log } = createTestApp({ environment });
    const response = await request(app).get('/api/health').set('X-Request-Id', id).expect(200);
    const answered = String(response.get('x-request-id'));
    if (kept) {
      assert.equal(answered, id);
    } else {
      assert.match(answered, uuid);
    }
    await until(() => log.length > 0, 'a line of the log');
    assert.equal(log[0]?.['requestId'], answered);
  });
}

test('X-Forwarded-For without a trusted proxy is warned of once, with the setting to change', async () => {
  for (const [environment, warnings] of [
    [{}, 1],
    [{ TRUST_PROXY: 'loopback' }, 0],
  ] as const) {
    const { app, log } = createTestApp({ environment });
    await request(app).get('/api/health').expect(200);
    assert.equal(log.filter(({ level }) => level === 40).length, 0);
    for (let count = 0; count < 3; count += 1) {
      await request(app).get('/api/health').set('X-Forwarded-For', '203.0.113.77').expect(200);
    }
    const said = log.filter(({ level }) => level === 40);
    assert.equal(said.length, warnings);
    for (const { msg } of said) {
      assert.match(String(msg), /TRUST_PROXY/);
      assert.doesNotMatch(String(msg), /203\.0\.113/);
    }
  }
});
