import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../scripts/support/ports.ts';
import { listAt, signAt, withdrawAt } from '../support/guestbook-client.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'guestbook-killed-'));
const children = new Set<ChildProcess>();
after(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the API on the data folder of this file; it is up when this resolves. */
async function start(): Promise<{ origin: string; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'api-process.ts')], {
    env: {
      ...process.env,
      ...{ PORT: String(port), HOST: '127.0.0.1', BASE_URL: `http://127.0.0.1:${port}` },
      ...{ DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const [said] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  assert.equal(String(said).trim(), 'up', 'the service starts on what the killed one left behind');
  return { origin: `http://127.0.0.1:${port}`, child };
}

/** kill -9, and waits until the process is gone. */
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  children.delete(child);
}

/** What the service has told its clients. */
interface Told {
  /** Acknowledged entries and their tokens. */
  written: Map<string, string>;
  /** Entries whose withdrawal was acknowledged, and those whose withdrawal was asked for. */
  withdrawn: Set<string>;
  asked: Set<string>;
}

/** Writes and withdraws until the connection breaks. */
async function writeUntilKilled(origin: string, writer: number, told: Told): Promise<void> {
  for (let count = 0; ; count += 1) {
    const { status, body } = await signAt(origin, { name: `Writer ${writer}`, message: `Message ${count}` });
    assert.equal(status, 201);
    told.written.set(body.id, String(body.withdrawal_token));
    if (count % 3 === 2) {
      told.asked.add(body.id);
      assert.equal((await withdrawAt(origin, body.id, String(body.withdrawal_token))).status, 200);
      told.withdrawn.add(body.id);
    }
  }
}

/** Waits until the writers have been told of so many further entries, then a moment more. */
async function untilTold(told: Told, entries: number): Promise<void> {
  for (const enough = told.written.size + entries; told.written.size < enough; ) {
    await wait(1);
  }
  await wait(Math.random() * 10);
}

const rounds = 20;

test(`kill -9 under concurrent writes, ${rounds} rounds: what was acknowledged is there, what was withdrawn is not`, async (t) => {
  const told: Told = { written: new Map(), withdrawn: new Set(), asked: new Set() };
  for (let round = 0; round <= rounds; round += 1) {
    const { origin, child } = await start();
    const { entries, totals } = (await listAt(origin)).body;
    const kept = new Set(entries.map(({ id }) => id));
    assert.ok(totals.total < 500, 'few enough that none was pushed out');
    for (const id of told.written.keys()) {
      assert.ok(kept.has(id) || told.asked.has(id), `round ${round}: the acknowledged entry ${id} is lost`);
    }
    for (const id of told.withdrawn) {
      assert.ok(!kept.has(id), `round ${round}: the withdrawn entry ${id} came back`);
    }
    // Makes room, and shows that the tokens survived too.
    const removed = [...told.written].filter(([id]) => kept.has(id));
    await Promise.all(
      removed.map(async ([id, token]) => {
        told.asked.add(id);
        assert.equal((await withdrawAt(origin, id, token)).status, 200);
        told.withdrawn.add(id);
      }),
    );
    if (round < rounds) {
      const writers = Array.from({ length: 8 }, (_, writer) =>
        writeUntilKilled(origin, writer, told).catch((error: unknown) => {
          // The connection that the kill broke; anything else is a failure.
          assert.ok(error instanceof TypeError || error instanceof SyntaxError, String(error));
        }),
      );
      await untilTold(told, 4 + Math.floor(Math.random() * 24));
      await kill(child);
      await Promise.all(writers);
    } else {
      await kill(child);
    }
  }
  t.diagnostic(
    `${told.written.size} writes and ${told.withdrawn.size} withdrawals were acknowledged in ${rounds} rounds`,
  );
});

test('a second service on the same data folder is refused, and the first goes on', async () => {
  const { origin, child } = await start();
  const port = await freePort();
  const second = spawn(process.execPath, [join(import.meta.dirname, 'api-process.ts')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  second.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(second, 'close');
  assert.equal(code, 1);
  assert.match(said, /guestbook\.json\.lock is locked: another process uses these files/);
  assert.equal((await listAt(origin)).status, 200);
  await kill(child);
});
