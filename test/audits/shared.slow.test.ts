import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { auditReport, type CheckResult } from '#api/audit/report.ts';
import { AuditFailed, AuditQueueFull, AuditsStopped, TooManyAudits } from '#api/audits/errors.ts';
import type { Failure } from '#api/audits/outcome.ts';
import { auditPolicy } from '#api/audits/policy.ts';
import type { AuditProcess } from '#api/audits/process.ts';
import type { AuditEvent, AuditService } from '#api/audits/service.ts';
import { createSharedAuditService } from '#api/audits/shared/service.ts';
import { createAudits } from '#api/audits/store.ts';
import { createCounters } from '#api/stores/counters.ts';
import { type Database, openDatabase } from '#api/stores/postgres/database.ts';
import { type RunningPostgres, startPostgres } from '../../scripts/support/postgres.ts';

const forever = new AbortController().signal;
const unreachable: Failure = { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
const beat = { everyMs: 100, deadAfterSeconds: 1 };

const finding = (id: string): CheckResult => ({
  id,
  technique: 'agent-identity',
  title: 'The site is on HTTPS',
  status: 'pass',
  points: 1,
  weight: 1,
  evidence: [],
  fix: null,
  cause: null,
  counted_by: null,
  reference: { title: 'HTTPS', url: 'https://example.com/' },
  contested: null,
});

/** An audit that goes on until the test ends it. */
interface Started {
  by: string;
  href: string;
  find(id: string): void;
  mayMove(home: URL): Promise<boolean>;
  end(outcome?: Failure): void;
  isAborted(): boolean;
}

/** Waits until it holds, within ten seconds. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 10_000; !holds(); await wait(5)) {
    assert.ok(Date.now() < end, `within ten seconds: ${what}`);
  }
}

let postgres: RunningPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

/** Instances on one database, whose audits the test carries out. */
async function openInstances(names: readonly string[]) {
  const url = await postgres.createDatabase();
  const now = () => new Date();
  const counters = createCounters({ now });
  const started: Started[] = [];
  const instances = await Promise.all(
    names.map(async (by) => {
      const database = await openDatabase({ url, connections: 4, warn: () => undefined });
      const openProcess = (): AuditProcess => {
        const closed = Promise.withResolvers<never>();
        closed.promise.catch(() => {});
        return {
          isAlive: true,
          close: async () => closed.reject(new AuditFailed('The process of the audit ended.')),
          run(_task, target, { onFinding, mayMove, signal }) {
            const over = Promise.withResolvers<Failure>();
            started.push({
              by,
              href: target.href,
              find: (id) => onFinding(finding(id)),
              mayMove,
              end: (outcome = unreachable) => over.resolve(outcome),
              isAborted: () => signal.aborted,
            });
            signal.addEventListener('abort', () => over.resolve(unreachable));
            return Promise.race([over.promise, closed.promise]);
          },
        };
      };
      const service = createSharedAuditService(
        {
          openProcess,
          policy: { ports: [], allowPrivate: [] },
          counters,
          audits: createAudits({ report: auditReport, now }),
          now,
          onError: () => undefined,
        },
        { database, secret: Buffer.alloc(32, 7), beat },
      );
      return { database, service };
    }),
  );
  after(async () => {
    for (const { end } of started) {
      end();
    }
    for (const { service, database } of instances) {
      await service.stop();
      await database.close();
    }
  });
  const runOf = async (href: string, by?: string): Promise<Started> => {
    const find = () => started.findLast((run) => run.href === href && (by === undefined || run.by === by));
    await until(() => find() !== undefined, `${href} runs`);
    return find() ?? assert.fail();
  };
  return { url, instances, services: instances.map(({ service }) => service), started, runOf };
}

/** Asks for an audit; resolves once it's accepted. */
async function ask(service: AuditService, url: string, client: string | null, signal = forever) {
  const events: AuditEvent[] = [];
  const accepted = Promise.withResolvers<void>();
  const result = service.start(service.toTarget(url), {
    ...{ signal, client, onAccepted: accepted.resolve },
    onEvent: (event) => events.push(event),
  });
  result.catch(() => {});
  await Promise.race([accepted.promise, result]);
  const judged = () => events.flatMap((event) => (event.stage === 'judged' ? [event.finding.id] : []));
  return { result, events, judged };
}

const two = ['one', 'two'] as const;
const [first, second] = [
  (services: AuditService[]) => services[0] ?? assert.fail(),
  (services: AuditService[]) => services[1] ?? assert.fail(),
];

describe('audits of several instances on one database', () => {
  it('who joins elsewhere hears what was found, what comes, and the same end', async () => {
    const { services, started, runOf } = await openInstances(two);
    const asked = await ask(first(services), 'https://a.net/', '192.0.2.1');
    const run = await runOf('https://a.net/');
    run.find('early');
    const joined = await ask(second(services), 'https://a.net/', '192.0.2.2');
    await until(() => joined.judged().includes('early'), 'the other one hears what was found before');
    run.find('late');
    await until(() => joined.judged().length === 2, 'the other one hears what comes');
    run.end();
    assert.deepEqual(await asked.result, { ...unreachable, ageSeconds: null });
    assert.deepEqual(await joined.result, await asked.result);
    assert.deepEqual(joined.judged(), asked.judged());
    assert.equal(started.length, 1);
  });

  it('one audit of a site at a time, and as many at once in all as one instance may', async () => {
    const { services, started, runOf } = await openInstances(two);
    const of = (index: number) => (index % 2 === 0 ? first(services) : second(services));
    const same = await Promise.all(
      ['/', '/a', '/b'].map((path, index) => ask(of(index), `https://one.net${path}`, `192.0.2.${index}`)),
    );
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => ask(of(index), `https://site-${index}.net/`, `198.51.100.${index}`)),
    );
    const isOfOne = ({ href }: Started): boolean => href.startsWith('https://one.net');
    assert.equal(started.length, auditPolicy.atOnce);
    assert.equal(started.filter(isOfOne).length, 1);
    await until(
      () => same.filter(({ events }) => events.some(({ stage }) => stage === 'queued')).length === 2,
      'the other two hear of their places',
    );
    // Each that ends lets the next one begin, on either instance.
    for (let ended = 0; ended < 9; ended += 1) {
      await until(() => started.length > ended, 'the next one runs');
      assert.ok(started.length - ended <= auditPolicy.atOnce);
      assert.ok(started.slice(ended).filter(isOfOne).length <= 1);
      started[ended]?.end();
    }
    await Promise.all(same.map(({ result }) => result));
    assert.equal(started.length, 9);
    await runOf('https://one.net/b');
  });

  it('networks take turns, and the limit of a network and of the queue hold over all', async () => {
    const { services, started } = await openInstances(two);
    for (const [index, url] of ['https://a1.net/', 'https://a2.net/'].entries()) {
      await ask(services[index] ?? assert.fail(), url, '192.0.2.1');
    }
    for (const service of services) {
      await assert.rejects(ask(service, 'https://a3.net/', '192.0.2.1'), TooManyAudits);
    }
    for (const [index, name] of ['b1', 'b2', 'c1', 'c2', 'd1'].entries()) {
      await ask(services[index % 2] ?? assert.fail(), `https://${name}.net/`, `192.0.2.${name.charCodeAt(0)}`);
    }
    const order: string[] = [];
    for (let ended = 0; ended < 7; ended += 1) {
      await until(() => started.length > ended, 'the next one runs');
      order.push(new URL(started[ended]?.href ?? '').hostname.slice(0, 2));
      started[ended]?.end();
      await until(() => started.length >= Math.min(7, ended + 5), 'the place is taken');
    }
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'b2', 'c1', 'd1', 'c2']);
    for (let index = 0; index < auditPolicy.atOnce + auditPolicy.queued; index += 1) {
      await ask(services[index % 2] ?? assert.fail(), `https://site-${index}.net/`, `198.51.100.${index}`);
    }
    for (const service of services) {
      await assert.rejects(ask(service, 'https://more.net/', '203.0.113.1'), AuditQueueFull);
    }
  });

  it('an audit goes on until the last one has left, on whichever instance', async () => {
    const { services, runOf, started } = await openInstances(two);
    const [here, there] = [new AbortController(), new AbortController()];
    const asked = await ask(first(services), 'https://a.net/', '192.0.2.1', here.signal);
    const joined = await ask(second(services), 'https://a.net/', '192.0.2.2', there.signal);
    const run = await runOf('https://a.net/');
    here.abort();
    await assert.rejects(asked.result, AuditsStopped);
    run.find('after the first has left');
    await until(() => joined.judged().length === 1, 'the other one still hears');
    assert.equal(run.isAborted(), false);
    there.abort();
    await assert.rejects(joined.result, AuditsStopped);
    await until(() => run.isAborted(), 'nobody waits');
    await ask(second(services), 'https://a.net/', '192.0.2.3');
    await until(() => started.length === 2, 'who comes later has an audit of their own');
  });

  it('the home page of one leads to a site that another instance audits', async () => {
    const { services, runOf } = await openInstances(two);
    await ask(first(services), 'https://victim.com/', '192.0.2.1');
    await ask(second(services), 'https://from.net/', '192.0.2.2');
    const victim = await runOf('https://victim.com/');
    const from = await runOf('https://from.net/');
    assert.equal(await from.mayMove(new URL('https://victim.com/buy')), false);
    victim.end();
    let mayMove = false;
    for (let tried = 0; !mayMove && tried < 100; tried += 1) {
      await wait(10);
      mayMove = await from.mayMove(new URL('https://victim.com/buy'));
    }
    assert.ok(mayMove, 'once that is over');
  });

  it('an instance that stops hands over what others wait for', async () => {
    const { services, runOf } = await openInstances(two);
    const asked = await ask(first(services), 'https://a.net/', '192.0.2.1');
    const joined = await ask(second(services), 'https://a.net/', '192.0.2.2');
    await runOf('https://a.net/', 'one');
    const stopped = first(services).stop();
    await assert.rejects(asked.result, AuditsStopped);
    (await runOf('https://a.net/', 'two')).end();
    assert.equal((await joined.result).kind, 'unreachable');
    await stopped;
    await assert.rejects(ask(first(services), 'https://b.net/', '192.0.2.1'), AuditsStopped);
  });

  it('an instance that falls silent loses its audits, and what it then finds counts no more', async () => {
    const { url, services, runOf, started } = await openInstances(two);
    const admin = await openDatabase({ url, warn: () => undefined });
    await ask(first(services), 'https://a.net/', '192.0.2.1');
    const joined = await ask(second(services), 'https://a.net/', '192.0.2.2');
    const lost = await runOf('https://a.net/', 'one');
    lost.find('by the one that is lost');
    await until(() => joined.judged().length === 1, 'it is heard');
    // As if it hadn't been heard of.
    await silence(admin, () => started.some(({ by }) => by === 'two'));
    const taken = await runOf('https://a.net/', 'two');
    await until(() => lost.isAborted(), 'it finds out');
    taken.find('by the other');
    taken.end();
    assert.equal((await joined.result).kind, 'unreachable');
    assert.deepEqual(joined.judged(), ['by the one that is lost', 'by the other']);
    await admin.close();
  });

  it('an audit that fails with its instance twice is not tried again', async () => {
    const { url, services, started } = await openInstances(['one', 'two', 'three']);
    const admin = await openDatabase({ url, warn: () => undefined });
    await ask(first(services), 'https://a.net/', '192.0.2.1');
    const joined = await ask(services[2] ?? assert.fail(), 'https://a.net/', '192.0.2.3');
    for (const runs of [1, 2]) {
      await until(() => started.length === runs, 'it runs');
      await silence(admin, () => started.length > runs, joined.result);
    }
    await assert.rejects(joined.result, AuditFailed);
    assert.equal(started.length, 2);
    await admin.close();
  });

  it('a result of the last minute is everybody’s', async () => {
    const { services, runOf, started } = await openInstances(two);
    const report = {
      kind: 'report',
      report: { final_url: 'https://a.net/', url: 'https://a.net/', provisional: true },
    };
    const asked = await ask(first(services), 'https://a.net/', '192.0.2.1');
    (await runOf('https://a.net/')).end(report as unknown as Failure);
    await asked.result;
    // This one may join while the end is written down; the next one comes after it.
    assert.equal((await (await ask(second(services), 'https://a.net/', '192.0.2.2')).result).kind, 'report');
    const result = await (await ask(second(services), 'https://a.net/', '192.0.2.2')).result;
    assert.ok(result.kind === 'report' && result.ageSeconds !== null && result.ageSeconds < 60);
    assert.equal(started.length, 1);
  });
});

/** Takes the instance that runs something for dead, again and again until the others have seen it. */
async function silence(admin: Database, isSeen: () => boolean, over?: Promise<unknown>): Promise<void> {
  const [row] = await admin.query<{ instance: string }>("select instance from audit_runs where state = 'running'");
  let isOver = false;
  over?.then(
    () => {},
    () => {
      isOver = true;
    },
  );
  for (const end = Date.now() + 20_000; !isSeen() && !isOver; await wait(20)) {
    assert.ok(Date.now() < end, 'the others see it');
    await admin.query("update audit_instances set seen_at = now() - interval '1 minute' where id = $1", [
      row?.instance,
    ]);
  }
}
