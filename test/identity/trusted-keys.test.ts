import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTrustedKeys, openTrustedKeys, type TrustedKeys } from '#api/identity/trusted-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'trusted-keys.json');
const now = () => new Date('2026-11-21T12:00:00Z');

const keyid = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';
const other = keyid.replace('p', 'q');
const kinds: [string, () => Promise<TrustedKeys>][] = [
  ['in memory', async () => createTrustedKeys({ now })],
  ['on disk', () => openTrustedKeys({ file, now })],
];

for (const [kind, open] of kinds) {
  test(`keys are added, found and removed ${kind}`, async () => {
    const keys = await open();
    const key = await keys.add({ keyid, owner: 'Example crawler', note: null });
    assert.deepEqual(key, { keyid, owner: 'Example crawler', note: null, added: '2026-11-21' });
    await keys.add({ keyid: other, owner: 'Ada', note: 'met in person' });
    assert.deepEqual(keys.get(keyid), key);
    assert.equal(keys.get('x'), null);
    await assert.rejects(keys.add({ keyid, owner: 'Somebody', note: null }), /is in the registry already/);
    for (const wrong of ['', `${keyid}=`, keyid.slice(1), keyid.replace('_', '/')]) {
      await assert.rejects(keys.add({ keyid: wrong, owner: 'Ada', note: null }), /is not the base64url of a SHA-256/);
    }
    await assert.rejects(keys.add({ keyid: 'A'.repeat(43), owner: '', note: null }), /The key is not valid/);
    assert.deepEqual(await keys.remove(keyid), key);
    await assert.rejects(keys.remove(keyid), /The registry has no key/);
    assert.deepEqual(
      keys.list().map(({ owner }) => owner),
      ['Ada'],
    );
    await keys.close();
  });
}

test('the file shows each change, and keeps it', async () => {
  const keys = await openTrustedKeys({ file, now });
  assert.deepEqual(
    keys.list().map(({ owner }) => owner),
    ['Ada'],
  );
  await keys.remove(other);
  await keys.close();
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).state, { keys: [] });
});
