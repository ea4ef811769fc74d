import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** Listens on the socket that it's given, and then takes no connection. */
const busyService = `
  const { listen } = await import('./api/http/listen.ts');
  await listen(() => {}, { host: '', port: 0, listenFd: 3, baseUrl: 'http://localhost' });
  console.log('listening');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
`;

/** The file descriptor of a socket that listens, which Node keeps to itself. */
const fdOf = (server: Server): number => (server as Server & { _handle: { fd: number } })._handle.fd;

test('as many connections wait for a busy service as its socket unit says', async () => {
  const unit = readFileSync(join(root, 'deploy/porchlight.socket'), 'utf8');
  const waiting = Number(/^Backlog=(\d+)$/m.exec(unit)?.[1]);
  const opened = createServer().listen(0, '127.0.0.1');
  await once(opened, 'listening');
  const address = opened.address();
  assert.ok(address !== null && typeof address === 'object');
  const service = spawn(process.execPath, ['--input-type=module', '--eval', busyService], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', fdOf(opened)],
  });
  opened.close();
  assert.ok(service.stdout);
  await once(service.stdout, 'data');
  const sockets = Array.from({ length: waiting }, () => connect(address.port, '127.0.0.1'));
  try {
    const connected = await Promise.all(
      sockets.map((socket) =>
        once(socket, 'connect', { signal: AbortSignal.timeout(5000) }).then(Boolean, () => false),
      ),
    );
    assert.equal(connected.filter(Boolean).length, waiting);
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
    service.kill('SIGKILL');
  }
});
