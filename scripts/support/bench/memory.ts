import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '#api/config.ts';
import { packFiles } from '#api/http/site-pack.ts';
import { projectDir } from '../build/stamp.ts';
import { freePort } from '../ports.ts';
import { stopChild } from './child.ts';
import { sendMixedLoad } from './mixed-load.ts';

const requests = 100_000;
const connections = 50;
const idleConnections = 10_000;
/** After that long without work the service is at rest: it counts a minute in steps, and a slow machine is late. */
const restMs = 100_000;

/** What a process has in memory, in megabytes (proc_pid_status(5), VmRSS). */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

/** Starts a server and gives the milliseconds until it answers. */
async function startServer(
  environment: Record<string, string>,
  command: string,
): Promise<{ server: ChildProcess; port: number; readyMs: number }> {
  const port = await freePort();
  const started = performance.now();
  // The shell is replaced by what it starts, so that the process is the server's own.
  const server = spawn('sh', ['-c', command], {
    cwd: projectDir,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      ...{ PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'silent', TRUST_PROXY: 'loopback', ...environment },
    },
    stdio: 'ignore',
  });
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) {
      return { server, port, readyMs: Math.round(performance.now() - started) };
    }
    if (server.exitCode !== null) {
      throw new Error(`the server ended with code ${server.exitCode} before it answered`);
    }
    await wait(10);
  }
}

/** Opens connections that send nothing, and gives the memory of the server and the slowest of a hundred reads meanwhile. */
async function holdIdle(server: ChildProcess, port: number): Promise<{ mb: number; slowestMs: number }> {
  const sockets: Socket[] = [];
  while (sockets.length < idleConnections) {
    const some = Array.from({ length: 500 }, () => connect(port, '127.0.0.1'));
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    sockets.push(...some);
  }
  const times: number[] = [];
  for (let number = 0; number < 100; number += 1) {
    const before = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/about`)).arrayBuffer();
    times.push(performance.now() - before);
  }
  const mb = await residentMb(server);
  for (const socket of sockets) {
    socket.destroy();
  }
  return { mb, slowestMs: Math.round(Math.max(...times)) };
}

/** Everything that is measured of one server, from its start on. */
async function measure(
  environment: Record<string, string>,
  command: string,
  { pages, restMs }: { pages: readonly string[]; restMs: number },
) {
  const { server, port, readyMs } = await startServer(environment, command);
  try {
    await wait(restMs);
    const restMb = await residentMb(server);
    const load = await sendMixedLoad(port, { pages, requests, connections });
    const busyMb = await residentMb(server);
    await wait(restMs);
    const afterMb = await residentMb(server);
    return { readyMs, restMb, load, busyMb, afterMb, idle: await holdIdle(server, port) };
  } finally {
    await stopChild(server);
  }
}

function report(name: string, measured: Awaited<ReturnType<typeof measure>>): void {
  const { readyMs, restMb, idle, load, busyMb, afterMb } = measured;
  console.log(`${name}: ready after ${readyMs} ms; ${restMb} MB at rest`);
  console.log(
    `  ${requests.toLocaleString('en')} mixed requests, ${connections} connections: ${load.perSecond} a second, ` +
      `${load.errors.length} errors, p99 of reads ${load.readsP99} ms, of writes ${load.writesP99} ms`,
  );
  for (const error of load.errors.slice(0, 3)) {
    console.log(`    ${error}`);
  }
  console.log(
    `  after them: ${busyMb} MB, at rest again ${afterMb} MB, ${(afterMb / restMb).toFixed(2)} of before (goal: at most 1.20)`,
  );
  console.log(
    `  ${idleConnections.toLocaleString('en')} idle connections: ${idle.mb} MB, the slowest of 100 reads ${idle.slowestMs} ms`,
  );
}

/**
 * Measures the service as `npm start` starts it: what a first start that builds leaves, and then a start on that build.
 * Gives the paths of the pages.
 */
async function measureService(distDir: string, folder: string): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const settings = { BASE_URL: readConfig({}).baseUrl, DIST_DIR: distDir };
  const first = await startServer({ ...settings, DATA_DIR: join(folder, 'first') }, scripts.start);
  const firstMb = wait(restMs)
    .then(() => residentMb(first.server))
    .finally(() => stopChild(first.server));
  const index = JSON.parse(await readFile(packFiles(distDir).index, 'utf8')) as object;
  const pages = Object.keys(index)
    .filter((file) => file.endsWith('.html') && file !== '404.html')
    .map((file) => `/${file.replace(/(?:^index)?\.html$/, '')}`);
  const built = { ...settings, DATA_DIR: join(folder, 'built'), BUILD: 'never' };
  const service = await measure(built, scripts.start, { pages, restMs });
  report('The service (goals: ready in 2,000 ms, under 200 MB)', service);
  console.log(`  at rest after a first start, which built: ${await firstMb} MB (goal: under 200)`);
  return pages;
}

/** Memory and start of the service, and of a bare Express server that answers the same requests with one page. */
export async function runMemoryBench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  // Below the project, where the built pages find its packages.
  const distDir = join(projectDir, 'node_modules', '.cache', 'porchlight-bench');
  await rm(distDir, { recursive: true, force: true });
  try {
    const pages = await measureService(distDir, folder);
    const command = `exec node ${join(import.meta.dirname, 'express-process.ts')}`;
    const environment = { FILE: join(distDir, 'client', 'about.html') };
    report('Bare Express', await measure(environment, command, { pages, restMs: 5000 }));
  } finally {
    await rm(distDir, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
