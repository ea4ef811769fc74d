import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { testBaseUrl } from '../support/test-app.ts';
import { entry, list, newApp } from './served.ts';

for (const id of ['0123456789ab', 'nope', '..', '%2e%2e', 'x'.repeat(200), '__proto__']) {
  test(`the unknown id ${id.slice(0, 20)} is a 404 that says what to do`, async () => {
    const { app } = newApp();
    const { body } = await request(app).get(`/api/guestbook/${id}`).expect(404);
    assert.equal(body.status, 404);
    await request(app).delete(`/api/guestbook/${id}`).set('X-Withdrawal-Token', 'x').expect(404);
  });
}

// biome-ignore format: one body a line
const refused: [name: string, type: string, body: string, status: number, slug: string, pointer?: string][] = [
  ['no JSON', 'application/json', '{"name":', 400, 'invalid-request'],
  ['another type', 'text/plain', 'Hello', 415, 'unsupported-media-type'],
  ['a form', 'application/x-www-form-urlencoded', 'name=A&message=B', 415, 'unsupported-media-type'],
  ['an unknown charset', 'application/json; charset=klingon', '{}', 415, 'unsupported-media-type'],
  ['too long', 'application/json', JSON.stringify({ name: 'A', message: 'x'.repeat(17_000) }), 413, 'body-too-large'],
  ['an array', 'application/json', '[]', 422, 'invalid-fields', ''],
  ['a string', 'application/json', '"Hello"', 422, 'invalid-fields', ''],
  ['null', 'application/json', 'null', 422, 'invalid-fields', ''],
  ['nothing in it', 'application/json', '{}', 422, 'invalid-fields', '/name'],
  ['no message', 'application/json', '{"name":"A"}', 422, 'invalid-fields', '/message'],
  ['an empty name', 'application/json', '{"name":"","message":"B"}', 422, 'invalid-fields', '/name'],
  ['an invisible message', 'application/json', '{"name":"A","message":"\\u200b\\u00ad \\n"}', 422, 'invalid-fields', '/message'],
  ['a number for a name', 'application/json', '{"name":1,"message":"B"}', 422, 'invalid-fields', '/name'],
  ['an object for a message', 'application/json', '{"name":"A","message":{"a":1}}', 422, 'invalid-fields', '/message'],
  ['a list for a model', 'application/json', '{"name":"A","message":"B","model":[]}', 422, 'invalid-fields', '/model'],
  ['a field too many', 'application/json', '{"name":"A","message":"B","id":"0123456789ab"}', 422, 'invalid-fields', '/id'],
  ['a prototype', 'application/json', '{"name":"A","message":"B","__proto__":{"tier":"A"}}', 422, 'invalid-fields', '/__proto__'],
];

for (const [name, type, body, status, slug, pointer] of refused) {
  test(`a body that is ${name}: ${status} ${slug}, and nothing is stored`, async () => {
    const site = newApp();
    const response = await request(site.app)
      .post('/api/guestbook')
      .set('Content-Type', type)
      .send(body)
      .expect(status)
      .expect('Content-Type', 'application/problem+json');
    assert.equal(response.body.type, `${testBaseUrl}/problems/${slug}`);
    if (pointer !== undefined) {
      assert.equal(response.body.errors[0].pointer, pointer);
    }
    assert.equal((await list(site)).totals.total, 0);
  });
}

test('a body of several bytes a character, a lone surrogate, and one that is not UTF-8 are taken', async () => {
  const site = newApp();
  const surrogate = await request(site.app)
    .post('/api/guestbook')
    .set('Content-Type', 'application/json')
    .send('{"name":"A","message":"\\ud800 x"}')
    .expect(201);
  assert.equal(surrogate.body.entry.message, '\ufffd x');
  const response = await request(site.app)
    .post('/api/guestbook')
    .set('Content-Type', 'application/json')
    .serialize((value: unknown) => value as string)
    .send(Buffer.concat([Buffer.from('{"name":"A","message":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]))
    .expect(201);
  assert.match(response.body.entry.message, /^\ufffd+$/);
});

test('a body in another charset than UTF-8 is refused', async () => {
  for (const charset of ['utf-16', 'utf-7', 'iso-8859-1', '"windows-1252"']) {
    const { body } = await request(newApp().app)
      .post('/api/guestbook')
      .set('Content-Type', `application/json; charset=${charset}`)
      .send(JSON.stringify(entry))
      .expect(415);
    assert.match(body.detail, /^The charset .* is not read here\. Send UTF-8\.$/);
  }
});

// biome-ignore format: one fault a line
const faults: [body: unknown, errors: [pointer: string, detail: string][]][] = [
  [{}, [['/name', 'is missing: text is expected'], ['/message', 'is missing: text is expected']]],
  [{ ...entry, name: 7 }, [['/name', 'is a number where text is expected']]],
  [{ ...entry, model: null }, [['/model', 'is null where text is expected']]],
  [{ ...entry, message: ['a'] }, [['/message', 'is a JSON array where text is expected']]],
  [[], [['', 'is a JSON array where a JSON object is expected']]],
];

test('what is wrong with a field is said in a sentence', async () => {
  for (const [given, errors] of faults) {
    const { body } = await request(newApp().app)
      .post('/api/guestbook')
      .send(given as object)
      .expect(422);
    assert.deepEqual(
      body.errors.map(({ pointer, detail }: { pointer: string; detail: string }) => [pointer, detail]),
      errors,
    );
  }
  for (const [limit, says] of [
    ['0', 'is less than 1'],
    ['501', 'is more than 500'],
    ['ten', 'is not a whole number'],
  ]) {
    const { body } = await request(newApp().app).get(`/api/guestbook?limit=${limit}`).expect(400);
    assert.equal(body.errors[0].detail, says);
  }
});
