import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { AuditAnswer } from '#api/audits/start.ts';
import { bareSite, goodSite } from '../audit/sites.ts';
import { postJson } from '../support/audit-client.ts';
import { serve } from './served.ts';

describe('an audit', async () => {
  const { app, url, site, log } = await serve(goodSite);
  const first = await postJson(app, '/api/audit', { url }).expect(200);

  it('answers with the whole report, the allowance and the id of the request', () => {
    const answer = AuditAnswer.parse(first.body);
    assert.equal(answer.url, url);
    assert.equal(answer.final_url, url);
    assert.equal(answer.payment, null);
    assert.deepEqual(answer.allowance, { limit: 3, remaining: 2, resets_at: '2026-11-21T13:00:00.000Z' });
    assert.equal(answer.request_id, first.get('x-request-id'));
    assert.equal(first.get('cache-control'), 'no-store');
    assert.equal(first.get('age'), undefined);
    assert.match(first.get('ratelimit') ?? '', /"audit"; r=2; t=\d+$/);
    assert.match(first.get('ratelimit-policy') ?? '', /"audit"; q=3; w=3600$/);
    assert.equal(log.filter((line) => 'fault' in line).length, 0);
  });

  it('asks as PorchlightAudit, signed with the key of the site', () => {
    assert.ok(site.asked.length > 5);
    for (const { headers } of site.asked) {
      assert.match(
        headers['user-agent'] ?? '',
        /PorchlightAudit\/\d+\.\d+\.\d+ \(\+https:\/\/porch\.example\/about\)$/,
      );
      assert.match(String(headers['signature-input']), /^sig1=\("@method" "@authority" "@path"/);
      assert.match(String(headers['signature-agent']), /^sig1="https:\/\/porch\.example"$/);
    }
  });

  it('of a site that was audited just now is answered from that result, with its age; it counts all the same', async () => {
    const before = site.asked.length;
    const again = await postJson(app, '/api/audit', { url: site.origin }).expect(200).expect('Age', '0');
    assert.equal(site.asked.length, before);
    assert.equal(again.body.audited_at, first.body.audited_at);
    assert.equal(again.body.allowance.remaining, 1);
  });

  it('another address of the site is another audit', async () => {
    const other = await postJson(app, '/api/audit', { url: `${url}guide/a` }).expect(200);
    assert.equal(other.body.url, `${url}guide/a`);
    assert.equal(other.get('age'), undefined);
  });
});

describe('the views of an audit', async () => {
  const { app, url } = await serve(bareSite);
  const ask = (body: object) => postJson(app, '/api/audit', { url, ...body });

  it('summary: the diagnosis, the plan and where the rest is, in 8 KB', async () => {
    const { body, text } = await ask({ view: 'summary' }).expect(200);
    assert.equal(Object.keys(body)[0], 'content_notice');
    assert.ok(Buffer.byteLength(text) <= 8192, `${text.length} bytes`);
    assert.ok(body.plan.length > 3);
    assert.equal(body.checks, undefined);
    assert.match(body.views.fixes, /\/audit\.md\?url=.*&view=fixes$/);
    assert.ok(body.fixes.files.includes('site/llms.txt'));
  });

  it('fixes: one document, for the platform that was asked for', async () => {
    const { body } = await ask({ view: 'fixes', platform: 'caddy' }).expect(200);
    assert.equal(body.platform, 'caddy');
    assert.match(body.document, /^# Make http/);
    assert.match(body.document, /`Caddyfile`, in the configuration of the server/);
    assert.ok(body.document.length <= 24_000, `${body.document.length} characters`);
  });

  it('a view or a platform that there is none of is refused, with those that there are', async () => {
    const wrong = await ask({ view: 'short' }).expect(422);
    assert.match(JSON.stringify(wrong.body.errors), /full.*summary.*fixes/);
    await ask({ view: 'fixes', platform: 'iis' }).expect(422);
  });
});

test('a low score is an answer like any other', async () => {
  const { app, url } = await serve(bareSite);
  const { body } = await postJson(app, '/api/audit', { url }).expect(200);
  assert.ok(body.score < 70);
  assert.equal(body.certifiable, false);
  assert.ok(body.checks.some((check: { fix: unknown }) => check.fix !== null));
});
