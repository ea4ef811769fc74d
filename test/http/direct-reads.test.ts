import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { answerDirectly } from '#api/http/direct-reads.ts';
import type { AnsweredRequest } from '#api/http/request-context.ts';
import { toLiveBody } from '#api/http/static-site.ts';
import { exchange, type RawRequest } from '../support/raw-http.ts';

const page = toLiveBody('a page', { 'Content-Type': 'text/html; charset=utf-8' });

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
  ['a trusted proxy', { target: '/page', headers: [['X-Forwarded-For', '::1']] }, 'directly', 'loopback'],
];

for (const [name, request, by, trustProxy = null] of cases) {
  test(`${name} is answered ${by}`, async () => {
    const answered: AnsweredRequest[] = [];
    const server = createServer(
      { requireHostHeader: false },
      answerDirectly(
        (_request, response) => response.end('the application'),
        { ready: (path) => (path.endsWith('/page') ? page : undefined) },
        {
          config: { baseUrl: 'https://porch.example', trustProxy },
          log: pino({ level: 'silent' }),
          observe: (each) => answered.push(each),
        },
      ),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const response = await exchange(`http://127.0.0.1:${port}`, request);
      assert.equal(response.header('x-request-id') === undefined ? 'by the application' : 'directly', by);
      if (by === 'directly') {
        assert.equal(response.header('access-control-allow-origin'), '*');
        assert.equal(response.header('etag'), page.coded.identity.etag);
        const status = request.headers?.some(([header]) => header === 'If-None-Match') ? 304 : 200;
        assert.equal(response.status, status);
        assert.equal(response.body.toString(), status === 200 && request.method !== 'HEAD' ? 'a page' : '');
        assert.deepEqual(
          answered.map(({ route, method, complete }) => [route, method, complete]),
          [['site', request.method ?? 'GET', true]],
        );
      }
    } finally {
      server.close();
    }
  });
}
