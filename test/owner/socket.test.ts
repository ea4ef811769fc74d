import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ownerActions } from '#api/owner/actions.ts';
import { ownerCommand } from '../../scripts/owner.ts';
import { runHere, runNode } from '../support/command.ts';
import { listAt } from '../support/guestbook-client.ts';
import { env, folder, origin, script, socket } from './served.ts';

test('the socket is there for its user alone, and nothing of it is reachable over the network', async () => {
  const { mode } = await stat(socket);
  assert.equal(mode & 0o777, 0o600);
  assert.ok((await stat(socket)).isSocket());
  for (const name of Object.keys(ownerActions)) {
    for (const path of [`/${name}`, `/owner/${name}`, `/api/owner/${name}`]) {
      const response = await fetch(`${origin}${path}`, { method: 'POST', body: '{}' });
      assert.ok([404, 405].includes(response.status), `${path} answered ${response.status}`);
    }
  }
});

test('as a process it writes the same, and its exit code says how it ended', async () => {
  const [keys, missing, wrong] = await Promise.all([
    runNode(script, ['keys'], { env }),
    runNode(script, ['clear', '0123456789ab'], { env }),
    runNode(script, ['paint'], { env }),
  ]);
  assert.deepEqual(keys, { code: 0, stdout: 'No key is trusted.\n', stderr: '' });
  assert.deepEqual([missing.code, missing.stdout], [1, '']);
  assert.match(missing.stderr, /no entry 0123456789ab/);
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /no command "paint".*\nRun npm run owner -- --help for the usage\.\n$/);
});

test('without a service it says how to start one', async () => {
  const { code, stderr } = await runHere(ownerCommand, ['list'], { cwd: folder, env: { DATA_DIR: folder } });
  assert.equal(code, 1);
  assert.match(stderr, /No service runs on the data folder .*npm start/);
});

test('garbage on the socket is answered with an error, and the service lives on', async () => {
  const answer = await new Promise<{ status: number | undefined }>((resolve, reject) => {
    ask({ socketPath: socket, path: '/label', method: 'POST' }, (response) => {
      response.resume();
      resolve({ status: response.statusCode });
    })
      .on('error', reject)
      .end('{"id":');
  });
  assert.equal(answer.status, 400);
  const raw = connect(socket);
  raw.on('error', () => undefined);
  raw.end('\u0000\u0000 not HTTP\r\n\r\n');
  await new Promise((resolve) => raw.once('close', resolve).resume());
  assert.equal((await listAt(origin)).status, 200);
});
