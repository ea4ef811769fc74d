import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import request from 'supertest';
import { problemTypes } from '#api/contract/problem-types.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app } = createTestApp();

interface Case {
  name: string;
  method?: 'get' | 'post' | 'put' | 'delete' | 'patch';
  target: string;
  headers?: Record<string, string>;
  status: number;
  slug: string;
  instance?: string;
  pointers?: string[];
  allow?: string;
}

// biome-ignore format: one error a line
const cases: Case[] = [
  { name: 'an unknown endpoint', target: '/api/nothing-here', status: 404, slug: 'not-found' },
  { name: 'an unknown endpoint, asked for with a query', target: '/api/nothing-here?secret=1', status: 404, slug: 'not-found', instance: '/api/nothing-here' },
  { name: 'the folder of the API', target: '/api', status: 404, slug: 'not-found' },
  { name: 'the folder of the API with a slash', target: '/api/', status: 404, slug: 'not-found' },
  { name: 'an unknown endpoint in other letters, with a slash', target: '/api/Nothing-Here/', status: 404, slug: 'not-found' },
  { name: 'an unknown record', target: '/api/crawlers/no-such-crawler', status: 404, slug: 'not-found' },
  { name: 'a record called like a member of every object', target: '/api/crawlers/__proto__', status: 404, slug: 'not-found' },
  { name: 'a record called constructor', target: '/api/glossary/constructor', status: 404, slug: 'not-found' },
  { name: 'an unknown filter', target: '/api/crawlers?colour=red', status: 400, slug: 'invalid-query', pointers: ['?colour'] },
  { name: 'two unknown filters', target: '/api/protocols?a=1&b=2&utm_source=x', status: 400, slug: 'invalid-query', pointers: ['?a', '?b'] },
  { name: 'a filter called __proto__', target: '/api/glossary?__proto__=1', status: 400, slug: 'invalid-query', pointers: ['?__proto__'] },
  { name: 'a filter without a name', target: '/api/models?=1', status: 400, slug: 'invalid-query', pointers: ['?'] },
  { name: 'a missing parameter', target: '/api/search', status: 400, slug: 'invalid-query', pointers: ['?q'] },
  { name: 'an empty parameter', target: '/api/search?q=%20', status: 400, slug: 'invalid-query', pointers: ['?q'] },
  { name: 'a repeated parameter', target: '/api/search?q=a&q=b', status: 400, slug: 'invalid-query', pointers: ['?q'] },
  { name: 'a parameter that is too long', target: `/api/search?q=${'a'.repeat(600)}`, status: 400, slug: 'invalid-query', pointers: ['?q'] },
  { name: 'a number out of range', target: '/api/search?q=a&limit=51', status: 400, slug: 'invalid-query', pointers: ['?limit'] },
  { name: 'a number that is none', target: '/api/search?q=a&limit=ten', status: 400, slug: 'invalid-query', pointers: ['?limit'] },
  { name: 'a number in another notation', target: '/api/search?q=a&limit=1e1', status: 400, slug: 'invalid-query', pointers: ['?limit'] },
  { name: 'a value that is not one of the list', target: '/api/search?q=a&dataset=nothing', status: 400, slug: 'invalid-query', pointers: ['?dataset'] },
  { name: 'a parameter that could be one in brackets', target: '/api/search?q[]=a', status: 400, slug: 'invalid-query', pointers: ['?q', '?q[]'] },
  { name: 'POST to a read', method: 'post', target: '/api/techniques', status: 405, slug: 'method-not-allowed', allow: 'GET, HEAD, OPTIONS' },
  { name: 'PUT to a read', method: 'put', target: '/api/whoami', status: 405, slug: 'method-not-allowed', allow: 'GET, HEAD, OPTIONS' },
  { name: 'DELETE of a record', method: 'delete', target: '/api/crawlers/gptbot', status: 405, slug: 'method-not-allowed', allow: 'GET, HEAD, OPTIONS' },
  { name: 'PATCH of the registry', method: 'patch', target: '/api/tool-registry', status: 405, slug: 'method-not-allowed', allow: 'GET, HEAD, OPTIONS' },
  { name: 'POST to health', method: 'post', target: '/api/health', status: 405, slug: 'method-not-allowed', allow: 'GET, HEAD, OPTIONS' },
  { name: 'GET of the audit', target: '/api/audit', status: 405, slug: 'method-not-allowed', allow: 'POST, OPTIONS' },
  { name: 'PUT to the directory', method: 'put', target: '/api/directory', status: 405, slug: 'method-not-allowed', allow: 'GET, HEAD, POST, OPTIONS' },
  { name: 'an audit without a body', method: 'post', target: '/api/audit', status: 415, slug: 'unsupported-media-type' },
  { name: 'joining without a body', method: 'post', target: '/api/directory', status: 415, slug: 'unsupported-media-type' },
  { name: 'paying without a body', method: 'post', target: '/api/pay', status: 415, slug: 'unsupported-media-type' },
  { name: 'the playbook with a parameter', target: '/api/premium/playbook?utm_source=x', status: 402, slug: 'payment-required' },
  { name: 'a badge without a score', target: '/badge.svg', status: 400, slug: 'invalid-query', pointers: ['?score'] },
  { name: 'a broken percent-encoding', target: '/api/crawlers/%zz', status: 400, slug: 'invalid-request' },
  { name: 'a path that is not UTF-8', target: '/api/crawlers/%ff', status: 400, slug: 'invalid-request' },
  { name: 'NUL in a path', target: '/api/crawlers/%00', status: 400, slug: 'invalid-request' },
  { name: 'a target over 8 KiB', target: `/api/search?q=${'a'.repeat(8200)}`, status: 414, slug: 'uri-too-long' },
];

describe('parameters that an address does not know are ignored where it takes none, and those of links from elsewhere', () => {
  const { app } = createTestApp();
  for (const target of [
    ...['/api/techniques?limit=1', '/api/whoami?a=1&b=2', '/api/techniques?__proto__=1', '/api/techniques?=1'],
    ...['/api/directory?tier=standard', '/api/techniques?offset=3', '/api/health?x', '/api/tool-registry?a=1&a=2'],
    ...['/api/search?q=mcp&utm_source=chatgpt.com', '/api/ask?q=What%20is%20MCP&ref=a&ref=b'],
    ...['/api/crawlers?utm_source=chatgpt.com', '/api/models?ref=a&fbclid=b&gclid=c&UTM_Medium=d'],
    ...['/api/protocols/mcp?utm_source=x&id=other', '/badge.svg?score=85&color=red'],
  ]) {
    it(target, async () => {
      const { body } = await request(app).get(target).expect(200);
      const plain = await request(app)
        .get(target.replace(/[?&](?!q=|score=)[^&]*/g, ''))
        .expect(200);
      if (!target.startsWith('/api/whoami')) {
        assert.deepEqual(body, plain.body);
      }
    });
  }
});

const details: [target: string, detail: string][] = [
  [
    '/api/search?q=a&dataset=nothing',
    '?dataset is not one of crawlers, protocols, models, glossary, state-of-the-agentic-web, state',
  ],
  ['/api/search', '?q is missing: text is expected'],
  ['/api/search?q=%20', '?q is empty: give one word or more'],
  [`/api/search?q=${'a'.repeat(600)}`, '?q is too long: at most 500 characters are accepted'],
  ['/api/search?q=a&limit=51', '?limit is more than 50'],
  ['/api/search?q=a&limit=0', '?limit is less than 1'],
  ['/api/search?q=a&limit=ten', '?limit is not a whole number'],
  ['/api/search?q=a&limit=1.5', '?limit is not a whole number'],
];

for (const [target, detail] of details) {
  test(`${target.slice(0, 60)} is refused with a sentence`, async () => {
    const response = await request(app).get(target).set('Accept', 'application/json').expect(400);
    const body = JSON.parse(response.body instanceof Buffer ? response.body.toString('utf8') : response.text);
    assert.ok(body.detail.endsWith(` ${detail}`), body.detail);
  });
}

test('a dataset is searched by its id and by its name in paths', async () => {
  const [byId, byPath] = await Promise.all(
    ['state-of-the-agentic-web', 'state'].map((dataset) =>
      request(app).get('/api/search').query({ q: 'GPTBot', dataset }),
    ),
  );
  assert.equal(byPath?.status, 200);
  assert.ok(byPath?.body.count > 0);
  assert.deepEqual(byPath?.body, byId?.body);
});

const known = new Map(problemTypes.map((type) => [type.slug, type]));

for (const { name, method = 'get', target, headers = {}, status, slug, instance, pointers, allow } of cases) {
  test(`${name}: ${status} ${slug}`, async () => {
    const response = await request(app)[method](target).set('Accept', 'application/json').set(headers);
    assert.equal(response.status, status);
    assert.equal(response.get('content-type'), 'application/problem+json');
    assert.equal(response.get('cache-control'), 'no-store');
    assert.match(response.get('vary') ?? '', /Accept/);
    assert.equal(response.get('x-agent-welcome'), `${testBaseUrl}/llms.txt`);
    const body = JSON.parse(response.body instanceof Buffer ? response.body.toString('utf8') : response.text);
    assert.equal(body.type, `${testBaseUrl}/problems/${slug}`);
    assert.equal(body.title, known.get(slug)?.title);
    assert.equal(body.status, status);
    assert.ok(body.detail.length > 10 && body.detail.length <= 1200);
    assert.doesNotMatch(body.detail, /\bat .*:\d+:\d+|node_modules|\/api\/.*\.ts/, 'no trace of the code');
    assert.equal(body.instance, instance ?? target.split('?')[0]);
    assert.equal(body.request_id, response.get('x-request-id'));
    if (pointers === undefined) {
      assert.equal(body.errors, undefined);
    } else {
      assert.deepEqual(body.errors.map((error: { pointer: string }) => error.pointer).sort(), pointers);
      for (const error of body.errors) {
        assert.deepEqual(Object.keys(error), ['pointer', 'detail']);
        assert.equal(typeof error.detail, 'string');
      }
    }
    assert.equal(response.get('allow'), allow);
  });
}

test('a client that does not say what it wants gets JSON', async () => {
  await request(app).get('/api/nothing-here').expect(404).expect('Content-Type', 'application/problem+json');
  await request(app).get('/api/nothing-here').set('Accept', '*/*').expect('Content-Type', 'application/problem+json');
});

test('a long path is not repeated in full', async () => {
  const response = await request(app)
    .get(`/api/${'a'.repeat(5000)}`)
    .expect(404);
  assert.ok(response.text.length < 1000);
});

test('text in a path does not become markup or a second line', async () => {
  const response = await request(app).get('/api/%3Cscript%3E%0d%0aSet-Cookie:x').set('Accept', 'application/json');
  assert.equal(response.status, 404);
  assert.equal(response.get('set-cookie'), undefined);
  assert.doesNotMatch(response.text, /<script>/);
});
