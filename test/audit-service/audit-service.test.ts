import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, describe, it, test } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { AuditFailed, AuditsStopped } from '#api/audit-service/audit-errors.ts';
import { type AuditService, createAuditService } from '#api/audit-service/audit-service.ts';
import { type AuditorSettings, type AuditThread, openAuditThread } from '#api/audit-service/audit-thread.ts';
import type { Ending } from '#api/audit-service/ending.ts';
import { createAudits } from '#api/stores/audits.ts';
import { type Answer, bareSite, openSite } from '../audit/sites.ts';
import { until } from '../support/test-app.ts';

const forever = new AbortController().signal;

const settingsFor = (host: string): AuditorSettings => ({
  userAgent: 'PorchlightAudit/1.0 (+https://porch.example/about)',
  policy: { ports: [], allowPrivate: [host] },
  nameServers: null,
  signing: { privateKey: generateKeyPairSync('ed25519').privateKey, directoryUrl: null },
  gatherTimeoutMs: 20_000,
});

/** A service with real threads that may audit one site of the test. */
async function serve(answer: Answer, options: { delayMs?: number; threadTimeoutMs?: number } = {}) {
  const site = await openSite(answer, options.delayMs);
  const faults: unknown[] = [];
  const now = () => new Date();
  const audits = createAudits({ report: auditReport, now });
  const settings = settingsFor(site.host);
  const threads: AuditThread[] = [];
  const service = createAuditService({
    openThread: () => {
      const thread = openAuditThread(settings);
      threads.push(thread);
      return thread;
    },
    policy: settings.policy,
    audits,
    now,
    onFault: (error) => faults.push(error),
    ...(options.threadTimeoutMs === undefined ? {} : { threadTimeoutMs: options.threadTimeoutMs }),
  });
  after(async () => {
    site.close();
    await service.stop();
  });
  const start = (path = '/', signal = forever) => service.start(service.toTarget(`${site.origin}${path}`), { signal });
  return { site, service, audits, faults, threads, start };
}

test('an audit runs in a thread, which is kept for the next one', async () => {
  const { start, threads, audits, site, faults } = await serve(bareSite);
  const first = await start();
  assert.equal(first.kind, 'report');
  assert.equal(first.ageSeconds, null);
  assert.equal(audits.get(site.origin)?.report.url, `${site.origin}/`);
  await start('/a');
  assert.equal(threads.length, 1);
  assert.deepEqual(faults, []);
});

test('a thread that does not end is stopped and replaced, and its audit fails', async () => {
  const { start, threads, faults, service, site } = await serve(bareSite, { delayMs: 5000, threadTimeoutMs: 400 });
  await assert.rejects(start(), AuditFailed);
  assert.equal(threads[0]?.isAlive, false);
  assert.equal(faults.length, 1);
  assert.deepEqual(service.load, { running: 0, queued: 0 });
  await assert.rejects(start(), AuditFailed);
  assert.equal(threads.length, 2);
  site.close();
});

test('a thread that dies takes one audit with it, and the next gets a new one', async () => {
  const { start, threads, site } = await serve(bareSite, { delayMs: 50 });
  const lost = start();
  await until(() => site.asked.length > 0, 'the audit begins');
  await threads[0]?.close();
  await assert.rejects(lost, AuditFailed);
  assert.equal((await start()).kind, 'report');
  assert.equal(threads.length, 2);
  await threads[1]?.close();
  assert.equal((await start('/a')).kind, 'report', 'one that died while it was idle is not taken');
  assert.equal(threads.length, 3);
});

test('one address of a site is audited after the other', async () => {
  const { start, service } = await serve(bareSite, { delayMs: 20 });
  const both = [start('/'), start('/a')];
  assert.deepEqual(service.load, { running: 1, queued: 1 });
  const [home, other] = await Promise.all(both);
  assert.deepEqual([home?.kind, other?.kind], ['report', 'report']);
});

describe('pages that are made to be slow to read do not hold up the service', () => {
  const deep = '<div>'.repeat(300_000);
  const cases: [name: string, body: string][] = [
    ['deeply nested', deep],
    ['many attributes', `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}="b"`).join(' ')}>`],
    ['formatting that is never closed', '<b><i><a>'.repeat(50_000)],
    ['comments that never end', '<!--'.repeat(400_000)],
  ];
  for (const [name, body] of cases) {
    it(name, async () => {
      const { start } = await serve(({ path }) => (path === '/' ? { type: 'text/html', body } : { status: 404 }), {
        threadTimeoutMs: 8000,
      });
      let turns = 0;
      const pulse = setInterval(() => {
        turns += 1;
      }, 1);
      const ending = await start().catch((error: unknown) => error);
      clearInterval(pulse);
      assert.ok(ending instanceof AuditFailed || (ending as Ending).kind === 'report', String(ending));
      assert.ok(turns > 20, 'the service had its turns meanwhile');
    });
  }
});

describe('stopping', () => {
  const target = (service: AuditService, name: string) => service.toTarget(`https://${name}.net/`);
  /** A thread that ends its audit when it is told to. */
  const openService = () => {
    const over = Promise.withResolvers<void>();
    const closed: string[] = [];
    const now = () => new Date();
    const service = createAuditService({
      openThread: () => ({
        isAlive: true,
        close: async () => {
          closed.push('thread');
        },
        run: async () => {
          await over.promise;
          return { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
        },
      }),
      policy: { ports: [], allowPrivate: [] },
      audits: createAudits({ report: auditReport, now }),
      now,
      onFault: () => assert.fail('no fault'),
    });
    return { service, over, closed };
  };

  it('refuses what waits and what is new, and lets what runs end', async () => {
    const { service, over, closed } = openService();
    const running = Array.from({ length: 4 }, (_, index) =>
      service.start(target(service, `site-${index}`), { signal: forever }),
    );
    const waiting = service.start(target(service, 'site-5'), { signal: forever });
    const refused = assert.rejects(waiting, AuditsStopped);
    const stopped = service.stop();
    await refused;
    assert.throws(() => service.start(target(service, 'site-6'), { signal: forever }), AuditsStopped);
    over.resolve();
    await stopped;
    for (const result of await Promise.all(running)) {
      assert.equal(result.kind, 'unreachable');
    }
    assert.equal(closed.length, 4);
  });

  it('a second time is harmless', async () => {
    const { service } = openService();
    await Promise.all([service.stop(), service.stop()]);
    await service.stop();
  });
});
