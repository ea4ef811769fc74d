import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildSite } from './build.ts';
import { projectDir } from './support/build/stamp.ts';
import { freePort, startNginx, waitFor } from './support/nginx.ts';
import { provideRequirements } from './support/requirements.ts';

/**
 * The test command: brings what the tests need, builds the site for a free port, starts the service and a real nginx
 * before it, and runs the tests. Arguments are test files; without any, all run.
 */
async function main(files: string[]): Promise<number> {
  provideRequirements();
  const [port, nginxPort] = [await freePort(), await freePort()];
  const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-test-'));
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    // Inside the project, so that what the built server imports is found; apart from the owner's own build.
    DIST_DIR: join(projectDir, 'node_modules', '.cache', 'porchlight-test'),
    TRUST_PROXY: 'loopback',
    NGINX_LISTEN: `127.0.0.1:${nginxPort}`,
    LOG_LEVEL: 'warn',
    // So that tests can have the site audit itself.
    AUDIT_ALLOW_HOSTS: `127.0.0.1:${port}`,
    SITE_NAME: 'Porchlight',
    OWNER_NAME: 'the test owner',
    CONTACT: 'owner@example.com',
    TEST_SITE_URL: `http://127.0.0.1:${port}`,
    TEST_NGINX_URL: `http://127.0.0.1:${nginxPort}`,
  };
  const config = readConfig(environment);
  Object.assign(process.env, environment);
  const started: { stop(): Promise<void> }[] = [];
  try {
    console.log(`Building the site for ${config.baseUrl} …`);
    await buildSite(config);
    const service = spawn(process.execPath, ['scripts/start.ts'], {
      cwd: projectDir,
      env: environment,
      stdio: 'inherit',
    });
    started.push(stopping(service));
    await waitFor(`${config.baseUrl}/api/health`);
    started.push(
      await startNginx(join(config.distDir, 'nginx.conf'), dataDir, `http://127.0.0.1:${nginxPort}/llms.txt`),
    );
    const patterns = files.length > 0 ? files : ['test/**/*.test.ts'];
    const runner = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=300000', ...patterns], {
      cwd: projectDir,
      env: environment,
      stdio: 'inherit',
    });
    const [code] = (await once(runner, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    for (const each of started.toReversed()) {
      await each.stop();
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

const stopping = (child: ChildProcess): { stop(): Promise<void> } => ({
  stop: async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  },
});

process.exitCode = await main(process.argv.slice(2));
