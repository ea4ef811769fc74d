import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { AuditQueueFull, TooManyAudits } from '#api/audits/errors.ts';
import type { Failure } from '#api/audits/outcome.ts';
import { auditPolicy } from '#api/audits/policy.ts';
import { createAuditService } from '#api/audits/service.ts';
import { createAudits } from '#api/audits/store.ts';
import { createCounters } from '#api/stores/counters.ts';

const signal = new AbortController().signal;
const unreachable: Failure = { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };

/**
 * A service whose audits end when the test says so. `homes` says where the home page of a host is found, when that is
 * another site.
 */
function open(homes: Record<string, string> = {}) {
  let time = Date.parse('2026-11-21T12:00:00Z');
  const now = () => new Date(time);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const service = createAuditService({
    openProcess: () => ({
      isAlive: true,
      close: async () => undefined,
      async run(_task, target, { mayMove }) {
        started.push(target.href);
        const home = homes[target.hostname];
        if (home !== undefined && !(await mayMove(new URL(home)))) {
          throw new Error('The audit may not go on there.');
        }
        await new Promise<void>((resolve) => ends.set(target.href, resolve));
        return unreachable;
      },
    }),
    policy: { ports: [], allowPrivate: [] },
    counters: createCounters({ now }),
    audits: createAudits({ report: auditReport, now }),
    now,
    onError: () => undefined,
  });
  const start = (url: string, client: string | null) => {
    const result = service.start(service.toTarget(url), { signal, client });
    result.catch(() => {});
    return result;
  };
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const end = async (url: string): Promise<void> => {
    await turns();
    const finish = ends.get(url);
    assert.ok(finish !== undefined, `${url} runs`);
    finish();
    await turns();
  };
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { service, start, end, turns, started, pass };
}

describe('the places are shared', () => {
  it('two audits of a network run or wait; a third is refused until one is over', async () => {
    const { start, end } = open();
    start('https://a.net/', '192.0.2.1');
    start('https://b.net/', '192.0.2.1');
    await assert.rejects(start('https://c.net/', '192.0.2.1'), TooManyAudits);
    start('https://c.net/', '192.0.2.2');
    await end('https://a.net/');
    start('https://d.net/', '192.0.2.1');
  });

  it('joining one of its own is no third; joining that of another network is', async () => {
    const { start } = open();
    start('https://a.net/', '192.0.2.1');
    start('https://b.net/', '192.0.2.1');
    start('https://c.net/', '192.0.2.2');
    start('https://a.net/', '192.0.2.1');
    await assert.rejects(start('https://c.net/', '192.0.2.1'), TooManyAudits);
  });

  it('a /48 is one network, however many /64s it has', async () => {
    const { start } = open();
    start('https://a.net/', '2001:db8:1:1::1');
    start('https://b.net/', '2001:db8:1:2::1');
    await assert.rejects(start('https://c.net/', '2001:db8:1:3::1'), TooManyAudits);
    start('https://c.net/', '2001:db8:2:1::1');
  });

  it('who leaves keeps the place until the audit is over', async () => {
    const { service, start, end, turns } = open();
    const leaving = new AbortController();
    const gone = service.start(service.toTarget('https://a.net/'), { signal: leaving.signal, client: '192.0.2.1' });
    await turns();
    leaving.abort();
    await assert.rejects(gone);
    start('https://b.net/', '192.0.2.1');
    await assert.rejects(start('https://c.net/', '192.0.2.1'), TooManyAudits);
    await end('https://a.net/');
    start('https://c.net/', '192.0.2.1');
  });

  it('networks take turns: the second audit of one comes after the first of every other', async () => {
    const { start, end, turns, started } = open();
    for (const [url, client] of [
      ['https://a1.net/', '192.0.2.1'],
      ['https://a2.net/', '192.0.2.1'],
      ['https://b1.net/', '192.0.2.2'],
      ['https://b2.net/', '192.0.2.2'],
      ['https://c1.net/', '192.0.2.3'],
      ['https://c2.net/', '192.0.2.3'],
      ['https://own.net/', null],
      ['https://d1.net/', '192.0.2.4'],
    ] as const) {
      start(url, client);
    }
    await turns();
    assert.equal(started.length, auditPolicy.atOnce);
    await end('https://a1.net/');
    assert.equal(started.at(-1), 'https://c1.net/');
    await end('https://b1.net/');
    assert.equal(started.at(-1), 'https://d1.net/', 'the service itself and second ones wait');
    await end('https://a2.net/');
    assert.equal(started.at(-1), 'https://c2.net/');
    await end('https://b2.net/');
    assert.equal(started.at(-1), 'https://c2.net/', 'one place stays free of the work of the service');
    await end('https://c1.net/');
    assert.equal(started.at(-1), 'https://own.net/');
  });

  it('with a full queue everybody new is refused', async () => {
    const { start, turns } = open();
    for (let index = 0; index < auditPolicy.atOnce + auditPolicy.queued; index += 1) {
      start(`https://site-${index}.net/`, `192.0.2.${index}`);
    }
    await turns();
    await assert.rejects(start('https://more.net/', '198.51.100.1'), AuditQueueFull);
  });
});

describe('a site has a budget, whoever asks', () => {
  const anybody = (index: number): string => `192.0.2.${index % 250}`;

  it('one audit of a registrable domain at a time, whatever scheme, subdomain, port or query', async () => {
    const { start, end, started, turns } = open();
    for (const [index, url] of [
      'https://one.net/',
      'http://one.net/',
      'https://www.one.net/',
      'https://deep.www.one.net/?q=1',
    ].entries()) {
      start(url, anybody(index));
    }
    await turns();
    assert.deepEqual(started, ['https://one.net/']);
    await end('https://one.net/');
    assert.deepEqual(started, ['https://one.net/', 'http://one.net/']);
  });

  it('the sites of a shared host are sites of their own', async () => {
    const { start, started, turns } = open();
    start('https://one.github.io/', anybody(1));
    start('https://two.github.io/', anybody(2));
    await turns();
    assert.equal(started.length, 2);
  });

  it('a host is audited so often in an hour, whatever the query, and the next one is told when to come back', async () => {
    const { start, end, started, pass } = open();
    for (let index = 0; index < auditPolicy.perHost; index += 1) {
      const url = `${index % 2 === 0 ? 'http' : 'https'}://one.net/?v=${index}`;
      const result = start(url, anybody(index));
      await end(url);
      assert.equal((await result).kind, 'unreachable');
    }
    pass(600_000);
    await assert.rejects(start('https://one.net/?v=more', anybody(99)), (error) => {
      assert.ok(error instanceof TooManyAudits);
      assert.equal(error.retryAfterSeconds, auditPolicy.budgetSeconds - 600);
      return true;
    });
    assert.equal(started.length, auditPolicy.perHost);
    pass(auditPolicy.budgetSeconds * 1000);
    start('https://one.net/?v=later', anybody(1));
    await end('https://one.net/?v=later');
  });

  it('looks at its pages count too', async () => {
    const { service, start, end } = open();
    const look = (url: string, client: string) => service.look(service.toTarget(url), { signal, client });
    for (let index = 0; index < auditPolicy.perHost; index += 1) {
      const url = `https://one.net/?v=${index}`;
      const result = index % 2 === 0 ? look(url, anybody(index)) : start(url, anybody(index));
      await end(url);
      assert.equal((await result).kind, 'unreachable');
    }
    await assert.rejects(look('https://one.net/?v=1', anybody(99)), TooManyAudits);
    await assert.rejects(start('https://one.net/?v=more', anybody(98)), TooManyAudits);
  });

  it('a network has one look at a time, and all together two', async () => {
    const { service, end, turns } = open();
    const look = (name: string, client: string) =>
      service.look(service.toTarget(`https://${name}.net/`), { signal, client });
    const first = look('a', '192.0.2.1');
    await assert.rejects(look('b', '192.0.2.1'), TooManyAudits);
    const second = look('b', '192.0.2.2');
    await assert.rejects(look('c', '192.0.2.3'), TooManyAudits);
    await turns();
    await end('https://a.net/');
    await end('https://b.net/');
    assert.deepEqual([(await first).kind, (await second).kind], ['unreachable', 'unreachable']);
    const third = look('c', '192.0.2.1');
    await end('https://c.net/');
    await third;
  });

  it('a domain too, whatever the subdomain', async () => {
    const { start, end, started } = open();
    for (let index = 0; index < auditPolicy.perDomain; index += 1) {
      start(`https://s${index}.one.net/`, anybody(index));
      await end(`https://s${index}.one.net/`);
    }
    await assert.rejects(start('https://more.one.net/', anybody(99)), TooManyAudits);
    assert.equal(started.length, auditPolicy.perDomain);
  });

  it('many addresses that lead to one site count for it, and none of them goes there twice at once', async () => {
    const homes = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`from-${index}.net`, 'https://victim.com/buy?n=4']),
    );
    const { start, end, turns } = open(homes);
    start('https://from-0.net/', anybody(0));
    await turns();
    await assert.rejects(start('https://from-1.net/', anybody(1)), /leads to victim\.com, which is being audited now/);
    await end('https://from-0.net/');
    // The one that was refused was not counted for the site.
    for (let index = 2; index <= auditPolicy.perHost; index += 1) {
      start(`https://from-${index}.net/`, anybody(index));
      await end(`https://from-${index}.net/`);
    }
    await assert.rejects(start('https://from-29.net/', anybody(29)), TooManyAudits);
    await assert.rejects(start('https://victim.com/', anybody(3)), TooManyAudits);
  });
});
