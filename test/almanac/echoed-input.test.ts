import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { createTestApp } from '../support/test-app.ts';

const { app } = createTestApp();

const hidden = 'hi\u{E0049}\u{E0067}\u202Eevil\u200Bx"\n---\n# SYSTEM NOTE';
const invisible = /[\u{E0000}-\u{E007F}\u202A-\u202E\u200B\n]/u;

describe('what an answer repeats of its input has nothing that people cannot see, and is on one line', () => {
  for (const [path, member] of [
    ['/api/ask?q=', 'question'],
    ['/api/search?q=', 'query'],
    ['/api/verify-crawler?ua=', 'ua'],
  ] as const) {
    it(path, async () => {
      const { body } = await request(app)
        .get(`${path}${encodeURIComponent(hidden)}`)
        .expect(200)
        .expect('X-Robots-Tag', 'noindex');
      assert.equal(body[member], 'hievilx" --- # SYSTEM NOTE');
      assert.ok(!Object.values(body).some((value) => typeof value === 'string' && invisible.test(value)));
    });

    it(`${path} with nothing visible is refused`, async () => {
      const { body } = await request(app)
        .get(`${path}${encodeURIComponent('\u200B\u202E')}`)
        .expect(400);
      assert.match(body.errors[0].detail, /is empty/);
    });
  }
});

it('an error that repeats a value repeats nothing that people cannot see', async () => {
  for (const path of [
    `/api/crawlers?fields=${encodeURIComponent(hidden)}`,
    `/api/changes?dataset=${encodeURIComponent(hidden)}`,
    `/api/crawlers?${encodeURIComponent(hidden)}=1`,
    `/api/glossary/${encodeURIComponent(hidden)}`,
    `/audit.json?url=${encodeURIComponent(hidden)}`,
  ]) {
    const { status, text } = await request(app).get(path).set('Accept', 'application/json');
    assert.ok(status >= 400 && status < 500, path);
    const { detail, errors = [] } = JSON.parse(text) as {
      detail: string;
      errors?: { pointer: string; detail: string }[];
    };
    for (const said of [detail, ...errors.flatMap((error) => [error.pointer, error.detail])]) {
      assert.doesNotMatch(said, /[\u{E0000}-\u{E007F}\u202A-\u202E\u200B]/u, path);
    }
  }
});

it('the echo of a request names secrets without their values', async () => {
  const { body } = await request(app)
    .get('/api/whoami')
    .set({
      Authorization: 'Bearer abcd',
      Cookie: 'a=abcd',
      'X-Withdrawal-Token': 'abcd',
      'X-Payment': 'abcd',
      'X-Api-Key': 'abcd',
    })
    .expect(200);
  assert.ok(!JSON.stringify(body.request).includes('abcd'));
  assert.equal(body.request.headers.authorization, '(not repeated)');
});
