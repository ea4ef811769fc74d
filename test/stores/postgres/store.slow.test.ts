import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { type Database, openDatabase } from '#api/stores/postgres/database.ts';
import { openPostgresStore } from '#api/stores/postgres/store.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';
import type { Store, StoreDefinition } from '#api/stores/store.ts';
import { type RunningPostgres, startPostgres } from '../../../scripts/support/postgres.ts';
import { add, words } from '../words.ts';

let postgres: RunningPostgres;
let url = '';
const open: { close(): Promise<void> }[] = [];
const notices: string[] = [];

before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());
beforeEach(async () => {
  for (const each of open.splice(0).toReversed()) {
    await each.close();
  }
  notices.length = 0;
  url = await postgres.createDatabase();
});
after(async () => {
  for (const each of open.splice(0).toReversed()) {
    await each.close().catch(() => undefined);
  }
});

/** One instance: a database of its own, and the store of words in it. */
async function openInstance(
  definition: StoreDefinition<string[], string> = words,
): Promise<{ database: Database; store: Store<string[], string> }> {
  const warn = (sentence: string): void => void notices.push(sentence);
  const database = await openDatabase({ url, warn });
  open.push(database);
  const store = await openPostgresStore(definition, { database, name: 'words', warn });
  open.push(store);
  return { database, store };
}

async function ask(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds(); await wait(2)) {
    assert.ok(Date.now() < end, 'it did not come to hold within ten seconds');
  }
}

describe('a store on PostgreSQL', () => {
  test('two instances decide one after the other, on everything there is', async () => {
    const [one, two] = [await openInstance(), await openInstance()];
    const seen = await Promise.all(
      [one, two, one, two, one, two].map(({ store }) =>
        store.update((state) => ({ change: String(state.length), result: state.length })),
      ),
    );
    assert.deepEqual(seen.toSorted(), [0, 1, 2, 3, 4, 5], 'no two decisions saw the same state');
    await until(() => one.store.state.length === 6 && two.store.state.length === 6);
    assert.deepEqual(one.store.state, ['0', '1', '2', '3', '4', '5']);
    assert.deepEqual(two.store.state, one.store.state);
  });

  test('what one instance writes is announced at the other', async () => {
    const [one, two] = [await openInstance(), await openInstance()];
    const announced: string[][] = [];
    two.store.onChange(() => announced.push(two.store.state));
    await one.store.update(add('a'));
    await until(() => announced.length > 0);
    assert.deepEqual(announced, [['a']]);
  });

  test('decisions that wait share a batch; one that throws harms nobody', async () => {
    const { store } = await openInstance();
    const results = await Promise.allSettled([
      store.update(add('a')),
      store.update(() => {
        throw new RangeError('no');
      }),
      store.update(add('b')),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await ask('select sequence::int, changes from store_batches'), [
      { sequence: 1, changes: ['a', 'b'] },
    ]);
  });

  test('a compaction takes the text out of the log, and an instance that is behind reads the snapshot', async () => {
    const one = await openInstance();
    await one.store.update(add('secret'));
    const late = await openInstance();
    await one.store.update(add('more'));
    assert.equal(await one.store.compact(), true);
    assert.deepEqual(await ask('select count(*)::int as n from store_batches where changes is not null'), [{ n: 0 }]);
    await late.store.update(add('late'));
    assert.deepEqual(late.store.state, ['secret', 'more', 'late']);
    assert.deepEqual((await openInstance()).store.state, ['secret', 'more', 'late']);
  });

  test('a full log is written whole', async () => {
    const database = await openDatabase({ url, warn: () => undefined });
    open.push(database);
    const store = await openPostgresStore(words, { database, name: 'words', compactAfterBytes: 40 });
    open.push(store);
    for (let count = 0; count < 12; count += 1) {
      await store.update(add('word'));
    }
    await store.close();
    const [snapshot] = await ask('select sequence::int, json_array_length(state) as words from store_snapshots');
    assert.deepEqual(snapshot, { sequence: 12, words: 12 });
  });

  test('a database that is closed while it begins to listen is closed', { timeout: 20_000 }, async () => {
    const database = await openDatabase({ url, warn: () => undefined });
    await database.close();
    assert.equal(database.isListening, false);
  });

  test('the database gone: reads go on, writes are refused and lost nowhere; it comes back and all is there', async () => {
    const { store, database } = await openInstance();
    await store.update(add('a'));
    await postgres.kill();
    assert.deepEqual(store.state, ['a']);
    await assert.rejects(store.update(add('refused')), StorageUnavailable);
    await postgres.start();
    await until(() => database.isListening);
    await store.update(add('b'));
    assert.deepEqual(store.state, ['a', 'b']);
    assert.deepEqual((await openInstance()).store.state, ['a', 'b']);
  });

  test('a connection that breaks at COMMIT: the batch is looked up by its id', async () => {
    const { store, database } = await openInstance();
    await store.update(add('a'));
    // Each COMMIT of a batch is carried out or dropped, and its answer never arrives.
    for (const [word, isCarriedOut] of [
      ['carried out', true],
      ['dropped', false],
    ] as const) {
      const { locked } = database;
      let isFirst = true;
      database.locked = (name, work) =>
        locked(name, async (client) => {
          if (!isFirst) {
            return work(client);
          }
          isFirst = false;
          const broken = new Proxy(client, {
            get(target, member) {
              const value = Reflect.get(target, member);
              if (member !== 'query') {
                return typeof value === 'function' ? value.bind(target) : value;
              }
              return async (...given: Parameters<typeof target.query>) => {
                if (String(given[0]) !== 'commit') {
                  return target.query(...given);
                }
                await target.query(isCarriedOut ? 'commit' : 'rollback');
                throw new Error('Connection terminated unexpectedly');
              };
            },
          });
          return work(broken);
        });
      const answer = await store.update(add(word)).then(
        () => 'acknowledged',
        (error: unknown) => (error instanceof StorageUnavailable ? 'refused' : error),
      );
      database.locked = locked;
      assert.equal(answer, isCarriedOut ? 'acknowledged' : 'refused', word);
    }
    assert.deepEqual(store.state, ['a', 'carried out']);
    assert.deepEqual((await openInstance()).store.state, ['a', 'carried out']);
  });

  test('an instance that stalls with the lock in its hand loses it; the next one waits and writes', async () => {
    const { store } = await openInstance();
    const stalled = new Client(url);
    stalled.on('error', () => undefined);
    await stalled.connect();
    await stalled.query(
      "begin; set local idle_in_transaction_session_timeout = 3000; select pg_advisory_xact_lock(20556, hashtext('words'))",
    );
    await store.update(add('patient'));
    assert.deepEqual(store.state, ['patient']);
    await stalled.end().catch(() => undefined);
  });

  test('a change of version: the newer program migrates, the older one goes on reading and writes no more', async () => {
    const old = await openInstance();
    await old.store.update(add('a'));
    await old.store.compact();
    const newer: StoreDefinition<string[], string> = {
      ...words,
      version: 2,
      migrate: (state) =>
        z
          .array(z.string())
          .parse(state)
          .map((word) => word.toUpperCase()),
    };
    const next = await openInstance(newer);
    assert.deepEqual(next.store.state, ['A']);
    await next.store.update(add('B'));
    await assert.rejects(old.store.update(add('c')), /format version 2, and this program knows versions up to 1/);
    assert.deepEqual(old.store.state, ['a']);
    await assert.rejects(openInstance(), /format version 2, and this program knows versions up to 1/);
    assert.deepEqual((await openInstance(newer)).store.state, ['A', 'B']);
  });

  test('batches of an older version that nobody folded are refused with what to do', async () => {
    const old = await openInstance();
    await old.store.update(add('a'));
    await assert.rejects(
      openInstance({ ...words, version: 2, migrate: (state) => state }),
      /Stop the instances of that version in the normal way/,
    );
    await old.store.update(add('b'));
    assert.deepEqual(old.store.state, ['a', 'b'], 'nothing was changed');
  });

  test('a schema of a newer program is refused', async () => {
    await openInstance();
    await ask('insert into schema_version (version) values (999)');
    await assert.rejects(
      openInstance(),
      /schema version 999, and this program knows versions up to \d+\. Nothing was changed/,
    );
  });

  test('instances that start together make the schema once', async () => {
    const all = await Promise.all([openInstance(), openInstance(), openInstance()]);
    await all[0]?.store.update(add('a'));
    await until(() => all.every(({ store }) => store.state.length === 1));
    const versions = await ask('select version from schema_version order by version');
    assert.deepEqual(
      versions,
      readdirSync('api/stores/postgres/migrations').map((_file, index) => ({ version: index + 1 })),
    );
  });
});
