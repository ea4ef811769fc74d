import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { jwkThumbprint, spkiKeyid } from '#api/identity/signatures/keyids.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { toKeyDirectory } from '#api/identity/signatures/to-key-directory.ts';
import { newClient } from '../identity/signatures/hand-signed.ts';
import { testBaseUrl, testMoment } from '../support/test-app.ts';
import { entry, list, newApp, sign } from './served.ts';

/** Headers of a signed POST to the guestbook. */
const signed = (client: ReturnType<typeof newClient>, body: unknown, options: { directoryUrl?: string } = {}) =>
  createSigner({ privateKey: client.privateKey, now: () => testMoment, ...options }).sign({
    method: 'POST',
    targetUri: `${testBaseUrl}/api/guestbook`,
    body: Buffer.from(JSON.stringify(body)),
  });

test('identity: tier C unsigned, B signed, A when the key is trusted, D when the signature does not count', async () => {
  const site = newApp();
  const client = newClient();
  assert.equal((await sign(site, entry)).entry.identity.tier, 'C');
  assert.equal((await sign(site, { ...entry, model: 'm-1' })).entry.identity.tier, 'C', 'a model is no identity');

  const headers = signed(client, entry);
  const known = await sign(site, entry, headers);
  assert.deepEqual(known.entry.identity, { tier: 'B', meaning: 'signed; the key is not in the registry' });
  assert.deepEqual(known.entry.provenance?.signature, { present: true });
  assert.equal(known.recorded_as.signature?.keyid, spkiKeyid(client.publicKey));
  assert.equal(known.recorded_as.signature?.verified, true);

  const replayed = await sign(site, entry, headers);
  assert.equal(replayed.entry.identity.tier, 'D');
  assert.equal(replayed.recorded_as.signature?.reason, 'replayed');

  await site.trustedKeys.add({ keyid: spkiKeyid(client.publicKey), owner: 'Ada Ltd', note: null });
  assert.equal((await sign(site, entry, signed(client, entry))).entry.identity.tier, 'A');
  assert.equal((await list(site)).entries.find(({ id }) => id === known.id)?.identity.tier, 'B', 'fixed when written');

  const other = await sign(site, { ...entry, message: 'Another text.' }, signed(client, entry));
  assert.equal(other.entry.identity.tier, 'D');
  assert.equal(other.recorded_as.signature?.reason, 'content-digest-mismatch');
  const garbage = await sign(site, entry, { Signature: 'x', 'Signature-Input': 'y' });
  assert.deepEqual([garbage.entry.identity.tier, garbage.recorded_as.signature?.reason], ['D', 'malformed-signature']);
  assert.match(String(garbage.recorded_as.signature?.detail), /\S/);
});

test('the entries of a key: each shows its thumbprint, and either name of the key finds them', async () => {
  const site = newApp();
  const [mine, other] = [newClient(), newClient()];
  const first = await sign(site, entry, signed(mine, entry));
  await sign(site, entry, signed(other, entry));
  const unsigned = await sign(site, entry);
  const refusedSignature = await sign(site, entry, { Signature: 'x', 'Signature-Input': 'y' });
  const thumbprint = jwkThumbprint(mine.publicKey);
  assert.equal(first.entry.keyid, thumbprint);
  assert.deepEqual(Object.keys(first.entry.identity), ['tier', 'meaning']);
  assert.ok(!('keyid' in unsigned.entry) && !('keyid' in refusedSignature.entry));
  for (const keyid of [thumbprint, spkiKeyid(mine.publicKey)]) {
    const found = await list(site, `?keyid=${keyid}`);
    assert.deepEqual([found.matched, found.entries.map(({ id }) => id), found.query.keyid], [1, [first.id], keyid]);
  }
  assert.equal((await list(site, `?keyid=${'x'.repeat(43)}`)).matched, 0);
  assert.equal((await list(site)).query.keyid, null);
});

test('withdrawal by the key that signed the entry, and by no other', async () => {
  const site = newApp();
  const [mine, other] = [newClient(), newClient()];
  const { id, withdrawal } = await sign(site, entry, signed(mine, entry));
  const unsigned = await sign(site, entry);
  assert.match(withdrawal.note, /same key/);
  const remove = (ofEntry: string, client: typeof mine, signedFor = ofEntry) =>
    request(site.app)
      .delete(`/api/guestbook/${ofEntry}`)
      .set(
        createSigner({ privateKey: client.privateKey, now: () => testMoment }).sign({
          method: 'DELETE',
          targetUri: `${testBaseUrl}/api/guestbook/${signedFor}`,
        }),
      );
  const wrong = await remove(id, other).expect(403);
  assert.match(wrong.body.detail, /key that did not sign this entry/);
  await remove(unsigned.id, mine).expect(403);
  const misdirected = await remove(id, mine, unsigned.id).expect(401);
  assert.match(misdirected.body.detail, /does not count/);
  await remove(id, mine).expect(200);
  await request(site.app).get(`/api/guestbook/${id}`).expect(404);
});

test('identity: the key of a Web Bot Auth directory, by its thumbprint', async () => {
  const client = newClient();
  const asked: string[] = [];
  const site = newApp({
    fetchDirectory: async (url) => {
      asked.push(url.href);
      return toKeyDirectory([client.publicKey]);
    },
  });
  const headers = signed(client, entry, { directoryUrl: 'https://agent.example' });
  const receipt = await sign(site, entry, headers);
  assert.equal(receipt.entry.identity.tier, 'B');
  assert.equal(receipt.recorded_as.signature?.keyid, jwkThumbprint(client.publicKey));
  assert.match(String(receipt.recorded_as.signature?.detail), /https:\/\/agent\.example/);
  assert.deepEqual(asked, ['https://agent.example/.well-known/http-message-signatures-directory']);
});

test('a refused write does not use up its signature', async () => {
  const site = newApp();
  const client = newClient();
  const headers = signed(client, entry);
  await request(site.app).post('/api/guestbook').set(headers).send({ name: 'Ada' }).expect(422);
  assert.equal((await sign(site, entry, headers)).entry.identity.tier, 'B');
});

test('/api/whoami tells a signer what verified, once', async () => {
  const { app } = newApp();
  const client = newClient();
  const headers = createSigner({ privateKey: client.privateKey, now: () => testMoment }).sign({
    method: 'GET',
    targetUri: `${testBaseUrl}/api/whoami`,
  });
  const whoami = async () => (await request(app).get('/api/whoami').set(headers).expect(200)).body;
  const { signature, verdict } = await whoami();
  assert.deepEqual(
    [signature.present, signature.verified, signature.tier, signature.reason, signature.created],
    [true, true, 'B', null, testMoment.getTime() / 1000],
  );
  assert.equal(signature.keyid, spkiKeyid(client.publicKey));
  assert.deepEqual(signature.covered, ['@method', '@authority', '@path']);
  assert.equal(verdict.isLikelyAgent, true);
  const again = (await whoami()).signature;
  assert.deepEqual([again.verified, again.tier, again.reason], [false, 'D', 'replayed']);
  const plain = (await request(app).get('/api/whoami').expect(200)).body;
  assert.deepEqual(Object.keys(plain.signature), ['present', 'note']);
});

test('/api/whoami says what would prove a crawler that is claimed', async () => {
  const { body } = await request(newApp().app).get('/api/whoami').set('User-Agent', 'GPTBot/1.3').expect(200);
  assert.equal(typeof body.verdict.how_to_prove.method, 'string');
  assert.ok(body.verdict.how_to_prove.steps.length > 0);
});

test('the key directory holds the key of the site, and proves it', async () => {
  const { app } = newApp();
  const response = await request(app)
    .get('/.well-known/http-message-signatures-directory')
    .expect(200)
    .expect('Content-Type', 'application/http-message-signatures-directory+json');
  const { keys } = JSON.parse(response.text ?? response.body.toString('utf8'));
  assert.equal(keys.length, 1);
  assert.deepEqual(Object.keys(keys[0]), ['kty', 'crv', 'kid', 'x', 'use'], 'no private key');
  assert.match(String(response.get('signature-input')), /"@authority";req.*tag="http-message-signatures-directory"/);
  assert.match(String(response.get('signature')), /^binding=:/);
});
