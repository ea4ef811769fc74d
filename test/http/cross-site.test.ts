import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { noLimits } from '../support/limits.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const entry = { name: 'Ada', message: 'The light was on.' };

describe('a write says where it comes from', () => {
  const { app } = createTestApp({ limits: noLimits });
  const send = (headers: Record<string, string>) => request(app).post('/api/guestbook').set(headers).send(entry);
  const own = new URL(testBaseUrl).host;

  for (const [name, headers] of [
    ['a program', {}],
    ['a program that asks another name of the machine', { Host: 'porch.internal.example' }],
    ['a page of the site', { Host: own, Origin: testBaseUrl, 'Sec-Fetch-Site': 'same-origin' }],
    ['a page of the site, behind a proxy that changes the Host', { Host: 'upstream', Origin: testBaseUrl }],
    ['an older browser', { Host: own, Origin: testBaseUrl }],
    ['a page on a mapped port', { Host: 'localhost:8080', Origin: 'http://localhost:8080' }],
    ['a page at the address itself', { Host: '127.0.0.1:4321', Origin: 'http://127.0.0.1:4321' }],
    ['a page without a referrer', { Host: own, Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
  ] as const) {
    it(`${name} may write`, async () => {
      await send(headers).expect(201);
    });
  }

  const rebound = { Host: 'rebind.evil.example', Origin: 'http://rebind.evil.example' };
  for (const [name, headers] of [
    ['a page of another site', { Origin: 'https://evil.example' }],
    ['a page of another site, as the browser says', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of a sister site', { Origin: 'https://evil.porch.example', 'Sec-Fetch-Site': 'same-site' }],
    ['a page whose name was pointed here', rebound],
    ['the same, as the browser says', { ...rebound, 'Sec-Fetch-Site': 'same-origin' }],
    ['the same, without a referrer', { ...rebound, Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
    ['a page in a sandbox', { Origin: 'null' }],
    ['the site over http', { Origin: testBaseUrl.replace('https:', 'http:') }],
    ['another port of the machine', { Host: 'localhost:4321', Origin: 'http://localhost:3000' }],
  ] as const) {
    it(`${name} may not write, nor audit`, async () => {
      const { body } = await send(headers).expect(403);
      assert.equal(body.type, `${testBaseUrl}/problems/cross-site-form`);
      await request(app).post('/api/audit').set(headers).send({ url: 'http://10.0.0.1/' }).expect(403);
      await request(app).delete('/api/guestbook/0123456789ab').set(headers).expect(403);
    });
  }
});

describe('where hosts of the operator may be audited, the service answers under its own names alone', () => {
  const { app } = createTestApp({ limits: noLimits, environment: { AUDIT_ALLOW_HOSTS: 'intranet.example.org' } });
  const read = (host: string) => request(app).get('/api/guestbook').set('Host', host);

  for (const host of [new URL(testBaseUrl).host, 'localhost:8080', '127.0.0.1:4321', '[::1]:4321']) {
    it(`as ${host}`, async () => {
      await read(host).expect(200);
    });
  }

  it('and not as a name that was pointed at it', async () => {
    const { body } = await read('rebind.evil.example:4321').expect(400);
    assert.match(body.detail, /rebind\.evil\.example:4321 is not served here/);
  });

  it('nor its page of reports, in any form', async () => {
    for (const path of ['/audit?url=https://intranet.example.org/', '/audit.json?url=x', '/audit/compare.md?a=x&b=y']) {
      await request(app).get(path).set('Host', 'rebind.evil.example').expect(400);
    }
  });

  it('elsewhere the name does not matter', async () => {
    await request(createTestApp().app).get('/api/guestbook').set('Host', 'rebind.evil.example').expect(200);
  });
});
