import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, bareSite } from '../audit/sites.ts';
import { postJson } from '../support/audit-client.ts';
import { testBaseUrl } from '../support/test-app.ts';
import { serve } from './served.ts';

describe('a site that cannot be audited', async () => {
  const failing: [name: string, answer: Answer, status: number, slug: string, member: string][] = [
    [
      'robots.txt forbids it to us',
      ({ path }) =>
        path === '/robots.txt' ? { type: 'text/plain', body: 'User-agent: PorchlightAudit\nDisallow: /\n' } : {},
      422,
      'audit-target-refused',
      'robots',
    ],
    [
      'robots.txt fails',
      ({ path }) => ({ status: path === '/robots.txt' ? 500 : 200 }),
      502,
      'audit-target-unreachable',
      'robots.txt',
    ],
    [
      'the home page leads to a private address',
      ({ path }) =>
        path === '/' ? { status: 302, headers: { Location: 'http://169.254.169.254/latest/' } } : { status: 404 },
      422,
      'audit-target-refused',
      'address',
    ],
    [
      'the home page leads in a circle',
      ({ path }) => (path === '/robots.txt' ? { status: 404 } : { status: 302, headers: { Location: '/' } }),
      502,
      'audit-target-unreachable',
      'redirects',
    ],
  ];
  for (const [name, answer, status, slug, member] of failing) {
    it(`${name}: ${status} ${slug}`, async () => {
      const { app, url, context } = await serve(answer);
      const { body } = await postJson(app, '/api/audit', { url }).expect(status);
      assert.equal(body.type, `${testBaseUrl}/problems/${slug}`);
      assert.equal(body.step ?? body.reason, member);
      assert.match(body.detail, /\.$/);
      const { remaining } = await context.freeAudits.status('127.0.0.1');
      assert.equal(remaining, slug === 'audit-target-refused' ? 3 : 2, 'what was refused costs nothing');
    });
  }

  it('nobody answers: 502 at the step connect', async () => {
    const { app, url, site } = await serve(bareSite);
    site.close();
    const { body } = await postJson(app, '/api/audit', { url }).expect(502);
    assert.equal(body.step, 'connect');
  });
});
