import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { auditReport } from '#api/audit/report.ts';
import { AuditFailed, AuditQueueFull, AuditsStopped } from '#api/audits/errors.ts';
import { auditPolicy } from '#api/audits/policy.ts';
import { type AuditProcess, processBounds } from '#api/audits/process.ts';
import { type AuditService, createAuditService } from '#api/audits/service.ts';
import { createAudits } from '#api/audits/store.ts';
import { createCounters } from '#api/stores/counters.ts';
import { bareSite } from '../audit/sites.ts';
import { until } from '../support/until.ts';
import { auditProcesses, forever, serve, settingsFor } from './auditing-service.ts';

test('an audit runs in a process, which is kept for the next one', async () => {
  const { start, processes, audits, site, faults } = await serve(bareSite);
  const first = await start();
  assert.equal(first.kind, 'report');
  assert.equal(first.ageSeconds, null);
  assert.equal(audits.get(`${site.origin}/`)?.report.url, `${site.origin}/`);
  await start('/a');
  assert.equal(processes.length, 1);
  assert.deepEqual(faults, []);
});

test('who joins an audit is told what was found before, and then what comes', async () => {
  const { service, site } = await serve(bareSite, { delayMs: 40 });
  const target = service.toTarget(`${site.origin}/`);
  const told: string[][] = [[], []];
  const join = (listener: number) =>
    service.start(target, {
      ...{ signal: forever, client: '192.0.2.1' },
      onEvent: (news) => news.stage === 'judged' && told[listener]?.push(news.finding.id),
    });
  const first = join(0);
  await until(() => (told[0]?.length ?? 0) > 3, 'some checks are judged');
  const results = await Promise.all([first, join(1)]);
  const [result] = results;
  assert.ok(result?.kind === 'report' && results[1]?.kind === 'report');
  assert.deepEqual(told[1], told[0]);
  assert.deepEqual(new Set(told[0]), new Set(result.report.checks.map(({ id }) => id)));
});

test('a process that does not end is stopped and replaced, and its audit fails', async () => {
  const { start, processes, faults, service, site } = await serve(bareSite, { delayMs: 5000, processTimeoutMs: 400 });
  await assert.rejects(start(), AuditFailed);
  assert.equal(processes[0]?.isAlive, false);
  assert.equal(faults.length, 1);
  assert.deepEqual(service.load, { running: 0, queued: 0 });
  await assert.rejects(start(), AuditFailed);
  assert.equal(processes.length, 2);
  site.close();
});

test('a process that dies takes one audit with it, and the next gets a new one', async () => {
  const { start, processes, site } = await serve(bareSite, { delayMs: 50 });
  const lost = start();
  await until(() => site.asked.length > 0, 'the audit begins');
  await processes[0]?.close();
  await assert.rejects(lost, AuditFailed);
  assert.equal((await start()).kind, 'report');
  assert.equal(processes.length, 2);
  await processes[1]?.close();
  assert.equal((await start('/a')).kind, 'report', 'one that died while it was idle is not taken');
  assert.equal(processes.length, 3);
});

/** What proc_pid_stat(5) says of a thread; null for one that ended after it was listed. */
function statOf(pid: number, thread: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return null;
    }
    throw error;
  }
}

test('a process has the lowest priority in each thread, nothing of the environment, and leaves signals to the service', async () => {
  const { start, service } = await serve(bareSite, { delayMs: 50 });
  const before = auditProcesses();
  const running = start();
  await until(() => auditProcesses().length > before.length, 'the process is there');
  const [pid = 0] = auditProcesses().filter((candidate) => !before.includes(candidate));
  await until(() => service.load.running === 1 && existsSync(`/proc/${pid}/environ`), 'the audit runs');
  assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /(?:^|\0)(?!NODE_CHANNEL_|MALLOC_ARENA_MAX)\w+=/);
  const nices = (): string[] =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const stat = statOf(pid, thread);
      // proc_pid_stat(5): the name of the thread stands in parentheses; the nice value is the 17th field after it.
      return stat === null ? [] : [String(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    });
  await until(() => {
    const seen = nices();
    return seen.length > 0 && seen.every((nice) => nice === '19');
  }, 'every thread has the lowest priority');
  process.kill(pid, 'SIGTERM');
  process.kill(pid, 'SIGINT');
  assert.equal((await running).kind, 'report');
});

describe('what a process may do', () => {
  const may = (code: string): string => {
    const tried = spawnSync(
      process.execPath,
      [...processBounds, '--eval', `try { ${code}; console.log('done') } catch (error) { console.log(error.code) }`],
      { encoding: 'utf8' },
    );
    return tried.stdout.trim() || tried.stderr;
  };
  const file = JSON.stringify(fileURLToPath(import.meta.url));
  const folder = JSON.stringify(tmpdir());

  it('it reads its code', () => {
    const code = JSON.stringify(fileURLToPath(import.meta.resolve('#api/audits/process.ts')));
    assert.equal(may(`fs.readFileSync(${code})`), 'done');
  });

  for (const [what, code] of [
    ['read another file', `fs.readFileSync(${file})`],
    ['read the environment of the service', `fs.readFileSync('/proc/' + process.ppid + '/environ')`],
    ['list a folder', `fs.readdirSync(${folder})`],
    ['write', `fs.writeFileSync(${folder} + '/x', '')`],
    ['start a process', `child_process.spawnSync('true')`],
    ['start a worker', `new worker_threads.Worker('', { eval: true })`],
  ] as const) {
    it(`it can't ${what}`, () => assert.equal(may(code), 'ERR_ACCESS_DENIED'));
  }
});

test('a process ends when the service is gone', async () => {
  const file = fileURLToPath(import.meta.resolve('#api/audits/process.ts'));
  const settings = { ...settingsFor('127.0.0.1'), signing: null };
  const owner = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { openAuditProcess } from ${JSON.stringify(file)}; openAuditProcess(${JSON.stringify(settings)}); setInterval(() => {}, 1000);`,
  ]);
  await until(() => auditProcesses(owner.pid).length === 1, 'the process is there');
  const [pid = 0] = auditProcesses(owner.pid);
  owner.kill('SIGKILL');
  await until(() => !existsSync(`/proc/${pid}`), 'the process has ended');
});

test('one address of a site is audited after the other', async () => {
  const { start, service } = await serve(bareSite, { delayMs: 20 });
  const both = [start('/'), start('/a')];
  assert.deepEqual(service.load, { running: 1, queued: 1 });
  const [home, other] = await Promise.all(both);
  assert.deepEqual([home?.kind, other?.kind], ['report', 'report']);
});

describe('stopping', () => {
  const target = (service: AuditService, name: string) => service.toTarget(`https://${name}.net/`);
  /** A process that ends its audit when it is told to. */
  const openService = () => {
    const over = Promise.withResolvers<void>();
    const open = new Set<AuditProcess>();
    const now = () => new Date();
    const service = createAuditService({
      openProcess: () => {
        const process: AuditProcess = {
          isAlive: true,
          close: async () => {
            open.delete(process);
          },
          run: async () => {
            await over.promise;
            return { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
          },
        };
        open.add(process);
        return process;
      },
      policy: { ports: [], allowPrivate: [] },
      counters: createCounters({ now }),
      audits: createAudits({ report: auditReport, now }),
      now,
      onError: () => assert.fail('no fault'),
    });
    return { service, over, open };
  };

  it('refuses what waits and what is new, and lets what runs end', async () => {
    const { service, over, open } = openService();
    const running = Array.from({ length: 4 }, (_, index) =>
      service.start(target(service, `site-${index}`), { signal: forever, client: `192.0.2.${index}` }),
    );
    const waiting = service.start(target(service, 'site-5'), { signal: forever, client: '198.51.100.1' });
    const refused = assert.rejects(waiting, AuditsStopped);
    const stopped = service.stop();
    await refused;
    await assert.rejects(
      service.start(target(service, 'site-6'), { signal: forever, client: '198.51.100.1' }),
      AuditsStopped,
    );
    over.resolve();
    await stopped;
    for (const result of await Promise.all(running)) {
      assert.equal(result.kind, 'unreachable');
    }
    assert.equal(open.size, 0, 'every process is ended');
  });

  it('many addresses of one site do not keep another site waiting', async () => {
    const { service, over } = openService();
    const many = Array.from({ length: 17 }, (_, index) =>
      service.start(service.toTarget(`https://one.net/${index}`), { signal: forever, client: `192.0.2.${index}` }),
    );
    assert.deepEqual(service.load, { running: 1, queued: 16 });
    await assert.rejects(
      service.start(service.toTarget('https://one.net/17'), { signal: forever, client: '198.51.100.1' }),
      AuditQueueFull,
    );
    const other = service.start(target(service, 'other'), { signal: forever, client: '198.51.100.1' });
    assert.deepEqual(service.load, { running: 2, queued: 16 });
    over.resolve();
    const endings = await Promise.allSettled([...many, other]);
    const reasons = endings.map((ending) => (ending.status === 'fulfilled' ? ending.value.kind : ending.reason.name));
    // The last of the many are more than a host is audited in an hour.
    const { perHost } = auditPolicy;
    assert.deepEqual(reasons, [
      ...Array.from({ length: perHost }, () => 'unreachable'),
      ...Array.from({ length: 17 - perHost }, () => 'TooManyAudits'),
      'unreachable',
    ]);
  });

  it('a second time is harmless', async () => {
    const { service } = openService();
    await Promise.all([service.stop(), service.stop()]);
    await service.stop();
  });
});
