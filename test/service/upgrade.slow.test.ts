import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { readConfig } from '#api/config.ts';
import type { Receipt } from '#api/guestbook/write.ts';
import { startNginx } from '../../scripts/support/nginx.ts';
import { freePort, waitFor } from '../../scripts/support/ports.ts';
import { startPostgres } from '../../scripts/support/postgres.ts';
import { listAt } from '../support/guestbook-client.ts';

/*
 * Upgrades as docs/operating.md describes them: systemd keeps the socket of an instance open while the instance is replaced.
 * What systemd does is done here by a small program (sd_listen_fds(3)).
 */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'porchlight-upgrade-'));
const keepers: ChildProcess[] = [];
after(() => {
  for (const keeper of keepers) {
    keeper.kill('SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a socket, and for each line that it reads starts the program with it, in place of the one that runs. */
const socketKeeper = `
import os, signal, socket, sys
port, *program = sys.argv[1:]
opened = socket.socket()
opened.bind(('127.0.0.1', int(port)))
opened.listen(1024)
os.dup2(opened.fileno(), 3)
os.set_inheritable(3, True)
running = None
for _ in sys.stdin:
    if running:
        os.kill(running, signal.SIGTERM)
        print('ended', os.waitstatus_to_exitcode(os.waitpid(running, 0)[1]), flush=True)
    running = os.fork()
    if running == 0:
        os.execve(program[0], program, {**os.environ, 'LISTEN_FDS': '1', 'LISTEN_PID': str(os.getpid())})
if running:
    os.kill(running, signal.SIGTERM)
`;

interface Instance {
  port: number;
  /** Starts the service, or replaces the one that runs. Resolves when the new one answers, with the exit code of the former. */
  replace(): Promise<number | null>;
}

async function keepSocket(name: string, environment: Record<string, string>): Promise<Instance> {
  const port = await freePort();
  const child = spawn('python3', ['-c', socketKeeper, String(port), process.execPath, 'scripts/start.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ DATA_DIR: join(folder, name), BUILD: 'never', LOG_LEVEL: 'silent', TRUST_PROXY: 'loopback' },
      // The socket counts, and not what is configured.
      ...{ PORT: '1', BASE_URL: readConfig().baseUrl, DIST_DIR: readConfig().distDir },
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  keepers.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let isRunning = false;
  const said = async (): Promise<string> => String((await lines.next()).value);
  return {
    port,
    async replace() {
      child.stdin.write('next\n');
      let code: number | null = null;
      if (isRunning) {
        code = Number(/^ended (-?\d+)$/.exec(await said())?.[1]);
      }
      isRunning = true;
      assert.match(await said(), /Porchlight is at/);
      await waitFor(`http://127.0.0.1:${port}/api/health`);
      return code;
    },
  };
}

/** Sends requests one after the other, each on a connection of its own, until it is told to stop. */
function load(origin: string, number: number) {
  const acknowledged: string[] = [];
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const agent = new Agent({ keepAlive: false });
  const ask = async (method: string, path: string, client: string): Promise<void> => {
    const sent = request(`${origin}${path}`, {
      ...{ method, agent },
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    });
    sent.end(method === 'POST' ? JSON.stringify({ name: `Writer ${number}`, message: 'Written meanwhile.' }) : '');
    try {
      const [response] = await once(sent, 'response');
      const body = Buffer.concat(await response.toArray()).toString();
      answered += 1;
      if (response.statusCode === 201) {
        acknowledged.push((JSON.parse(body) as Receipt).id);
      } else if (response.statusCode !== 200) {
        failed.push(`${method} ${path}: ${response.statusCode}`);
      }
    } catch (error) {
      failed.push(`${method} ${path}: ${error}`);
    }
  };
  const running = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const client = `10.${number}.${(turn >> 8) % 256}.${turn % 256}`;
      await ask('GET', ['/about', '/guestbook', '/api/guestbook?limit=1'][turn % 3] ?? '', client);
      if (turn % 8 === 0) {
        await ask('POST', '/api/guestbook', client);
      }
    }
  })();
  return {
    /** Resolves when so many more requests were answered. */
    async more(count: number): Promise<void> {
      for (const end = answered + count; answered < end; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop() {
      isOver = true;
      await running;
      return { acknowledged, failed };
    },
  };
}

async function upgradeUnderLoad(instances: Instance[]): Promise<void> {
  for (const instance of instances) {
    await instance.replace();
  }
  const port = await freePort();
  const configuration = join(folder, `front-${port}.conf`);
  writeFileSync(
    configuration,
    `upstream instances { ${instances.map((each) => `server 127.0.0.1:${each.port};`).join(' ')} }
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://instances;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $http_x_forwarded_for;
    proxy_read_timeout 120s;
  }
}
`,
  );
  const origin = `http://127.0.0.1:${port}`;
  const nginx = await startNginx(configuration, folder, `${origin}/api/health`);
  try {
    const clients = Array.from({ length: 12 }, (_, number) => load(origin, number));
    const codes: (number | null)[] = [];
    const everybodyGoesOn = () => Promise.all(clients.map((client) => client.more(10)));
    for (const instance of [...instances, ...instances]) {
      await everybodyGoesOn();
      codes.push(await instance.replace());
    }
    await everybodyGoesOn();
    const results = await Promise.all(clients.map((client) => client.stop()));
    assert.deepEqual(
      results.flatMap(({ failed }) => failed),
      [],
    );
    assert.deepEqual(new Set(codes), new Set([0]), 'each ended in the normal way');
    const acknowledged = results.flatMap((result) => result.acknowledged);
    const { body } = await listAt(origin);
    const listed = new Set(body.entries.map(({ id }) => id));
    assert.ok(body.totals.total < 500 || acknowledged.length > 500, 'few enough that none was pushed out');
    if (acknowledged.length <= 500) {
      assert.deepEqual(
        acknowledged.filter((id) => !listed.has(id)),
        [],
      );
    }
  } finally {
    await nginx.stop();
  }
}

test('an instance on files is replaced under load, and no request is refused', async () => {
  await upgradeUnderLoad([await keepSocket('files', {})]);
});

test('two instances on PostgreSQL are replaced one after the other under load, and no request is refused', async () => {
  const postgres = await startPostgres();
  try {
    const DATABASE_URL = await postgres.createDatabase();
    await upgradeUnderLoad([
      await keepSocket('one', { DATABASE_URL, INSTANCE: 'one' }),
      await keepSocket('two', { DATABASE_URL, INSTANCE: 'two' }),
    ]);
  } finally {
    for (const keeper of keepers.splice(0)) {
      keeper.stdin?.end();
      await once(keeper, 'exit');
    }
    await postgres.stop();
  }
});

test('the socket of another process is not taken for ours', () => {
  const passed = { LISTEN_FDS: '1', LISTEN_PID: String(process.pid) };
  assert.equal(readConfig(passed).listenFd, 3);
  assert.equal(readConfig({ ...passed, LISTEN_PID: String(process.ppid) }).listenFd, null);
  assert.equal(readConfig({}).listenFd, null);
});
