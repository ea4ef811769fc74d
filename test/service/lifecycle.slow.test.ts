import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '#api/config.ts';
import { removeLeftovers } from '../../scripts/support/build/place.ts';
import { buildStamp, presentStamp, projectDir } from '../../scripts/support/build/stamp.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { exchange } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

const cache = join(projectDir, 'node_modules', '.cache');
await mkdir(cache, { recursive: true });
// Below node_modules, where what the built server imports is found.
const folder = await mkdtemp(join(cache, 'porchlight-lifecycle-'));
const children = new Set<ChildProcess>();
after(async () => {
  for (const { pid } of children) {
    // With all that it has started.
    process.kill(-Number(pid), 'SIGKILL');
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Started {
  child: ChildProcess;
  /** What it wrote to both of its streams so far. */
  output(): string;
  /** The exit code; rejects after the seconds given. */
  exit(withinSeconds: number): Promise<number | null>;
  /** Resolves when it says that it serves. */
  serving(): Promise<void>;
}

/** Runs the service as the owner would, by npm or by Node, with nothing in its environment but what is given. */
function start(environment: Record<string, string>, by: 'npm' | 'node' = 'node'): Started {
  const [program, args] = by === 'npm' ? ['npm', ['start']] : [process.execPath, ['scripts/start.ts']];
  const child = spawn(program, args, {
    cwd: projectDir,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  children.add(child);
  let output = '';
  let code: number | null | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.once('close', (exitCode) => {
    code = exitCode;
    children.delete(child);
  });
  const wait = async (condition: () => boolean, seconds: number, what: string): Promise<void> => {
    for (const end = Date.now() + seconds * 1000; !condition(); ) {
      if (Date.now() > end) {
        throw new Error(`${what} did not come within ${seconds} s; it wrote: ${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    child,
    output: () => output,
    exit: async (seconds) => {
      await wait(() => code !== undefined, seconds, 'the end');
      return code ?? null;
    },
    serving: () => wait(() => output.includes(' is at ') || code !== undefined, 280, 'the service'),
  };
}

/** Settings of a service of its own, and a folder with the present build made to look as if made for them. */
async function prepare(
  name: string,
): Promise<{ environment: Record<string, string>; origin: string; distDir: string }> {
  const port = await freePort();
  const distDir = join(folder, name);
  const environment = {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DIST_DIR: distDir,
    DATA_DIR: join(folder, `${name}-data`),
  };
  return { environment, origin: environment.BASE_URL, distDir };
}

async function copyBuild(environment: Record<string, string>, distDir: string): Promise<void> {
  cpSync(readConfig().distDir, distDir, { recursive: true });
  await writeFile(join(distDir, 'build.json'), JSON.stringify(await buildStamp(readConfig(environment))));
}

/** Waits until nothing listens at an origin any more. */
async function refused(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  let code = '';
  for (let attempt = 0; code !== 'ECONNREFUSED'; attempt += 1) {
    assert.ok(attempt < 500, 'new connections are refused');
    const socket = connect(Number(port), hostname);
    code = await new Promise<string>((resolve) => {
      socket.once('connect', () => resolve('connected'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function untilTrue(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await condition()); ) {
    assert.ok(Date.now() < end, `waited a minute in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Opens a connection and keeps what comes over it. */
async function open(origin: string): Promise<{ socket: Socket; received(): string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'connect');
  return { socket, received: () => text };
}

test('SIGTERM: what is under way is answered in full, what is new is refused, the exit code is 0', async () => {
  const { environment, origin, distDir } = await prepare('stop');
  await copyBuild(environment, distDir);
  const service = start(environment);
  await service.serving();
  assert.doesNotMatch(service.output(), /Building/, 'a build that fits is not made again');
  assert.match(service.output(), new RegExp(`Porchlight is at ${origin}`));

  const slow = await open(origin);
  slow.socket.write('GET /llms-full.txt HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n');
  const idle = await open(origin);
  idle.socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => idle.received().includes('{"status":"ok"'), 'the answer on the connection that then stays idle');

  service.child.kill('SIGTERM');
  await refused(origin);
  assert.equal(service.child.exitCode, null, 'it waits for the request that is under way');
  slow.socket.write('\r\n');
  await until(() => slow.socket.closed, 'the end of the slow connection');
  const [head = '', body = ''] = slow.received().split(/\r\n\r\n(.*)/s);
  assert.match(head, /^HTTP\/1\.1 200 /);
  assert.match(head, /^connection: close$/im, 'the client is told not to use the connection again');
  const expected = await readFile(join(distDir, 'client', 'llms-full.txt'), 'latin1');
  assert.ok(body === expected, `${body.length} of ${expected.length} bytes came`);
  // It gets a moment first: a request may be on its way.
  await until(() => idle.socket.closed || idle.socket.readableEnded, 'the end of the idle connection');
  assert.equal(await service.exit(10), 0);
});

test('SIGTERM with a client that never finishes its request: it still ends within ten seconds', async () => {
  const { environment, origin } = await prepare('stop');
  await writeFile(
    join(environment['DIST_DIR'] ?? '', 'build.json'),
    JSON.stringify(await buildStamp(readConfig(environment))),
  );
  const service = start(environment);
  await service.serving();
  const stuck = await open(origin);
  stuck.socket.on('error', () => undefined);
  stuck.socket.write('GET /about HTTP/1.1\r\nHost: localhost\r\n');
  service.child.kill('SIGTERM');
  assert.equal(await service.exit(10), 0);
  stuck.socket.destroy();
});

test('SIGTERM to npm: the running request is answered in full, the port is free within 12 s, the exit code is 0', async () => {
  const { environment, origin, distDir } = await prepare('npm');
  await copyBuild(environment, distDir);
  const npm = start(environment, 'npm');
  await npm.serving();
  const slow = await open(origin);
  slow.socket.write('GET /llms.txt HTTP/1.1\r\nHost: localhost\r\n');
  // By the time of this answer the beginning of the other request has been read.
  assert.equal((await exchange(origin, { target: '/api/health' })).status, 200);
  npm.child.kill('SIGTERM');
  await refused(origin);
  // As a terminal does, whose Ctrl-C reaches the service by two ways.
  npm.child.kill('SIGTERM');
  slow.socket.write('\r\n');
  await until(() => slow.socket.closed, 'the end of the slow connection');
  const expected = await readFile(join(distDir, 'client', 'llms.txt'), 'latin1');
  assert.equal(slow.received().split(/\r\n\r\n(.*)/s)[1], expected);
  assert.equal(await npm.exit(12), 0);
  const port = createServer().listen(Number(environment['PORT']), '127.0.0.1');
  await once(port, 'listening');
  port.close();
});

test('a second start on the same checkout is refused before it builds, and leaves the build and the service as they are', async () => {
  const { environment, origin, distDir } = await prepare('stop');
  await writeFile(join(distDir, 'build.json'), JSON.stringify(await buildStamp(readConfig(environment))));
  const first = start(environment);
  await first.serving();
  const before = await readFile(join(distDir, 'build.json'), 'utf8');
  const second = start({ ...environment, PORT: String(await freePort()), BASE_URL: 'https://elsewhere.example' });
  assert.equal(await second.exit(60), 1);
  assert.match(second.output(), /is locked: another process uses these files/);
  assert.doesNotMatch(second.output(), /Building/);
  assert.equal(await readFile(join(distDir, 'build.json'), 'utf8'), before);
  assert.equal((await exchange(origin, { target: '/guestbook' })).status, 200);
  first.child.kill('SIGTERM');
  assert.equal(await first.exit(10), 0);
});

test('BUILD=never: without a build, and with one whose pages say something else, it says so and builds nothing', async () => {
  const { environment, distDir } = await prepare('never');
  const without = start({ ...environment, BUILD: 'never' });
  assert.equal(await without.exit(60), 1);
  assert.match(without.output(), /There is no build in .*BUILD=never.*npm run build/);
  await copyBuild({ ...environment, BASE_URL: 'https://elsewhere.example' }, distDir);
  const other = start({ ...environment, BUILD: 'never' });
  assert.equal(await other.exit(60), 1);
  assert.match(other.output(), /There is a build with BASE_URL="https:\/\/elsewhere\.example" in .*BUILD=never/);
  assert.equal((await presentStamp(distDir))?.settings.baseUrl, 'https://elsewhere.example');
});

test('SIGINT ends it as well', async () => {
  const { environment } = await prepare('stop');
  await writeFile(
    join(environment['DIST_DIR'] ?? '', 'build.json'),
    JSON.stringify(await buildStamp(readConfig(environment))),
  );
  const service = start(environment);
  await service.serving();
  service.child.kill('SIGINT');
  assert.equal(await service.exit(10), 0);
});

for (const [name, value] of [
  ['PORT', 'eighty'],
  ['BASE_URL', 'example.org'],
  ['TRUST_PROXY', 'everyone'],
] as const) {
  test(`${name}=${value}: it does not start, and names the variable`, async () => {
    const service = start({ [name]: value, DIST_DIR: join(folder, 'none') });
    assert.equal(await service.exit(60), 1);
    assert.match(service.output(), new RegExp(`\\b${name}="${value}" `));
    assert.doesNotMatch(service.output(), /\n\s+at /, 'no stack trace');
  });
}

test('a port that is in use: it says so, and what to do', async () => {
  const { environment } = await prepare('stop');
  await writeFile(
    join(environment['DIST_DIR'] ?? '', 'build.json'),
    JSON.stringify(await buildStamp(readConfig(environment))),
  );
  const other = createServer().listen(Number(environment['PORT']), '127.0.0.1');
  await once(other, 'listening');
  try {
    const service = start(environment);
    assert.equal(await service.exit(60), 1);
    assert.match(service.output(), new RegExp(`${environment['PORT']}\\b.*PORT`, 's'));
    assert.doesNotMatch(service.output(), /\n\s+at /, 'no stack trace');
  } finally {
    other.close();
  }
});

test('a build that was made from other sources, or for another address, is made again', async () => {
  for (const [baseUrl, reason] of [
    [null, /Building the site for .*its settings or sources have changed/],
    ['https://elsewhere.example', /Building the site for .*it was made with BASE_URL="https:\/\/elsewhere\.example"/],
  ] as const) {
    const { environment, origin, distDir } = await prepare(`stale-${baseUrl === null ? 'sources' : 'address'}`);
    await mkdir(distDir);
    const { settings } = await buildStamp(readConfig({ ...environment, BASE_URL: baseUrl ?? origin }));
    const stamp = { id: '0'.repeat(64), settings, built: '2026-01-01T00:00:00.000Z' };
    await writeFile(join(distDir, 'build.json'), JSON.stringify(stamp));
    const service = start(environment);
    await untilTrue(async () => service.output().includes('Building'), 'the start of the build');
    assert.match(service.output(), reason);
    const building = (): Promise<string[]> =>
      readdir(folder).then((names) => names.filter((name) => name.startsWith(`${basename(distDir)}.building-`)));
    await untilTrue(async () => (await building()).length > 0, 'the folder of the build');
    service.child.kill('SIGKILL');
    await service.exit(120);
    const [unfinished = ''] = await building();
    const builder = Number(unfinished.split('-').at(-1));
    await untilTrue(async () => !existsSync(`/proc/${builder}`), 'the end of the builder');
    assert.deepEqual(await presentStamp(distDir), stamp, 'a build that is cut short leaves the old one');
    await removeLeftovers(distDir);
    assert.deepEqual(await building(), []);
  }
});

test('a broken build.json counts as none', async () => {
  const { environment, distDir } = await prepare('broken');
  await mkdir(distDir);
  await writeFile(join(distDir, 'build.json'), '{"id": "');
  const service = start(environment);
  await untilTrue(async () => service.output().includes('Building'), 'the start of the build');
  assert.match(service.output(), /there is none/);
  service.child.kill('SIGKILL');
  await service.exit(120);
});

test('without a build it builds first, and then serves it', async () => {
  const { environment, origin, distDir } = await prepare('first');
  const service = start(environment);
  await service.serving();
  assert.match(service.output(), /Building the site for .*there is none/);
  const page = await exchange(origin, { target: '/about' });
  assert.equal(page.status, 200);
  assert.ok(page.body.equals(await readFile(join(distDir, 'client', 'about.html'))));
  assert.ok(page.body.includes(`<link rel="canonical" href="${origin}/about">`), 'with links for its own address');
  const [, peak = ''] = /^VmHWM:\s*(\d+) kB$/m.exec(await readFile(`/proc/${service.child.pid}/status`, 'utf8')) ?? [];
  assert.ok(Number(peak) < 500_000, `the memory of the builder is not its own: it used up to ${peak} kB`);
  service.child.kill('SIGTERM');
  assert.equal(await service.exit(10), 0);
});
