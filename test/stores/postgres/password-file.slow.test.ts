import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { openDatabase } from '#api/stores/postgres/database.ts';
import { ownerCommand } from '../../../scripts/owner.ts';
import { freePort } from '../../../scripts/support/ports.ts';
import { type RunningPostgres, startPostgres } from '../../../scripts/support/postgres.ts';
import { listAt, signAt } from '../../support/guestbook-client.ts';
import { withoutSite } from '../../support/without-site.ts';

/* What asks for a password here is the database: it trusts nobody but the user who prepares it. */

const folder = mkdtempSync(join(tmpdir(), 'password-file-'));
const file = join(folder, 'password');
let postgres: RunningPostgres;

before(async () => {
  postgres = await startPostgres();
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const answers: unknown[] = [];
    for (const statement of statements) {
      answers.push(...(await client.query(statement)).rows);
    }
    return answers;
  } finally {
    await client.end();
  }
}

/** An empty database of a user who has to give a password, as an address without it. */
async function createGuarded(user: string, password: string): Promise<string> {
  const url = await postgres.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const [row] = await ask(url, `create role ${user} login password ${quoted(password)}`, 'show hba_file');
  const { hba_file: rules } = row as { hba_file: string };
  writeFileSync(rules, 'local all porchlight trust\nlocal all all scram-sha-256\n');
  await ask(url, `alter database ${database} owner to ${user}`, 'select pg_reload_conf()');
  return url.replace('porchlight@', `${user}@`);
}

const refusal = async (opening: Promise<{ close(): Promise<void> }>): Promise<string> => {
  const opened = await opening.catch((error: Error) => error);
  if (opened instanceof Error) {
    return opened.message;
  }
  await opened.close();
  return 'none';
};

const warn = (): void => undefined;

test('the database is opened by the password of the file, whatever characters it has', async () => {
  const passwords = ['0123abcdef', 'a b+c%20d%', "?#&=@:/\\'“ü", '  at both ends  '];
  for (const [number, password] of passwords.entries()) {
    const url = await createGuarded(`guarded_${number}`, password);
    assert.match(await refusal(openDatabase({ url, warn })), /^The database of DATABASE_URL cannot be used/);
    for (const text of [password, `${password}\n`]) {
      writeFileSync(file, text);
      assert.equal(await refusal(openDatabase({ url, passwordFile: file, warn })), 'none', JSON.stringify(text));
    }
    writeFileSync(file, `${password}x`);
    assert.match(
      await refusal(openDatabase({ url, passwordFile: file, warn })),
      /^The database of DATABASE_URL cannot/,
    );
  }
});

test('a password that is empty or cannot be read is told by its file, without asking the database', async () => {
  const url = 'postgres://porch@127.0.0.1:1/porch';
  writeFileSync(file, '\n');
  assert.equal(
    await refusal(openDatabase({ url, passwordFile: file, warn })),
    `The password of the database ${file} is empty.`,
  );
  const absent = join(folder, 'absent');
  assert.equal(
    await refusal(openDatabase({ url, passwordFile: absent, warn })),
    `The password of the database ${absent} cannot be read (ENOENT).`,
  );
});

test('the service, its backup and the restore into an empty database take the password from the file', async () => {
  const password = 'p%w d';
  writeFileSync(file, password);
  const environmentOf = async (user: string): Promise<Record<string, string>> => ({
    ...{ PORT: String(await freePort()), BASE_URL: 'http://password.example', LOG_LEVEL: 'silent' },
    ...{ DATA_DIR: join(folder, user), DATABASE_PASSWORD_FILE: file },
    DATABASE_URL: await createGuarded(user, password),
  });
  const owner = (env: Record<string, string>, ...args: string[]): Promise<number> =>
    ownerCommand(args, {
      ...{ env, cwd: folder, isWatched: false, hasColours: false },
      out: () => undefined,
      error: (text) => process.stderr.write(text),
    });
  const serve = async (env: Record<string, string>) => {
    const service = await startService(readConfig(env), { openSite: async () => withoutSite });
    return { origin: `http://127.0.0.1:${env['PORT']}`, stop: () => service.stop() };
  };
  const first = await environmentOf('first');
  const service = await serve(first);
  const { body } = await signAt(service.origin, { name: 'Guest', message: 'Behind a password.' });
  assert.equal(await owner(first, 'backup', 'saved'), 0);
  await service.stop();

  const second = await environmentOf('second');
  assert.equal(await owner(second, 'restore', 'saved'), 0);
  const restored = await serve(second);
  assert.deepEqual(
    (await listAt(restored.origin)).body.entries.map(({ id }) => id),
    [body.id],
  );
  await restored.stop();
});
