import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import request from 'supertest';
import { exchange } from '../support/raw-http.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app } = createTestApp();

interface Echo {
  greeting: string;
  verdict: { isLikelyAgent: boolean; matchedSignature?: string; hints: string[]; note: string };
  signature: { present: boolean; note: string; verified?: boolean; tier?: string; reason?: string };
  request: { method: string; path: string; httpVersion: string; headers: Record<string, string> };
  how_to_sign: { scheme: string; cover: string[]; headers_to_send: Record<string, string>; try_it: string };
  next_steps: string[];
}

async function whoami(headers: Record<string, string> = {}): Promise<Echo> {
  const response = await request(app).get('/api/whoami').set(headers).expect(200);
  assert.equal(response.get('cache-control'), 'no-store');
  return response.body as Echo;
}

test('every field of the specification is there, with its type', async () => {
  const echo = await whoami({ 'User-Agent': 'GPTBot/1.3' });
  assert.deepEqual(Object.keys(echo).sort(), [
    'greeting',
    'how_to_sign',
    'next_steps',
    'request',
    'signature',
    'verdict',
  ]);
  assert.equal(typeof echo.greeting, 'string');
  assert.equal(typeof echo.verdict.isLikelyAgent, 'boolean');
  assert.ok(Array.isArray(echo.verdict.hints));
  assert.match(echo.verdict.note, /hospitality, not security/);
  assert.equal(typeof echo.signature.present, 'boolean');
  assert.equal(typeof echo.signature.note, 'string');
  assert.deepEqual(echo.how_to_sign.cover, ['@method', '@authority', '@path']);
  assert.equal(typeof echo.how_to_sign.scheme, 'string');
  assert.equal(echo.how_to_sign.try_it, `${testBaseUrl}/api/whoami`);
  assert.deepEqual(Object.keys(echo.how_to_sign.headers_to_send), ['Signature-Input', 'Signature', 'Signature-Key']);
});

test('the templates for signing have the shape that the specification states', async () => {
  const { headers_to_send } = (await whoami()).how_to_sign;
  const input = String(headers_to_send['Signature-Input']);
  assert.match(input, /^sig1=\("@method" "@authority" "@path"\);/);
  assert.deepEqual(
    [...input.matchAll(/;(\w+)=/g)].map(([, name]) => name),
    ['created', 'keyid', 'alg', 'tag'],
  );
  assert.match(input, /;alg="ed25519"/);
  assert.match(input, /;tag="web-bot-auth"/);
  assert.match(String(headers_to_send['Signature']), /^sig1=:<[A-Z0-9_]+>:$/);
});

test('the next steps lead to the question, the index, the markdown and the guestbook', async () => {
  const steps = (await whoami()).next_steps.join('\n');
  for (const part of [
    `${testBaseUrl}/api/ask`,
    `${testBaseUrl}/llms.txt`,
    'text/markdown',
    `POST ${testBaseUrl}/api/guestbook`,
  ]) {
    assert.ok(steps.includes(part), part);
  }
});

// biome-ignore format: one caller a line
const callers: [name: string, headers: Record<string, string>, isLikelyAgent: boolean, matched: string | undefined, hint: RegExp | null][] = [
  ['a browser', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', Accept: 'text/html,*/*;q=0.8' }, false, undefined, null],
  ['a crawler', { 'User-Agent': 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)' }, true, 'gptbot', /GPTBot/],
  ['a crawler in capital letters', { 'User-Agent': 'GPTBOT/9' }, true, 'gptbot', /GPTBot/i],
  ['a library', { 'User-Agent': 'curl/8.14.1' }, true, undefined, /curl/],
  ['a name that says agent', { 'User-Agent': 'MyShoppingAgent/2.0' }, true, undefined, /program \(MyShoppingAgent\)/],
  ['no name at all', { 'User-Agent': '' }, true, undefined, /No User-Agent/],
  ['a word that holds a token', { 'User-Agent': 'MyGPTBotany/1.0 (Windows NT 10.0) Firefox/140.0' }, false, undefined, null],
  ['a browser that asks for markdown', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', Accept: 'text/markdown' }, true, undefined, /text\/markdown/],
  ['a Signature-Agent', { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Signature-Agent': '"https://agent.example"' }, true, undefined, /Signature-Agent.*agent\.example/],
];

for (const [name, headers, isLikelyAgent, matched, hint] of callers) {
  test(`verdict: ${name}`, async () => {
    const { verdict } = await whoami(headers);
    assert.equal(verdict.isLikelyAgent, isLikelyAgent);
    assert.equal(verdict.matchedSignature, matched);
    if (hint === null) {
      assert.deepEqual(verdict.hints, []);
    } else {
      assert.match(verdict.hints.join('\n'), hint);
    }
  });
}

test('a signature is seen, and judged, when one of its headers came', async () => {
  const input = 'sig1=("@method" "@authority" "@path");created=1;keyid="k";alg="ed25519";tag="web-bot-auth"';
  for (const [name, value] of [
    ['Signature-Input', input],
    ['Signature', 'sig1=:AAAA:'],
  ] as const) {
    const { signature } = await whoami({ [name]: value });
    assert.deepEqual(
      [signature.present, signature.verified, signature.tier, signature.reason],
      [true, false, 'D', 'incomplete-signature'],
    );
  }
  const both = await whoami({ 'Signature-Input': input, Signature: 'sig1=:AAAA:' });
  assert.equal(both.signature.present, true);
  assert.equal(both.verdict.isLikelyAgent, true);
});

const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => server.close());

test('the request is echoed as it came: repeated headers, odd names, proxy headers', async () => {
  const response = await exchange(origin, {
    target: '/api/whoami',
    headers: [
      ['X-Twice', 'one'],
      ['x-tWICE', 'two'],
      ['X-Forwarded-For', '203.0.113.9'],
      ['X-Empty', ''],
      ['__proto__', 'polluted'],
      ['constructor', 'c'],
      ['Cookie', '(not repeated)'],
    ],
  });
  const { request: echoed } = JSON.parse(response.body.toString('utf8')) as Echo;
  assert.equal(echoed.method, 'GET');
  assert.equal(echoed.path, '/api/whoami');
  assert.equal(echoed.httpVersion, '1.1');
  const { host: _host, connection: _connection, ...rest } = echoed.headers;
  assert.deepEqual(Object.entries(rest), [
    ['x-twice', 'one, two'],
    ['x-forwarded-for', '203.0.113.9'],
    ['x-empty', ''],
    ['__proto__', 'polluted'],
    ['constructor', 'c'],
    ['cookie', '(not repeated)'],
  ]);
  for (const [name, value] of Object.entries(echoed.headers)) {
    assert.equal(name, name.toLowerCase());
    assert.equal(typeof value, 'string');
  }
});

test('HTTP/1.0 is echoed as such', async () => {
  const response = await exchange(origin, { target: '/api/whoami', version: 'HTTP/1.0' });
  assert.equal((JSON.parse(response.body.toString('utf8')) as Echo).request.httpVersion, '1.0');
});

test('HEAD is answered without a body', async () => {
  const response = await request(app).head('/api/whoami').expect(200);
  assert.equal(response.text, undefined);
});
