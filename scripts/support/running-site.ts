import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildWhenNeeded } from './build/build-when-needed.ts';
import { projectDir } from './build/stamp.ts';
import { startNginx } from './nginx.ts';
import { freePort, waitFor } from './ports.ts';

// Inside the project, so that what the built server imports is found; apart from the owner's own build.
const distDir = join(projectDir, 'node_modules', '.cache', 'porchlight-test');
const portsFile = `${distDir}.ports.json`;

interface Ports {
  service: number;
  nginx: number;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** The ports of the last run if they are free: a build is made for one address, and is used again for it. */
async function choosePorts(): Promise<Ports> {
  try {
    const last = JSON.parse(await readFile(portsFile, 'utf8')) as Ports;
    if ((await isFree(last.service)) && (await isFree(last.nginx))) {
      return last;
    }
  } catch {
    // There was no run before this one.
  }
  const ports = { service: await freePort(), nginx: await freePort() };
  await mkdir(join(distDir, '..'), { recursive: true });
  await writeFile(portsFile, JSON.stringify(ports));
  return ports;
}

/** The site that tests run against: built, served by the server alone and by an nginx before it. */
export interface RunningSite extends AsyncDisposable {
  /** The environment of the server, with the addresses of both fronts as TEST_SITE_URL and TEST_NGINX_URL. */
  environment: NodeJS.ProcessEnv;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/** Builds the site when its sources have changed, and starts the server and nginx on a data folder of their own. */
export async function startSite(): Promise<RunningSite> {
  const ports = await choosePorts();
  const [siteUrl, nginxUrl] = [`http://127.0.0.1:${ports.service}`, `http://127.0.0.1:${ports.nginx}`];
  await using started = new AsyncDisposableStack();
  const data = started.use(await mkdtempDisposable(join(tmpdir(), 'porchlight-test-')));
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(ports.service),
    HOST: '127.0.0.1',
    BASE_URL: siteUrl,
    DATA_DIR: data.path,
    DIST_DIR: distDir,
    TRUST_PROXY: 'loopback',
    NGINX_LISTEN: `127.0.0.1:${ports.nginx}`,
    LOG_LEVEL: 'warn',
    // So that tests can have the site audit itself.
    AUDIT_ALLOW_HOSTS: `127.0.0.1:${ports.service}`,
    SITE_NAME: 'Porchlight',
    OWNER_NAME: 'the test owner',
    CONTACT: 'owner@example.com',
    TEST_SITE_URL: siteUrl,
    TEST_NGINX_URL: nginxUrl,
  };
  const config = readConfig(environment);
  await buildWhenNeeded(config, environment);
  const service = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: projectDir,
    env: environment,
    stdio: 'inherit',
  });
  started.defer(() => stopProcess(service));
  await waitFor(`${siteUrl}/api/health`);
  started.adopt(await startNginx(join(distDir, 'nginx.conf'), data.path, `${nginxUrl}/llms.txt`), (nginx) =>
    nginx.stop(),
  );
  return Object.assign(started.move(), { environment });
}
