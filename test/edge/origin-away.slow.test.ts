import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { livePaths } from '#api/catalog/live-pages.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { check, rows } from '../http/contract-table.ts';
import { startWorker, writeWorkerFolder } from '../support/edge-worker.ts';
import { exchange, type RawResponse } from '../support/raw-http.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

/*
 * The worker without the service behind it.
 */

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const folder = await writeWorkerFolder();
const fronts: Record<string, string> = {
  'no origin set': await startWorker(folder, { origin: '' }),
  'the origin down': await startWorker(folder, { origin: `http://127.0.0.1:${await freePort()}` }),
  'a gateway that says so': await startWorker(folder, {
    origin: await startServer((_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')),
  }),
};

const representations = [
  { accept: 'text/html', type: 'text/html; charset=utf-8', ending: 'html' },
  { accept: 'text/markdown', type: 'text/markdown; charset=utf-8', ending: 'md' },
  { accept: 'application/json', type: 'application/json', ending: 'json' },
] as const;

const ofService: [method: string, target: string][] = [
  ['GET', '/api/techniques'],
  ['GET', '/api/health?x=1'],
  ['POST', '/api/guestbook'],
  ['DELETE', '/api/guestbook/0123456789ab'],
  ['GET', '/guestbook/0123456789ab'],
  ['GET', '/guestbook?before=0123456789ab'],
  ['POST', '/mcp'],
  ['POST', '/playbook'],
  ['POST', '/guestbook'],
  ['POST', '/guestbook/withdraw'],
  ['POST', '/audit'],
  ['GET', '/ask?q=who'],
  ['GET', '/ask.json?q=0'],
  ['GET', '/audit?url=https://example.com/'],
  ['GET', '/audit/feed.atom?url=https://example.com/'],
  ['GET', '/badge/0123456789ab.svg'],
  ['GET', '/badge.svg?score=80'],
  ['GET', '/developers.md?section=limits'],
  ['GET', '/crawlers?bot_type=training&utm_source=x'],
  ['GET', '/crawlers.json?bot_type=training'],
  ['GET', '/.well-known/http-message-signatures-directory'],
];

function checkAway(response: RawResponse, target: string): void {
  assert.equal(response.status, 503);
  assert.equal(response.header('content-type'), 'application/problem+json');
  assert.match(response.header('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(response.header('cache-control'), 'no-store');
  const { type, instance, request_id } = JSON.parse(response.body.toString('utf8')) as Record<string, unknown>;
  assert.deepEqual(
    { type, instance, request_id },
    {
      type: `${siteUrl}/problems/unavailable`,
      instance: target.split('?')[0],
      request_id: response.header('x-request-id'),
    },
  );
}

for (const [name, edge] of Object.entries(fronts)) {
  test(`${name}: the built pages stand in for the live ones`, async () => {
    for (const path of livePaths) {
      for (const { accept, type, ending } of representations) {
        const response = await exchange(edge, { target: `${path}?utm_source=x`, headers: [['Accept', accept]] });
        const stem = path === '/' ? 'index' : path.slice(1);
        assert.deepEqual([response.status, response.header('content-type')], [200, type], path);
        assert.equal(response.header('cache-control'), 'no-store', 'what stands in is not kept');
        assert.ok(response.body.equals(readFileSync(join(clientDir, `${stem}.${ending}`))), `${path} as ${type}`);
      }
    }
  });

  test(`${name}: what the service alone has is away, and comes back`, async () => {
    for (const [method, target] of ofService) {
      const body = method === 'POST' ? 'a=b' : '';
      const headers: [string, string][] = [['Accept', 'application/json']];
      checkAway(await exchange(edge, { method, target, body, headers }), target);
    }
  });

  test(`${name}: a browser gets the page of the error`, async () => {
    const response = await exchange(edge, { target: '/api/techniques', headers: [['Accept', 'text/html']] });
    assert.deepEqual([response.status, response.header('content-type')], [503, 'text/html; charset=utf-8']);
    assert.match(response.body.toString('utf8'), /The service cannot answer now/);
  });

  test(`${name}: prebuilt pages and files are served as ever`, async () => {
    const prebuilt = rows.filter(
      ({ expected, request }) => expected.file !== undefined && request.bytes === undefined && expected.status !== 431,
    );
    assert.ok(prebuilt.length > 100);
    for (const row of prebuilt) {
      check(await exchange(edge, row.request), row.differs?.edge ?? row.expected, row.request.method);
    }
  });
}

test('a problem of the service itself is passed on, and a page stands in for it', async () => {
  const problem = JSON.stringify({ type: 'about:blank', status: 503, detail: 'The disk is full.' });
  const edge = await startWorker(folder, {
    origin: await startServer((_request, response) => {
      response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '60' }).end(problem);
    }),
  });
  const write = await exchange(edge, { method: 'POST', target: '/api/guestbook', body: '{}' });
  assert.deepEqual([write.status, write.header('retry-after'), write.body.toString()], [503, '60', problem]);
  assert.equal((await exchange(edge, { target: '/guestbook' })).status, 200);
});

test('an origin that takes a request and never answers is given up on for a page', async () => {
  const edge = await startWorker(folder, { origin: await startServer(() => undefined) });
  const response = await exchange(edge, { target: '/guestbook' });
  assert.deepEqual([response.status, response.header('cache-control')], [200, 'no-store']);
});

test('the client is named to the service, with the secret, and what a client claims of itself is not', async () => {
  const seen: (string | string[] | undefined)[] = [];
  const origin = await startServer((request, response) => {
    seen.push(request.headers['x-edge-client']);
    response.end('{}');
  });
  const headers: [string, string][] = [
    ['CF-Connecting-IP', '203.0.113.9'],
    ['X-Edge-Client', 'guessed 192.0.2.1'],
  ];
  await exchange(await startWorker(folder, { origin, secret: 'shared' }), { target: '/api/x', headers });
  await exchange(await startWorker(folder, { origin }), { target: '/api/x', headers });
  assert.deepEqual(
    seen.filter((each) => each !== undefined),
    ['shared 203.0.113.9'],
  );
});
