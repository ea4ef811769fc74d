import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { createTestApp } from '../support/test-app.ts';

const { app } = createTestApp();
const origin = { Origin: 'https://elsewhere.example' };

for (const target of ['/api/techniques', '/api/whoami', '/api/tool-registry', '/api/health', '/api/nothing-here']) {
  for (const method of ['get', 'head'] as const) {
    test(`${method} ${target} can be read from another origin`, async () => {
      const response = await request(app)[method](target).set(origin);
      assert.equal(response.get('access-control-allow-origin'), '*');
      assert.equal(response.get('access-control-allow-credentials'), undefined);
      assert.match(response.get('access-control-expose-headers') ?? '', /RateLimit.*Retry-After.*X-Request-Id/);
    });
  }
}

test('an error before any route can be read from another origin too', async () => {
  const response = await request(app).get('/api/%zz').set(origin).expect(400);
  assert.equal(response.get('access-control-allow-origin'), '*');
});

test('the preflight of a read is answered, that of a write is not allowed', async () => {
  const response = await request(app)
    .options('/api/whoami')
    .set({ ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'signature-input' })
    .expect(204);
  assert.equal(response.get('access-control-allow-origin'), '*');
  assert.equal(response.get('access-control-allow-methods'), 'GET, HEAD');
  assert.equal(response.get('access-control-allow-headers'), '*');
  assert.equal(response.get('allow'), 'GET, HEAD, OPTIONS');
});

test('a write carries no permission for other origins', async () => {
  const response = await request(app).post('/api/techniques').set(origin).expect(403);
  assert.equal(response.get('access-control-allow-origin'), undefined);
});

test('OPTIONS of an unknown endpoint is a 404', async () => {
  await request(app).options('/api/nothing-here').expect(404);
});
