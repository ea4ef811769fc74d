import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import request from 'supertest';
import { auditReport, type CheckResult } from '#api/audit/report.ts';
import { AuditFailed } from '#api/audits/errors.ts';
import { createAuditService } from '#api/audits/service.ts';
import { AuditAnswer } from '#api/audits/start.ts';
import { createAudits } from '#api/audits/store.ts';
import { publicPolicy } from '#api/fetch/target.ts';
import { createCounters } from '#api/stores/counters.ts';
import { bareSite, goodSite } from '../audit/sites.ts';
import { payAt, postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { openPort } from '../support/open-port.ts';
import { createTestApp, testBaseUrl, testMoment } from '../support/test-app.ts';
import { eventsOf, serve, stream } from './served.ts';

describe('beyond the free audits', async () => {
  const { app, url } = await serve(bareSite);
  for (let count = 0; count < 3; count += 1) {
    await postJson(app, '/api/audit', { url }).expect(200);
  }
  const due = await postJson(app, '/api/audit', { url });

  it('a payment is due: 402 with the x402 document in the header and in the body', () => {
    assert.equal(due.status, 402);
    assert.equal(due.get('content-type'), 'application/problem+json');
    assert.equal(due.get('cache-control'), 'no-store');
    const { body } = due;
    assert.equal(body.type, `${testBaseUrl}/problems/payment-required`);
    const inHeader = JSON.parse(Buffer.from(due.get('payment-required') ?? '', 'base64').toString());
    const { x402Version, error, resource, accepts } = body;
    assert.deepEqual(inHeader, { x402Version, error, resource, accepts });
    assert.equal(x402Version, 2);
    assert.equal(resource.url, `${testBaseUrl}/api/audit`);
    assert.equal(accepts[0].amount, '5000');
    assert.equal(accepts[0].network, 'demo:local');
    assert.equal(accepts[0].extra.amount_usd, '0.005');
    assert.equal(body.demo, true);
    assert.equal(body.reason, 'missing');
    assert.deepEqual(body.how_to_pay.body, { quote: body.quote });
    assert.deepEqual([body.how_to_pay.method, body.how_to_pay.path], ['POST', '/api/pay']);
    assert.equal(body.allowance.remaining, 0);
    assert.match(due.get('ratelimit') ?? '', /"audit"; r=0; t=\d+$/);
  });

  it('paid for, it is made once', async () => {
    const header = await payAt(app, due.body.quote);
    const paid = await postJson(app, '/api/audit', { url }, header).expect(200);
    assert.equal(paid.body.payment.demo, true);
    assert.equal(paid.body.payment.amount_usd, '0.005');
    const settlement = JSON.parse(Buffer.from(paid.get('payment-response') ?? '', 'base64').toString());
    assert.equal(settlement.success, true);
    assert.equal(settlement.transaction, paid.body.payment.transaction);
    assert.equal(paid.get('x-payment-response'), paid.get('payment-response'));
    const again = await postJson(app, '/api/audit', { url }, header).expect(402);
    assert.equal(again.body.reason, 'used');
    assert.notEqual(again.body.quote, due.body.quote);
  });

  it('a payment of an audit that ends without a result is good again', async () => {
    const { body } = await postJson(app, '/api/audit', { url }).expect(402);
    const header = await payAt(app, body.quote);
    await postJson(app, '/api/audit', { url: 'http://10.0.0.1/' }, header).expect(422);
    await postJson(app, '/api/audit', { url }, header).expect(200);
  });

  it('a paid stream tells what became of the payment, and of the age of the result', async () => {
    const payHeader = async () => payAt(app, (await postJson(app, '/api/audit', { url }).expect(402)).body.quote);
    for (const [target, isCached] of [
      [`${url}guide/new`, false],
      [url, true],
    ] as const) {
      const response = await stream(app, target)
        .set(await payHeader())
        .expect(200);
      const events = eventsOf(response.text);
      const told = events.find(({ event }) => event === 'headers')?.data ?? {};
      assert.equal(told['Age'], isCached ? '0' : undefined);
      const settlement = JSON.parse(Buffer.from(String(told['X-Payment-Response']), 'base64').toString());
      const result = AuditAnswer.parse(events.at(-1)?.data);
      assert.equal(settlement.transaction, result.payment?.transaction);
    }
  });

  it('an event stream is refused with 402 as well, before it begins', async () => {
    await request(app)
      .post('/api/audit')
      .set('Accept', 'text/event-stream')
      .send({ url })
      .expect(402)
      .expect('Content-Type', 'application/problem+json');
  });
});

test('a payment is used up before the first finding is sent: who leaves then has paid', async () => {
  const { app, url: home } = await serve(goodSite, { delayMs: 40 });
  for (let count = 0; count < 3; count += 1) {
    await postJson(app, '/api/audit', { url: home }).expect(200);
  }
  const url = `${home}guide/a`;
  const { body } = await postJson(app, '/api/audit', { url }).expect(402);
  const header = await payAt(app, body.quote);
  const leaving = new AbortController();
  const response = await fetch(`${await openPort(app)}/api/audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...header },
    body: JSON.stringify({ url }),
    signal: leaving.signal,
  });
  assert.equal(response.status, 200);
  let told = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    told += decoder.decode(chunk, { stream: true });
    if (told.includes('event: check')) {
      break;
    }
  }
  leaving.abort();
  assert.doesNotMatch(told, /event: result/);
  const again = await postJson(app, '/api/audit', { url }, header).expect(402);
  assert.equal(again.body.reason, 'used');
});

test('a payment of an audit that breaks off through our fault is good again', async () => {
  let audits = 0;
  const auditService = createAuditService({
    openProcess: () => ({
      isAlive: true,
      close: async () => undefined,
      async run(_task, _target, { onFinding }) {
        audits += 1;
        if (audits > 3) {
          onFinding(check);
          throw new AuditFailed('The process of the audit ended.');
        }
        return { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
      },
    }),
    policy: publicPolicy,
    counters: createCounters({ now: () => testMoment }),
    audits: createAudits({ report: auditReport, now: () => testMoment }),
    now: () => testMoment,
    onError: () => undefined,
  });
  const { app } = createTestApp({ auditService, limits: noLimits });
  for (let count = 0; count < 3; count += 1) {
    await postJson(app, '/api/audit', { url: `https://site-${count}.net/` }).expect(502);
  }
  const url = 'https://paid.net/';
  const { body } = await postJson(app, '/api/audit', { url }).expect(402);
  const header = await payAt(app, body.quote);
  await postJson(app, '/api/audit', { url }, header).expect(503);
  await postJson(app, '/api/audit', { url }, header).expect(503);
});

/** A finding, as a process tells it. */
const check: CheckResult = {
  id: 'https',
  technique: 'agent-identity',
  title: 'The site is on HTTPS',
  status: 'pass',
  cause: null,
  counted_by: null,
  points: 1,
  weight: 1,
  evidence: [],
  fix: null,
  reference: { title: 'RFC 9110', url: 'https://www.rfc-editor.org/rfc/rfc9110' },
  contested: null,
};
