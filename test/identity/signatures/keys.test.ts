import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { openKeyPair } from '#api/identity/signatures/key-pair.ts';
import { jwkThumbprint, spkiKeyid } from '#api/identity/signatures/keyids.ts';
import { testKeyThumbprints } from '#api/identity/signatures/policy.ts';
import { toKeyDirectory } from '#api/identity/signatures/to-key-directory.ts';
import { newClient } from './hand-signed.ts';
import { rfc9421Key } from './vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
after(() => rmSync(folder, { recursive: true }));

test('the thumbprint of RFC 8037 A.3 and that of the RFC 9421 key', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  const rfc8037 = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  assert.equal(jwkThumbprint(rfc8037), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  assert.equal(jwkThumbprint(createPublicKey(rfc9421Key.publicPem)), rfc9421Key.thumbprint);
  assert.deepEqual([...testKeyThumbprints].sort(), [rfc9421Key.thumbprint, jwkThumbprint(rfc8037)].sort());
});

test('keyids agree with jose and with a plain SHA-256 of the DER', async () => {
  const client = newClient();
  assert.equal(jwkThumbprint(client.publicKey), await calculateJwkThumbprint(await exportJWK(client.publicKey)));
  assert.equal(jwkThumbprint(client.publicKey), client.thumbprint);
  assert.equal(spkiKeyid(client.publicKey), client.spkiKeyid);
});

test('a thumbprint is only made of an Ed25519 key', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  assert.throws(() => jwkThumbprint(publicKey), /type ec; only Ed25519/);
  assert.throws(() => toKeyDirectory([publicKey]), /type ec cannot be published/);
});

test('a directory publishes the public half and nothing else', () => {
  const { privateKey, thumbprint, x } = newClient();
  assert.deepEqual(toKeyDirectory([privateKey]), {
    keys: [{ kty: 'OKP', crv: 'Ed25519', kid: thumbprint, x, use: 'sig' }],
  });
});

test('a key pair is made once, for its owner alone, and read afterwards', () => {
  const file = join(folder, 'site.pem');
  const first = openKeyPair(file);
  const bytes = readFileSync(file);
  const second = openKeyPair(file);
  assert.deepEqual([first.created, second.created], [true, false]);
  assert.ok(first.publicKey.equals(second.publicKey));
  assert.deepEqual(readFileSync(file), bytes);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['site.pem']);
});

const toPem = (type: 'rsa' | 'ed25519') =>
  (type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();

const good = toPem('ed25519');
for (const [name, content, message] of [
  ['empty', '', /is damaged: it does not hold a private key in PKCS#8 PEM\. Restore it from a backup/],
  ['cut', good.slice(0, 60), /is damaged/],
  ['zeroed', '\0'.repeat(119), /is damaged/],
  ['public', createPublicKey(good).export({ type: 'spki', format: 'pem' }).toString(), /is damaged/],
  ['doubled', good + good, /is damaged/],
  ['rsa', toPem('rsa'), /a key of type rsa; Ed25519 is expected/],
  ['example', rfc9421Key.privatePem, /an example key of a standard/],
] as const) {
  test(`a key file that is ${name} is refused and left as it is`, () => {
    const file = join(folder, name);
    writeFileSync(file, content);
    assert.throws(() => openKeyPair(file), message);
    assert.equal(readFileSync(file, 'latin1'), content);
  });
}

test('a folder that does not exist is an error that says so', () => {
  assert.throws(() => openKeyPair(join(folder, 'none', 'key.pem')), /cannot be made\. The folder has to exist/);
});
