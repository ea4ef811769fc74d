import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { GuestbookSingle } from '#api/guestbook/responses.ts';
import { Receipt } from '#api/guestbook/write.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp, testBaseUrl, testMoment } from '../support/test-app.ts';
import { add, entry, firefox, list, newApp, oldEntry, sign } from './served.ts';

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
  ['a name that says agent', { 'User-Agent': 'VisitingAgent/1.0' }, {}, 'agent', /program \(VisitingAgent\)/],
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
  const site = newApp({ limits: { ...noLimits, write: [...noLimits.write, { count: 3, windowSeconds: 3600 }] } });
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
