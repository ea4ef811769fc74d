import { type ChildProcess, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { mkdtempDisposable } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { namedExchanges } from '#api/audit/evidence/exchange-name.ts';
import { type Evidence, robotsToken } from '#api/audit/evidence.ts';
import { runAudit } from '#api/audit/run.ts';
import { readConfig } from '#api/config.ts';
import { createGuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { buildWhenNeeded } from '../build/build-when-needed.ts';
import { freePort } from '../ports.ts';
import { auditBounds } from './audit-bounds.ts';
import { auditedHost } from './audited-host.ts';
import { startChild } from './child.ts';
import { median, percentile } from './percentile.ts';

const latencyMs = 50;
const rounds = 5;
const audits = 100;
const sampleEveryMs = 5;
const sampleMs = 4000;

/**
 * The longest chain of requests that the audit had to wait for, in milliseconds: from the exchange that ended last, back
 * to the one that ended last before it began, and so on to the first. What lies between two of them is time of the
 * audit's own and does not count.
 */
function longestChainMs({ exchanges }: Evidence): number {
  const spans = namedExchanges(exchanges)
    .map(([, exchange]) => exchange)
    .filter(({ timings, outcome }) => outcome === 'ok' && timings.totalMs > 0)
    .map(({ timings }) => {
      const start = Date.parse(timings.startedAt);
      return { start, end: start + timings.totalMs };
    })
    .toSorted((one, other) => other.end - one.end);
  let chainMs = 0;
  // A start is rounded to the millisecond.
  for (let link = spans[0]; link !== undefined; ) {
    chainMs += link.end - link.start;
    const { start } = link;
    link = spans.find(({ end }) => end <= start + 1);
  }
  return chainMs;
}

async function ownTime(): Promise<void> {
  const port = await freePort();
  await using _site = await startChild('site-process.ts', { PORT: String(port), DELAY_MS: String(latencyMs) });
  const ratios: number[] = [];
  const times: number[] = [];
  let requests = 0;
  for (let round = 0; round < rounds; round += 1) {
    const fetch = createGuardedFetch({
      resolver: new Resolver(),
      policy: { ports: [port], allowPrivate: ['127.0.0.1'] },
      identity: { userAgent: `${robotsToken}/1.0 (bench)` },
      now: () => new Date(),
    });
    const started = performance.now();
    const { evidence } = await runAudit(new URL(`http://127.0.0.1:${port}/`), {
      fetch,
      now: () => new Date(),
      userAgent: `${robotsToken}/1.0 (bench)`,
    });
    const took = performance.now() - started;
    await fetch.close();
    times.push(took);
    ratios.push(took / longestChainMs(evidence));
    requests = Math.max(requests, evidence.requests);
  }
  console.log(
    `an audit at ${latencyMs} ms a request: ${Math.round(median(times))} ms, ${median(ratios).toFixed(2)} of its longest chain of requests ` +
      `(goal: at most 1.30); ${requests} requests (goal: at most 60)`,
  );
}

/** The 99th percentile of the time of reads, in milliseconds, sent at a steady pace whatever the answers do. */
async function paced(url: string, agent: Agent): Promise<number> {
  const times: number[] = [];
  const under: Promise<void>[] = [];
  for (const end = performance.now() + sampleMs; performance.now() < end; await wait(sampleEveryMs)) {
    const started = performance.now();
    under.push(
      new Promise((resolve, reject) => {
        get(url, { agent, headers: { accept: 'text/html, application/json;q=0.9' } }, (response) => {
          response.resume().once('end', () => {
            times.push(performance.now() - started);
            resolve();
          });
        }).once('error', reject);
      }),
    );
  }
  await Promise.all(under);
  return percentile(times, 0.99);
}

/** What would run on another machine takes only what the service and its reader leave. */
function yieldToService(child: ChildProcess): void {
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
}

/** Orders audits from a process of its own; how many were answered with which status. */
async function orderAudits(environment: Record<string, string>): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'orders-process.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  yieldToService(child);
  return JSON.parse(await text(child.stdout)) as Record<string, number>;
}

async function readsMeanwhile(): Promise<void> {
  const config = readConfig();
  await buildWhenNeeded(config);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  const [port, sitePort] = [await freePort(), await freePort()];
  const reads = ['/api/techniques', '/about'];
  const hosts = Array.from({ length: (1 + reads.length * rounds) * audits }, (_, number) => auditedHost(number));
  await using site = await startChild('site-process.ts', { PORT: String(sitePort), DELAY_MS: String(latencyMs) });
  yieldToService(site);
  await using _service = await startChild('service-process.ts', {
    PORT: String(port),
    HOST: '127.0.0.1',
    TRUST_PROXY: 'loopback',
    DATA_DIR: join(folder.path, 'data'),
    LOG_LEVEL: 'silent',
    DIST_DIR: config.distDir,
    AUDIT_ALLOW_HOSTS: hosts.join(','),
    AUDIT_ALLOW_PORTS: String(sitePort),
  });
  const origin = `http://127.0.0.1:${port}`;
  using stack = new DisposableStack();
  const agent = stack.adopt(new Agent({ keepAlive: true, maxSockets: 16 }), (used) => used.destroy());
  let ordered = 0;
  /** Each site is audited once, so that no answer is one that is there already. */
  const order = (count: number): Promise<Record<string, number>> => {
    const first = ordered;
    ordered += count;
    return orderAudits({ ORIGIN: origin, SITE_PORT: String(sitePort), FIRST: String(first), COUNT: String(count) });
  };
  // The service starts a process for each audit that runs, and keeps them.
  await order(4);
  for (const path of reads) {
    const ratios: number[] = [];
    const statuses: Record<string, number> = {};
    for (let round = 0; round < rounds; round += 1) {
      const idle = await paced(`${origin}${path}`, agent);
      const ordering = order(audits);
      ratios.push((await paced(`${origin}${path}`, agent)) / idle);
      for (const [status, count] of Object.entries(await ordering)) {
        statuses[status] = (statuses[status] ?? 0) + count;
      }
    }
    const answered = Object.entries(statuses)
      .map(([status, count]) => `${count} with ${status}`)
      .join(', ');
    console.log(
      `p99 of ${path} while ${audits} audits are asked for at once: ${median(ratios).toFixed(2)} of idle (goal: at most 2; ` +
        `rounds: ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')}); audits answered: ${answered}`,
    );
  }
}

/**
 * The audit's own time, without the requests it waits for; what a large page takes; the sizes of its views; and reads of other
 * addresses while many audits run.
 */
export async function runAuditBench(): Promise<void> {
  await ownTime();
  await auditBounds();
  await readsMeanwhile();
}
