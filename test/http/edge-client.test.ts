import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { createTestApp } from '../support/test-app.ts';

const secret = 'the-worker-and-the-service-share-it';

/** How often each of two clients behind one connection may still read, after one request each. */
async function remaining(environment: Record<string, string>, headers: (client: string) => string): Promise<string[]> {
  const { app } = createTestApp({ environment, limits: { read: { count: 5, windowSeconds: 60 } } });
  const left: string[] = [];
  for (const client of ['203.0.113.1', '203.0.113.2']) {
    const response = await request(app).get('/api/techniques').set('X-Edge-Client', headers(client));
    left.push(/r=(\d+)/.exec(response.get('ratelimit') ?? '')?.[1] ?? '');
  }
  return left;
}

test('with the secret each client that the worker names has an allowance of its own', async () => {
  assert.deepEqual(await remaining({ EDGE_SECRET: secret }, (client) => `${secret} ${client}`), ['4', '4']);
});

for (const [name, environment, header] of [
  ['no secret is set', {}, (client: string) => `${secret} ${client}`],
  ['the secret is another', { EDGE_SECRET: secret }, (client: string) => `${secret}! ${client}`],
  ['there is no secret in it', { EDGE_SECRET: secret }, (client: string) => client],
  ['it names no address', { EDGE_SECRET: secret }, (client: string) => `${secret} x${client}`],
] as const) {
  test(`the header says nothing when ${name}`, async () => {
    assert.deepEqual(await remaining(environment, header), ['4', '3']);
  });
}

test('nobody is told the secret, whether it is right or not', async () => {
  for (const environment of [{ EDGE_SECRET: secret }, {}] as Record<string, string>[]) {
    const { app, logText } = createTestApp({ environment });
    const response = await request(app).get('/api/whoami').set('X-Edge-Client', `${secret} 203.0.113.1`);
    assert.equal(response.status, 200);
    assert.doesNotMatch(response.text, /x-edge-client|the-worker-and/i);
    assert.doesNotMatch(logText(), /the-worker-and/);
  }
});

test('a form whose origin a browser hides comes from the site itself, which the worker answers for', async () => {
  const { app, context } = createTestApp({ environment: { EDGE_SECRET: secret } });
  const send = (header: Record<string, string>) =>
    request(app)
      .post('/api/guestbook')
      .set({ Host: 'origin.internal', Origin: 'null', 'Sec-Fetch-Site': 'same-origin', ...header })
      .send({ name: 'A', message: 'B' });
  assert.equal((await send({})).status, 403);
  assert.equal((await send({ 'X-Edge-Client': `${secret} 203.0.113.1` })).status, 201);
  assert.equal(context.guestbook.totals().total, 1);
});
