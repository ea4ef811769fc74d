import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { type Certified, createDirectory, type Directory, openDirectory, toListingId } from '#api/directory/store.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';

const folder = mkdtempSync(join(tmpdir(), 'directory-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'directory.json');

const toSite = (url: string, minute: number, score = 85): Certified => ({
  url,
  score,
  grade: score >= 90 ? 'exemplary' : 'agent-ready (certifiable)',
  certified_at: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString(),
  tier: 'standard',
});
const urlsOf = (directory: Directory): string[] => directory.list().map(({ url }) => url);

const kinds: [string, () => Promise<Directory>][] = [
  ['in memory', async () => createDirectory()],
  ['on disk', () => openDirectory({ file })],
];
for (const [kind, open] of kinds) {
  test(`sites are listed, newest certification first, and replaced in place ${kind}`, async () => {
    const directory = await open();
    assert.deepEqual(directory.list(), []);
    const first = await directory.put(toSite('https://one.example', 1));
    assert.equal(first.isNew, true);
    assert.match(first.listing.id, /^[0-9a-f]{12}$/);
    assert.equal(first.listing.id, createHash('sha256').update('https://one.example').digest('hex').slice(0, 12));
    await directory.put(toSite('https://three.example', 3));
    await directory.put(toSite('https://two.example', 2));
    assert.deepEqual(urlsOf(directory), ['https://three.example', 'https://two.example', 'https://one.example']);

    let changes = 0;
    const end = directory.onChange(() => {
      changes += 1;
    });
    const again = await directory.put(toSite('https://one.example', 4, 100));
    assert.equal(again.isNew, false);
    assert.equal(again.listing.id, first.listing.id);
    assert.equal(changes, 1);
    assert.deepEqual(urlsOf(directory), ['https://one.example', 'https://three.example', 'https://two.example']);
    assert.deepEqual(directory.get(first.listing.id), again.listing);
    assert.equal(directory.get('000000000000'), null);
    assert.equal(directory.get('__proto__'), null);

    const late = await directory.put(toSite('https://one.example', 2, 71));
    assert.deepEqual(late, { listing: again.listing, isNew: false });
    assert.equal(changes, 1);
    end();
    await directory.put(toSite('https://two.example', 5));
    assert.equal(changes, 1);
    await directory.close();
  });
}

test('the list outlives a restart', async () => {
  const directory = await openDirectory({ file });
  assert.deepEqual(urlsOf(directory), ['https://two.example', 'https://one.example', 'https://three.example']);
  await directory.close();
});

test('of joins at the same moment for one site one is new, and the newest certification stays', async () => {
  const directory = createDirectory();
  const joins = await Promise.all([3, 9, 1, 7].map((minute) => directory.put(toSite('https://one.example', minute))));
  assert.equal(joins.filter(({ isNew }) => isNew).length, 1);
  assert.deepEqual(
    directory.list().map(({ certified_at }) => certified_at),
    ['2026-11-21T12:09:00.000Z'],
  );
});

describe('what is not a listing is refused', () => {
  const site = toSite('https://one.example', 1);
  const wrong: [string, Record<string, unknown>][] = [
    ['a path', { url: 'https://one.example/' }],
    ['capitals', { url: 'https://One.example' }],
    ['the default port', { url: 'https://one.example:443' }],
    ['user information', { url: 'https://me@one.example' }],
    ['an internationalised host as written', { url: 'https://bücher.example' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['markup', { url: 'https://<b>.example' }],
    ['no URL', { url: '' }],
    ['a score under 70', { score: 69 }],
    ['a score over 100', { score: 101 }],
    ['a fraction', { score: 85.5 }],
    ['an empty grade', { grade: '' }],
    ['a date without time', { certified_at: '2026-11-21' }],
    ['another tier', { tier: 'gold' }],
    ['a further field', { note: 'hello' }],
  ];
  for (const [name, change] of wrong) {
    it(name, async () => {
      const directory = createDirectory();
      await assert.rejects(directory.put({ ...site, ...change } as Certified), /^Error: The listing is not valid/);
      assert.deepEqual(directory.list(), []);
    });
  }
});

test('a full directory takes no new site, and renews those it has', async () => {
  const directory = createDirectory({ maxListings: 1 });
  await directory.put(toSite('https://one.example', 1));
  await assert.rejects(directory.put(toSite('https://two.example', 2)), StorageUnavailable);
  await directory.put(toSite('https://one.example', 3));
  assert.deepEqual(urlsOf(directory), ['https://one.example']);
});

test('nobody takes over the id of another site', async () => {
  const colliding = join(folder, 'colliding.json');
  await (await openDirectory({ file: colliding })).close();
  const document = JSON.parse(readFileSync(colliding, 'utf8'));
  const site = toSite('https://one.example', 1);
  const fields = { id: toListingId('https://two.example'), checked_at: site.certified_at, below_since: null };
  document.state.listings = [{ ...site, ...fields }];
  writeFileSync(colliding, JSON.stringify(document));
  const directory = await openDirectory({ file: colliding });
  await assert.rejects(directory.put(toSite('https://two.example', 2)), /belongs to https:\/\/one\.example/);
  await directory.close();
});

test('a store of version 1 is taken over: its sites were checked when they were certified', async () => {
  const old = join(folder, 'old.json');
  const site = { ...toSite('https://one.example', 1), id: toListingId('https://one.example') };
  writeFileSync(old, JSON.stringify({ version: 1, sequence: 0, state: { listings: [site] } }), { mode: 0o600 });
  const directory = await openDirectory({ file: old });
  assert.deepEqual(directory.list(), [{ ...site, checked_at: site.certified_at, below_since: null }]);
  await directory.close();
});

test('a site that leaves is gone after a restart, and can join again', async () => {
  const left = join(folder, 'left.json');
  const directory = await openDirectory({ file: left });
  const { listing } = await directory.put(toSite('https://one.example', 1));
  assert.equal(await directory.remove(listing.id), true);
  assert.equal(await directory.remove(listing.id), false);
  assert.equal(await directory.mark(listing.id, listing.certified_at), null);
  await directory.close();
  const again = await openDirectory({ file: left });
  assert.deepEqual(again.list(), []);
  assert.equal((await again.put(toSite('https://one.example', 1))).isNew, true);
  await again.close();
});
