import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { listen, stopListening } from '#api/http/listen.ts';
import { exchange } from '../support/raw-http.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app, log } = createTestApp();
const server = await listen(app, { host: '127.0.0.1', port: 0, baseUrl: testBaseUrl });
after(() => stopListening(server, 1));
const address = server.address();
assert.ok(typeof address === 'object' && address !== null);
const origin = `http://127.0.0.1:${address.port}`;

// biome-ignore format: one target a line
const targets: [target: string, status: number][] = [
  [`${origin}/api/techniques`, 200],
  [`${testBaseUrl}/api/define/x`, 404],
  ['HTTPS://EXAMPLE.COM/api/search?q=mcp', 200],
  ['http://[::bad/api/health', 200],
  ['http://a:b@c:d/api/health?x=http://y/', 200],
  ['http://example.com', 404],
  ['http://example.com?q=mcp', 404],
  ['//', 404],
  ['//example.com/api/health', 404],
  ['/api/search?q=a#fragment', 200],
  ['/api/search?q=%ff%', 200],
  ['/badge.svg?score=%', 400],
  ['/audit?url=%', 422],
  ['/directory?url=http://%', 200],
  ['ftp://example.com/api/health', 400],
  ['*', 400],
];

describe('every form of a target is answered, and none with a fault of the service', () => {
  for (const [target, status] of targets) {
    it(`${target}: ${status}`, async () => {
      const response = await exchange(origin, { target, headers: [['Accept', 'text/html, application/json']] });
      assert.equal(response.status, status);
      assert.equal(response.header('x-agent-welcome'), `${testBaseUrl}/llms.txt`);
      assert.ok(!log.some((line) => 'err' in line));
    });
  }
});

// biome-ignore format: one target a line
const led: [target: string, location: string][] = [
  ['/api/crawlers/', '/api/crawlers'],
  ['/api/crawlers/gptbot/', '/api/crawlers/gptbot'],
  ['/API/Crawlers/GPTBot/?a=B', '/api/crawlers/gptbot?a=B'],
  ['/api/Search?q=MCP', '/api/search?q=MCP'],
  ['/api/state-of-the-agentic-web', '/api/state'],
  ['/api/state-of-the-agentic-web/x', '/api/state/x'],
];

describe('a read of the API in other letters, with a slash behind it or by the id of a dataset', () => {
  for (const [target, location] of led) {
    it(`${target} leads to ${location}`, async () => {
      const response = await exchange(origin, { target });
      assert.deepEqual([response.status, response.header('location')], [308, location]);
    });
  }

  it('leads nowhere when nothing is there, nor with another method', async () => {
    assert.equal((await exchange(origin, { target: '/api/Nothing/' })).status, 404);
    assert.equal((await exchange(origin, { target: '/api/Pay/', method: 'POST' })).status, 404);
  });
});

describe('an expectation', () => {
  const body = '{"quote": "none"}';
  for (const expectation of ['100-continue', 'something-else', '100-continue, something-else']) {
    it(`${expectation} is no reason to refuse`, async () => {
      const response = await exchange(origin, {
        method: 'POST',
        target: '/api/pay',
        headers: [
          ['Expect', expectation],
          ['Content-Type', 'application/json'],
        ],
        body,
      });
      const answered = response.status === 100 ? response.body.toString() : `HTTP/1.1 ${response.status} `;
      assert.match(answered, /HTTP\/1\.1 422 /);
    });
  }
});
