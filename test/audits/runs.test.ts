import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { auditPolicy } from '#api/audits/policy.ts';
import { createAuditService } from '#api/audits/service.ts';
import { createAudits } from '#api/audits/store.ts';
import { publicPolicy } from '#api/fetch/target.ts';
import { createCounters } from '#api/stores/counters.ts';
import { bareSite } from '../audit/sites.ts';
import { postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { openPort } from '../support/open-port.ts';
import { createTestApp, testBaseUrl, testMoment } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { serve } from './served.ts';

test('requests for one site at the same moment share one audit, and each counts', async () => {
  const { app, url, site } = await serve(bareSite, { delayMs: 20 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => postJson(app, '/api/audit', { url })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 402]);
  assert.equal(new Set(answers.flatMap(({ body }) => body.audited_at ?? [])).size, 1);
  assert.equal(site.asked.filter(({ path }) => path === '/robots.txt').length, 1);
});

test('a caller who goes away does not end an audit that another one waits for', async () => {
  const { app, url, site } = await serve(bareSite, { delayMs: 30 });
  const at = `${await openPort(app)}/api/audit`;
  const leaving = new AbortController();
  const ask = (signal?: AbortSignal) =>
    fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      ...(signal === undefined ? {} : { signal }),
    });
  const first = ask(leaving.signal).catch((error: Error) => error.name);
  await until(() => site.asked.length > 0, 'the audit begins');
  const second = ask();
  await until(() => site.asked.length > 1, 'the audit goes on');
  leaving.abort();
  assert.equal(await first, 'AbortError');
  assert.equal((await second).status, 200);
});

test('an audit that nobody waits for any more ends', async () => {
  const { app, url, site, context } = await serve(bareSite, { delayMs: 300 });
  const leaving = new AbortController();
  const gone = fetch(`${await openPort(app)}/api/audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    signal: leaving.signal,
  }).catch(() => 'gone');
  await until(() => site.asked.length > 0, 'the audit begins');
  leaving.abort();
  assert.equal(await gone, 'gone');
  await until(() => context.auditService.load.running === 0, 'the audit ends');
  assert.equal(context.audits.list().length, 0, 'what was cut short is not kept');
});

test('four audits run and sixteen wait; the next is told to come back, at no cost', async () => {
  let opened = 0;
  const over = Promise.withResolvers<void>();
  const audits = createAudits({ report: auditReport, now: () => testMoment });
  const auditService = createAuditService({
    openProcess: () => {
      opened += 1;
      return {
        isAlive: true,
        close: async () => undefined,
        run: async () => {
          await over.promise;
          return { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
        },
      };
    },
    policy: publicPolicy,
    counters: createCounters({ now: () => testMoment }),
    audits,
    now: () => testMoment,
    onError: () => assert.fail('no fault'),
  });
  const { app } = createTestApp({
    auditService,
    limits: noLimits,
    environment: { TRUST_PROXY: 'loopback' },
  });
  const ask = (index: number) =>
    postJson(app, '/api/audit', { url: `https://site-${index}.net/` }, { 'X-Forwarded-For': `192.0.2.${index}` });
  const { running, queued } = { running: auditPolicy.atOnce, queued: auditPolicy.queued };
  const asked = Array.from({ length: running + queued }, (_, index) => ask(index).then((answer) => answer));
  await until(() => auditService.load.queued === queued, 'the queue fills');
  assert.deepEqual(auditService.load, { running, queued });
  const full = await ask(200).expect(503);
  assert.equal(full.body.type, `${testBaseUrl}/problems/audit-queue-full`);
  assert.equal(full.get('retry-after'), '20');
  const joined = ask(0).then((answer) => answer);
  over.resolve();
  const answers = await Promise.all([...asked, joined]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([502]));
  assert.ok(opened <= running + queued);
  assert.deepEqual(auditService.load, { running: 0, queued: 0 });
});
