import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '#api/config.ts';
import { pageSettings } from '../../scripts/support/build/stamp.ts';
import { freePort, waitFor } from '../../scripts/support/ports.ts';
import { copyRuntime } from '../../scripts/support/runtime-files.ts';
import { signAt } from '../support/guestbook-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'porchlight-runtime-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('what is copied is all that the built service needs, without the packages of the build', async () => {
  await copyRuntime(readConfig().distDir, join(folder, 'app'));
  const packages = readdirSync(join(folder, 'app/node_modules'));
  assert.deepEqual(
    packages.filter((name) => /^(?:\..*|vite|rolldown|esbuild|playwright-core|node-linux-.*)$/.test(name)),
    [],
  );
  const files = readdirSync(join(folder, 'app/node_modules'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((name) => /\.(?:map|d\.[cm]?ts)$/.test(name)),
    [],
  );
  const [port, metricsPort] = [await freePort(), await freePort()];
  const built = Object.values(pageSettings).map((name) => [name, process.env[name]]);
  const environment = {
    ...Object.fromEntries(built),
    ...{ PORT: String(port), HOST: '127.0.0.1', BUILD: 'never', LOG_LEVEL: 'silent' },
    ...{ DATA_DIR: join(folder, 'data'), METRICS_LISTEN: `127.0.0.1:${metricsPort}` },
  };
  const start = (script: string) =>
    spawn(process.execPath, [script], { cwd: join(folder, 'app'), env: environment, stdio: 'inherit' });
  const service = start('scripts/start.ts');
  const ended = once(service, 'exit');
  try {
    const origin = `http://127.0.0.1:${port}`;
    await waitFor(`${origin}/api/health`);
    // The page is rendered again, in a thread of its own, and stored.
    assert.equal((await signAt(origin, { name: 'Runtime', message: 'Written by a copy.' })).status, 201);
    assert.match(await (await fetch(`${origin}/guestbook.md`)).text(), /Written by a copy/);
    const [health] = (await once(start('scripts/health.ts'), 'exit')) as [number];
    assert.equal(health, 0);
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
});
