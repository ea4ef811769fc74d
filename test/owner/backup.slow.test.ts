import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { ownerCommand } from '../../scripts/owner.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { type RunningPostgres, startPostgres } from '../../scripts/support/postgres.ts';
import { restoreBackup } from '../../scripts/support/restore.ts';
import { listAt, signAt, withdrawAt } from '../support/guestbook-client.ts';
import { noLimits } from '../support/limits.ts';
import { withoutSite } from '../support/without-site.ts';

const folder = await mkdtemp(join(tmpdir(), 'backup-'));
const postgres: RunningPostgres = await startPostgres();
after(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string>) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = readConfig({
    PORT: String(port),
    BASE_URL: 'http://backup.example',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const service = await startService(config, { openSite: async () => withoutSite, limits: noLimits });
  return { origin, config, stop: () => service.stop() };
}

const owner = async (environment: Record<string, string>, ...args: string[]): Promise<number> =>
  ownerCommand(args, {
    env: environment,
    cwd: folder,
    isWatched: false,
    hasColours: false,
    out: () => undefined,
    error: (text) => process.stderr.write(text),
  });

test('write, back up under load, destroy, restore into a database, back into files: nothing is lost on the way', async () => {
  const first = { DATA_DIR: join(folder, 'first') };
  const service = await start(first);
  const written = await signAt(service.origin, { name: 'Zoë', message: 'Kept.\nWith a second line.' });
  let isOver = false;
  const load = (async () => {
    for (let count = 0; !isOver; count += 1) {
      await signAt(service.origin, { name: 'Load', message: `Number ${count}` });
    }
  })();
  assert.equal(await owner(first, 'trust', 'C'.repeat(43), '--owner', 'somebody'), 0);
  assert.equal(await owner(first, 'backup', 'saved'), 0);
  isOver = true;
  await load;
  const saved = join(folder, 'saved');
  for (const name of await readdir(saved)) {
    assert.equal((await stat(join(saved, name))).mode & 0o777, 0o600, name);
  }
  const kept = JSON.parse(await readFile(join(saved, 'guestbook.json'), 'utf8')).state.records as {
    entry: { id: string };
  }[];
  await service.stop();

  const second = { DATA_DIR: join(folder, 'second'), DATABASE_URL: await postgres.createDatabase() };
  assert.equal(await owner(second, 'restore', 'saved'), 0);
  await assert.rejects(restoreBackup(saved, readConfig(second)), /not empty. Nothing was changed/);
  const moved = await start(second);
  const ids = (await listAt(moved.origin)).body.entries.map(({ id }) => id);
  assert.deepEqual(
    ids,
    kept.map(({ entry }) => entry.id),
  );
  assert.ok(ids.includes(written.body.id));
  assert.equal(await owner(second, 'backup', 'again'), 0);
  await moved.stop();

  const third = { DATA_DIR: join(folder, 'third') };
  assert.equal(await owner(third, 'restore', 'again'), 0);
  await assert.rejects(restoreBackup(saved, readConfig(third)), /not empty. Nothing was changed/);
  for (const name of ['guestbook.json', 'trusted-keys.json', 'directory.json', 'site-key.pem', 'payment-secret.json']) {
    assert.equal(await readFile(join(folder, 'again', name), 'utf8'), await readFile(join(saved, name), 'utf8'), name);
  }
  const back = await start(third);
  assert.deepEqual(
    (await listAt(back.origin)).body.entries.map(({ id }) => id),
    ids,
  );
  const { id, withdrawal_token } = written.body;
  assert.equal(
    (await withdrawAt(back.origin, id, String(withdrawal_token))).status,
    200,
    'tokens are good after both moves',
  );
  await back.stop();
});

test('a backup that is damaged or cut short is refused, and a running service is left alone', async () => {
  const environment = { DATA_DIR: join(folder, 'running') };
  const service = await start(environment);
  assert.equal(await owner(environment, 'backup', 'whole'), 0);
  const whole = join(folder, 'whole');
  await assert.rejects(restoreBackup(whole, service.config), /not empty/);
  await writeFile(join(whole, 'directory.json'), '{"version":1,"state":{"listings":[]} }');
  await assert.rejects(
    restoreBackup(whole, readConfig({ DATA_DIR: join(folder, 'other') })),
    /directory\.json of the backup is damaged/,
  );
  await rm(join(whole, 'backup.json'));
  await assert.rejects(restoreBackup(whole, readConfig({ DATA_DIR: join(folder, 'other') })), /no whole backup/);
  await service.stop();
});
