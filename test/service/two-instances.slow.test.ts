import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '#api/config.ts';
import { PaymentRefused } from '#api/payments/payment-refused.ts';
import { createPayments } from '#api/payments/payments.ts';
import { openState, type State } from '#api/state.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { type RunningPostgres, startPostgres } from '../../scripts/support/postgres.ts';
import { goodSite, openSite } from '../audit/sites.ts';
import { entryAt, listAt, signAt, withdrawAt } from '../support/guestbook-client.ts';

let postgres: RunningPostgres;
const folders: string[] = [];
const children = new Set<ChildProcess>();

before(async () => {
  postgres = await startPostgres();
});
after(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  await postgres.stop();
  for (const folder of folders) {
    await rm(folder, { recursive: true, force: true });
  }
});

async function folderOf(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `two-${name}-`));
  folders.push(folder);
  return folder;
}

/** Starts a service of its own on a database; it's up when this resolves. */
async function start(
  url: string,
  program = 'api-process.ts',
  environment: Record<string, string> = {},
): Promise<{ origin: string; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
    env: {
      ...process.env,
      ...{ PORT: String(port), HOST: '127.0.0.1', BASE_URL: 'http://two.example', TRUST_PROXY: 'loopback' },
      ...{ DATA_DIR: await folderOf('data'), DATABASE_URL: url, LOG_LEVEL: 'silent' },
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const [said] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  assert.equal(String(said).trim(), 'up', 'the service starts on the database');
  return { origin: `http://127.0.0.1:${port}`, child };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  children.delete(child);
}

const idsAt = async (origin: string): Promise<string[]> => (await listAt(origin)).body.entries.map(({ id }) => id);

/** Waits until it holds, within a minute: on a busy machine an audit's process, of the lowest priority, takes seconds to load. */
async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await wait(5)) {
    assert.ok(Date.now() < end, `within a minute: ${what}`);
  }
}

describe('two services on one database', async () => {
  let url = '';
  let one: Awaited<ReturnType<typeof start>>;
  let two: Awaited<ReturnType<typeof start>>;
  before(async () => {
    url = await postgres.createDatabase();
    [one, two] = await Promise.all([start(url), start(url)]);
  });

  test('each reads its own write at once, the other one soon, and both have the same list in the same order', async () => {
    const written: string[] = [];
    await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const { origin } = number % 2 === 0 ? one : two;
        const { status, body } = await signAt(origin, { name: `Writer ${number}`, message: `Message ${number}` });
        assert.equal(status, 201);
        assert.equal((await entryAt(origin, body.id)).status, 200);
        written.push(body.id);
      }),
    );
    await until(
      async () => (await idsAt(one.origin)).length === 40 && (await idsAt(two.origin)).length === 40,
      'both have 40',
    );
    assert.deepEqual(await idsAt(one.origin), await idsAt(two.origin));
    assert.deepEqual((await idsAt(one.origin)).toSorted(), written.toSorted());
  });

  test('an idempotency key used over both at once gives one entry', async () => {
    for (let number = 0; number < 15; number += 1) {
      const headers = { 'idempotency-key': `key-${number}` };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          signAt((index % 2 === 0 ? one : two).origin, { name: 'Again', message: `Key ${number}` }, headers),
        ),
      );
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 200, 200, 201]);
    }
  });

  test('an entry signed at one is withdrawn at the other', async () => {
    const { body } = await signAt(one.origin, { name: 'Guest', message: 'Withdrawn elsewhere.' });
    await until(async () => (await entryAt(two.origin, body.id)).status === 200, 'it is there');
    assert.equal((await withdrawAt(two.origin, body.id, String(body.withdrawal_token))).status, 200);
    await until(async () => (await entryAt(one.origin, body.id)).status === 404, 'it is gone');
  });

  test('kill -9 of one in mid-write: what was acknowledged is there, and the other one goes on', async () => {
    const acknowledged: string[] = [];
    let isOver = false;
    let afterwards = 0;
    let isKilled = false;
    const writers = Array.from({ length: 16 }, async (_, number) => {
      const { origin } = number % 2 === 0 ? one : two;
      while (!isOver) {
        const answer = await signAt(origin, { name: `Writer ${number}`, message: 'Until killed.' }).catch(() => null);
        if (answer?.status === 201) {
          acknowledged.push(answer.body.id);
          afterwards += isKilled && origin === two.origin ? 1 : 0;
        } else {
          await wait(10);
        }
      }
    });
    await until(async () => acknowledged.length > 60, 'sixty are written');
    await kill(one.child);
    isKilled = true;
    await until(async () => afterwards > 30, 'the other one writes on');
    isOver = true;
    await Promise.all(writers);
    // The newest 500 are kept; the guestbook was not full.
    const ids = new Set(await idsAt(two.origin));
    const kept = acknowledged.slice(-Math.min(acknowledged.length, 400));
    assert.deepEqual(
      kept.filter((id) => !ids.has(id)),
      [],
    );
    one = await start(url);
    assert.deepEqual(await idsAt(one.origin), await idsAt(two.origin));
  });

  test('the database killed and started again: reads go on, writes say when to come back, nothing is lost', async () => {
    const { body } = await signAt(one.origin, { name: 'Guest', message: 'Before.' });
    await postgres.kill();
    assert.equal((await entryAt(one.origin, body.id)).status, 200);
    const refused = await signAt(one.origin, { name: 'Guest', message: 'Meanwhile.' });
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(refused.body.type, /\/problems\/storage-unavailable$/);
    await postgres.start();
    const back = Date.now();
    await until(
      async () => (await signAt(one.origin, { name: 'Guest', message: 'After.' })).status === 201,
      'writes go on',
    );
    assert.ok(Date.now() - back < 9000);
    await until(async () => (await idsAt(two.origin)).length === (await idsAt(one.origin)).length, 'both agree');
    assert.deepEqual(await idsAt(one.origin), await idsAt(two.origin));
    assert.ok((await idsAt(one.origin)).includes(body.id));
  });

  test('the limit of writes is one for both', async () => {
    const own = await postgres.createDatabase();
    const limited = await Promise.all([start(own, 'limited-process.ts'), start(own, 'limited-process.ts')]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        signAt(
          limited[number % 2]?.origin ?? '',
          { name: 'One', message: `Write ${number}` },
          { 'x-forwarded-for': '192.0.2.9' },
        ),
      ),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([counts.get(201)?.length, counts.get(429)?.length], [10, 20]);
    for (const { headers } of counts.get(429) ?? []) {
      assert.match(headers.get('ratelimit') ?? '', /"write-60"; r=0; t=\d+/);
    }
  });
});

describe('two states on one database', async () => {
  let states: State[] = [];
  const now = (): Date => new Date();
  before(async () => {
    const databaseUrl = await postgres.createDatabase();
    const open = async () =>
      openState(readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: await folderOf('state') }), {
        now,
        warn: () => undefined,
      });
    states = [await open(), await open()];
  });
  after(async () => {
    for (const state of states) {
      await state.close();
    }
  });
  const [first, second] = [() => states[0] as State, () => states[1] as State];

  test('have the same keys', () => {
    assert.deepEqual(first().paymentSecret, second().paymentSecret);
    assert.deepEqual(
      first().siteKey.publicKey.export({ format: 'jwk' }),
      second().siteKey.publicKey.export({ format: 'jwk' }),
    );
  });

  test('15 payments, each used ten times over both, buy 15 deliveries', async () => {
    const shops = [first(), second()].map(({ paymentSecret: secret, paymentsSpent: spent }) =>
      createPayments({ secret, spent, now, payUrl: 'https://two.example/api/pay' }),
    );
    const price = {
      resource: { url: 'https://two.example/x', description: 'a thing', mimeType: 'application/json' },
      amountUsd: '0.01',
    };
    for (let number = 0; number < 15; number += 1) {
      const [shop, other] = shops;
      assert.ok(shop && other);
      const { payment } = other.pay(shop.toPaymentRequired({ ...price, error: 'due' }).quote);
      const uses = await Promise.allSettled(
        Array.from({ length: 10 }, async (_, index) =>
          (index % 2 === 0 ? shop : other).reserve({ xPayment: payment }, price).commit(),
        ),
      );
      assert.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const use of uses) {
        assert.ok(use.status === 'fulfilled' || use.reason instanceof PaymentRefused);
      }
    }
  });

  test('a signature counts once, whichever of them sees it', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const id = 'B'.repeat(43);
    const uses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (index % 2 === 0 ? first() : second()).usedSignatures.record({ id, created: seconds, now: seconds }),
      ),
    );
    assert.deepEqual(
      uses.filter((use) => use === 'first'),
      ['first'],
    );
    assert.equal(uses.filter((use) => use === 'seen').length, 19);
  });

  test('a key trusted at one is trusted at the other; both see the owner’s acts, which nobody can change', async () => {
    const keyid = 'C'.repeat(43);
    await first().ownerLog.append({ by: 'the owner', action: 'trust', entry: keyid, reason: null });
    await first().trustedKeys.add({ keyid, owner: 'somebody', note: null });
    await until(async () => second().trustedKeys.get(keyid) !== null, 'the key is known');
    assert.deepEqual(await second().ownerLog.read(), await first().ownerLog.read());
    assert.equal((await second().ownerLog.read())[0]?.entry, keyid);
    for (const statement of ["update owner_log set by = 'nobody'", 'delete from owner_log']) {
      await assert.rejects(async () => first().shared?.database.query(statement), /only ever added to/);
    }
  });

  test('keys that are given as files are taken from there', async () => {
    const { siteKey } = await openState(readConfig({ DATA_DIR: await folderOf('keys') }), {
      now,
      warn: () => undefined,
    }).then(async (state) => {
      await state.close();
      return state;
    });
    const folder = folders.at(-1) ?? '';
    const databaseUrl = await postgres.createDatabase();
    const state = await openState(
      readConfig({
        DATABASE_URL: databaseUrl,
        DATA_DIR: await folderOf('given'),
        SITE_KEY_FILE: join(folder, 'site-key.pem'),
        PAYMENT_SECRET_FILE: join(folder, 'payment-secret.json'),
      }),
      { now, warn: () => undefined },
    );
    assert.ok(state.siteKey.publicKey.equals(siteKey.publicKey));
    assert.deepEqual(await state.shared?.database.query('select name from secrets'), []);
    await state.close();
  });
});

describe('an audit asked for at one service and joined at another', async () => {
  const audit = (origin: string, url: string, accept = 'application/json'): Promise<Response> =>
    fetch(`${origin}/api/audit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ url }),
    });

  for (const isKilled of [false, true]) {
    test(
      isKilled ? 'kill -9 of the one that runs it: the other takes over' : 'it is one, with one result',
      async (t) => {
        const site = await openSite(goodSite, 40);
        t.after(() => site.close());
        const url = await postgres.createDatabase();
        const services = await Promise.all(
          ['one', 'two'].map(() => start(url, 'api-process.ts', { AUDIT_ALLOW_HOSTS: site.host })),
        );
        const [one, two] = services;
        assert.ok(one !== undefined && two !== undefined);
        const asked = audit(one.origin, `${site.origin}/`).then(
          (response) => response.json(),
          () => null,
        );
        await until(async () => site.asked.length > 3, 'it runs');
        const joined = await audit(two.origin, `${site.origin}/`, 'text/event-stream');
        const reader = joined.body?.pipeThrough(new TextDecoderStream()).getReader();
        let told = String((await reader?.read())?.value);
        if (isKilled) {
          await kill(one.child);
        }
        for (let more = await reader?.read(); more?.done === false; more = await reader?.read()) {
          told += more.value;
        }
        const [, result = ''] = /^event: result\ndata: (.*)$/m.exec(told) ?? [];
        const { score, checks } = JSON.parse(result) as { score: number; checks: { id: string }[] };
        const findings = [...told.matchAll(/^event: check\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).id);
        assert.deepEqual(new Set(findings), new Set(checks.map(({ id }) => id)));
        const begun = site.asked.filter(({ path }) => path === '/robots.txt');
        if (isKilled) {
          assert.equal(begun.length, 2, 'it began anew');
        } else {
          assert.equal(((await asked) as { score: number }).score, score);
          assert.equal(begun.length, 1, 'the site was asked once');
        }
        await asked;
        for (const { child } of services) {
          child.kill('SIGKILL');
        }
      },
    );
  }
});
