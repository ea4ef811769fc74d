import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { answerDirectly } from '#api/http/direct-reads.ts';
import { limitReads } from '#api/http/rate-limit.ts';
import type { AnsweredRequest } from '#api/http/request-context.ts';
import { toLiveBody } from '#api/http/static-site.ts';
import { exchange, type RawRequest } from '../support/raw-http.ts';

const page = toLiveBody('a page', { 'Content-Type': 'text/html; charset=utf-8' });
const list = () => page;

/** What each request is answered by. */
const cases: [name: string, request: RawRequest, by: 'directly' | 'by the application', trustProxy?: string][] = [
  ['a page', { target: '/page' }, 'directly'],
  ['a page to HEAD', { target: '/page', method: 'HEAD' }, 'directly'],
  ['a page to who has it', { target: '/page', headers: [['If-None-Match', page.coded.identity.etag]] }, 'directly'],
  ['a page that is not there', { target: '/other' }, 'by the application'],
  ['a page with a query', { target: '/page?utm_source=x' }, 'by the application'],
  ['a page with percent-encoding', { target: '/p%61ge' }, 'by the application'],
  ['a page under a guarded path', { target: '/audit/page' }, 'by the application'],
  ['a target in absolute form', { target: 'http://localhost/page' }, 'by the application'],
  ['another method', { target: '/page', method: 'DELETE' }, 'by the application'],
  ['a read with a body', { target: '/page', body: 'x' }, 'by the application'],
  ['a read with a chunked body', { target: '/page', headers: [['Transfer-Encoding', 'gzip']] }, 'by the application'],
  ['If-Match', { target: '/page', headers: [['If-Match', '"other"']] }, 'by the application'],
  ['an id of a proxy', { target: '/page', headers: [['X-Request-Id', 'a-request']] }, 'by the application'],
  ['the secret of an edge', { target: '/page', headers: [['X-Edge-Client', 'a ::1']] }, 'by the application'],
  ['no Host', { target: '/page', withoutHost: true }, 'by the application'],
  ['a Host that is none', { target: '/page', headers: [['Host', 'a b']] }, 'by the application'],
  ['a proxy that nobody trusts', { target: '/page', headers: [['X-Forwarded-For', '::1']] }, 'by the application'],
  ['a list', { target: '/api/guestbook' }, 'directly'],
  ['a list to HEAD', { target: '/api/directory', method: 'HEAD' }, 'directly'],
  ['a list with a query', { target: '/api/guestbook?limit=1' }, 'by the application'],
  ['a list that is not kept ready', { target: '/api/techniques' }, 'by the application'],
  [
    'a list through two proxies',
    { target: '/api/guestbook', headers: [['X-Forwarded-For', '::1, ::2']] },
    'by the application',
    'loopback',
  ],
  ['a trusted proxy', { target: '/page', headers: [['X-Forwarded-For', '::1']] }, 'directly', 'loopback'],
];

const limit = { count: 1, windowSeconds: 60 };

/** A server in which "the application" answers what isn't answered directly. */
async function openServer({
  trustProxy = null,
  auditAllowHosts = [],
}: {
  trustProxy?: string | null;
  auditAllowHosts?: string[];
}) {
  const answered: AnsweredRequest[] = [];
  const server = createServer(
    { requireHostHeader: false },
    answerDirectly(
      (_request, response) => response.end('the application'),
      {
        staticSite: { ready: (path) => (path.endsWith('/page') ? page : undefined) },
        ...{ guestbook: { list }, directory: { list } },
      },
      {
        config: { baseUrl: 'https://porch.example', trustProxy, auditAllowHosts },
        ...{ reads: limitReads(limit), trusts: () => trustProxy !== null },
        log: pino({ level: 'silent' }),
        observe: (each) => answered.push(each),
      },
    ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    answered,
    async send(request: RawRequest) {
      const response = await exchange(`http://127.0.0.1:${port}`, request);
      return { response, by: response.header('x-request-id') === undefined ? 'by the application' : 'directly' };
    },
    [Symbol.dispose]: () => server.close(),
  };
}

for (const [name, request, by, trustProxy = null] of cases) {
  test(`${name} is answered ${by}`, async () => {
    using server = await openServer({ trustProxy });
    const { response, by: answeredBy } = await server.send(request);
    assert.equal(answeredBy, by);
    if (by === 'directly') {
      assert.equal(response.header('access-control-allow-origin'), '*');
      assert.equal(response.header('etag'), page.coded.identity.etag);
      const status = request.headers?.some(([header]) => header === 'If-None-Match') ? 304 : 200;
      assert.equal(response.status, status);
      assert.equal(response.body.toString(), status === 200 && request.method !== 'HEAD' ? 'a page' : '');
      const isList = request.target?.startsWith('/api/');
      assert.equal(response.header('ratelimit-policy'), isList ? '"read"; q=1; w=60' : undefined);
      assert.deepEqual(
        server.answered.map(({ route, method, bytes, complete }) => [route, method, bytes, complete]),
        [
          [
            isList ? request.target : 'site',
            ...[request.method ?? 'GET', status === 200 && request.method !== 'HEAD' ? 6 : null, true],
          ],
        ],
      );
    }
  });
}

test('lists are counted for each client, and the application refuses what is above the limit', async () => {
  using server = await openServer({ trustProxy: 'loopback' });
  const ask = (client: string, target = '/api/guestbook') =>
    server.send({ target, headers: [['X-Forwarded-For', client]] });
  const first = await ask('2001:db8:1::1');
  assert.equal(first.by, 'directly');
  assert.match(first.response.header('ratelimit') ?? '', /^"read"; r=0; t=\d+$/);
  assert.equal((await ask('2001:db8:1::2', '/api/directory')).by, 'by the application', 'an IPv6 client is its /64');
  assert.equal((await ask('2001:db8:2::1')).by, 'directly');
});

test('lists are left to the application where it has to look at the Host', async () => {
  using server = await openServer({ auditAllowHosts: ['internal.example'] });
  assert.equal((await server.send({ target: '/api/guestbook' })).by, 'by the application');
});
