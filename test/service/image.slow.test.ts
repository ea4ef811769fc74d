import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../scripts/support/ports.ts';
import { signAt } from '../support/guestbook-client.ts';

/*
 * The Dockerfile, built and run by buildah. No registry is asked: both base images are made here from nothing, with this
 * machine's Node, the libraries that it needs, and what the build stage calls. Its `npm ci` finds the packages of this checkout.
 */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'porchlight-image-'));
const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];
const maxBytes = 350_000_000;
/** Hundreds of files are open at once while the site is built. */
const isolated = ['--isolation', 'chroot', '--ulimit', 'nofile=16384'];

const buildah = (...args: string[]): string =>
  execFileSync('buildah', [...storage, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

after(() => {
  spawnSync('buildah', [...storage, 'rm', '--all']);
  spawnSync('buildah', [...storage, 'rmi', '--all', '--force']);
  spawnSync('umount', [join(folder, 'root', 'overlay')]);
  rmSync(folder, { recursive: true, force: true });
});

/** Why no container can be made here, or null. It takes the right to mount, which many sandboxes don't give. */
function whyNot(): string | null {
  const made = spawnSync('buildah', [...storage, 'from', 'scratch'], { encoding: 'utf8' });
  const mounted = made.status === 0 ? spawnSync('buildah', [...storage, 'mount', made.stdout.trim()]) : made;
  return mounted.status === 0 ? null : `buildah can't make a container here: ${mounted.stderr || mounted.error}`;
}

/** Copies programs into a folder, with the libraries that they load. */
function provide(
  target: string,
  programs: readonly [from: string, to: string][],
  libraries: readonly string[] = [],
): void {
  const copy = (from: string, to: string): void => {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(target, to));
  };
  for (const [from, to] of programs) {
    const loaded = execFileSync('ldd', [realpathSync(from)], { encoding: 'utf8' }).matchAll(/(?:=> )?(\/\S+) \(/g);
    copy(from, to);
    for (const [, library = ''] of loaded) {
      copy(library, library);
    }
  }
  const [libc = ''] = /\/\S*libc\.so\.6/.exec(execFileSync('ldd', ['/bin/sh'], { encoding: 'utf8' })) ?? [];
  for (const name of libraries) {
    copy(join(dirname(libc), name), join(dirname(libc), name));
  }
  mkdirSync(join(target, 'tmp'));
  chmodSync(join(target, 'tmp'), 0o1777);
}

/** Makes the image of a name from a folder. */
function makeBase(name: string, content: string, config: readonly string[]): void {
  const container = buildah('from', 'scratch');
  buildah('copy', container, content, '/');
  buildah('config', ...config, container);
  buildah('commit', '--quiet', '--rm', container, name);
}

function makeBases(): void {
  const [build, run] = [join(folder, 'build'), join(folder, 'service')];
  const node = process.execPath;
  provide(
    build,
    [
      [node, '/usr/local/bin/node'],
      ...['sh', 'cp', 'mkdir'].map((name): [string, string] => [`/bin/${name}`, `/bin/${name}`]),
    ],
    // Of the C library, loaded by packages.
    ['librt.so.1', 'libresolv.so.2'],
  );
  writeFileSync(join(build, 'usr/local/bin/npm'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  provide(run, [[node, '/nodejs/bin/node']]);
  const [first = '', last = ''] = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
    ([, name]) => name,
  );
  makeBase(`docker.io/library/${first}`, build, ['--env', 'PATH=/usr/local/bin:/bin']);
  makeBase(last, run, ['--user', '65532', '--entrypoint', '["/nodejs/bin/node"]']);
}

/** What the image says about how it's run, in Docker's form. */
interface ImageConfig {
  User: string;
  WorkingDir: string;
  Entrypoint: string[];
  Cmd: string[];
  Env: string[];
  StopSignal: string;
  Healthcheck: { Test: string[] };
}

/** The process with this command among the descendants of another. */
function findDescendant(parent: number, command: string): number | null {
  const children = readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  for (const child of children) {
    const line = readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const found = line === command ? child : findDescendant(child, command);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

test('the image is small, its user can write nothing but the state, it tells its health, and it ends at SIGTERM', async (t) => {
  const obstacle = whyNot();
  if (obstacle !== null) {
    t.skip(obstacle);
    return;
  }
  makeBases();
  const packages = `${join(root, 'node_modules')}:/app/node_modules:O`;
  const origin = 'http://image.example';
  buildah(
    ...['bud', '--quiet', '--pull-never', '--format', 'docker', ...isolated],
    ...['--volume', packages, '--build-arg', `BASE_URL=${origin}`, '--build-arg', 'OWNER_NAME=Ada Lovelace'],
    ...['--tag', 'porchlight', '.'],
  );
  const container = buildah('from', '--pull-never', 'localhost/porchlight');
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/porchlight')) as {
    Docker: { config: ImageConfig };
  };
  const { User, WorkingDir, Entrypoint, Cmd, Env, StopSignal, Healthcheck } = Docker.config;
  assert.deepEqual([User, WorkingDir, StopSignal], ['65532', '/app', 'SIGTERM']);
  assert.ok(Env.includes(`BASE_URL=${origin}`));
  assert.ok(Env.includes('OWNER_NAME=Ada Lovelace'));

  const bytes = Number(execFileSync('du', ['-sb', buildah('mount', container)], { encoding: 'utf8' }).split('\t')[0]);
  t.diagnostic(`${Math.round(bytes / 1_000_000)} MB`);
  assert.ok(bytes < maxBytes, `${bytes} bytes`);

  const [port, metricsPort] = [await freePort(), await freePort()];
  const settings = { PORT: port, HOST: '127.0.0.1', METRICS_LISTEN: `127.0.0.1:${metricsPort}`, DRAIN_SECONDS: 1 };
  const variables = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const run = (...command: string[]) => ['run', '--isolation', 'chroot', ...variables, container, '--', ...command];
  const [node = ''] = Entrypoint;
  const [, ...health] = Healthcheck.Test;

  const look = `
    const { accessSync, constants, lstatSync, readdirSync, statSync, writeFileSync } = require('node:fs');
    const writable = [];
    const walk = (path) => {
      try { accessSync(path, constants.W_OK); writable.push(path); } catch {}
      if (lstatSync(path).isDirectory()) readdirSync(path).forEach((name) => walk(path + '/' + name));
    };
    walk('/app');
    writeFileSync('/data/probe', '');
    const { uid, mode } = statSync('/data');
    console.log(JSON.stringify({ user: process.getuid(), group: process.getgid(), writable, state: [uid, mode & 0o777] }));`;
  const seen = JSON.parse(buildah(...run(node, '-e', look)));
  assert.equal(seen.user, 65532);
  assert.deepEqual(seen.writable, []);
  assert.deepEqual(seen.state, [65532, 0o700], 'nobody else reads the state');

  assert.equal(spawnSync('buildah', [...storage, ...run(...health)]).status, 1, 'not healthy before it runs');
  const begin = performance.now();
  const service = spawn('buildah', [...storage, ...run(node, ...Cmd)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(service, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${metricsPort}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    assert.equal(service.exitCode, null, 'it runs');
    await wait(20);
  }
  t.diagnostic(`ready after ${Math.round(performance.now() - begin)} ms`);
  assert.equal(spawnSync('buildah', [...storage, ...run(...health)]).status, 0, 'healthy while it runs');
  const { status } = await signAt(`http://127.0.0.1:${port}`, { name: 'Image', message: 'Written in a container.' });
  assert.equal(status, 201);
  const about = await (await fetch(`http://127.0.0.1:${port}/about`, { headers: { accept: 'text/html' } })).text();
  assert.match(about, /Ada Lovelace/, 'the settings of the build are in its pages');
  const main = findDescendant(service.pid ?? 0, [node, ...Cmd].join(' '));
  assert.ok(main !== null);
  process.kill(main, 'SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
