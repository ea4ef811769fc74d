import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import request from 'supertest';
import { payAt, postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { openRestartedService } from '../support/own-service.ts';
import { testPlaybook } from '../support/playbook.ts';
import { createTestApp, testBaseUrl, testMoment } from '../support/test-app.ts';

const playbook = '/api/premium/playbook';

/** An application whose clock can be moved on, and the two ways to ask for what has a price. */
function openShop() {
  let at = testMoment;
  const own = createTestApp({ now: () => at, limits: noLimits });
  const ask = (headers: Record<string, string> = {}) =>
    request(own.app)
      .get(playbook)
      .set({ Accept: 'application/json', ...headers });
  return {
    ...own,
    ask,
    later: (seconds: number) => {
      at = new Date(at.getTime() + seconds * 1000);
    },
    quote: async (): Promise<string> => (await ask().expect(402)).body.quote,
  };
}

describe('the premium playbook', async () => {
  const { app, ask, quote } = openShop();

  it('has its price: 402 with a quote, to GET and HEAD', async () => {
    const { body, headers } = await ask().expect(402);
    assert.equal(body.type, `${testBaseUrl}/problems/payment-required`);
    assert.equal(body.accepts[0].amount, '100000');
    assert.equal(body.resource.url, `${testBaseUrl}${playbook}`);
    assert.match(body.detail, /0\.10 USD/);
    assert.ok(headers['payment-required']);
    assert.match(headers['access-control-expose-headers'] ?? '', /PAYMENT-REQUIRED/);
    await request(app).head(playbook).expect(402);
  });

  it('paid for, it comes as often as needed until the payment expires: chapters as JSON, with what became of the payment', async () => {
    const header = await payAt(app, await quote());
    const delivered = await ask(header).expect(200);
    assert.deepEqual(delivered.body.chapters, testPlaybook.chapters);
    assert.equal(delivered.body.count, 1);
    assert.equal(delivered.body.payment.amount_usd, '0.10');
    assert.equal(delivered.get('cache-control'), 'no-store');
    assert.match(delivered.get('vary') ?? '', /Accept/);
    const again = await ask(header).expect(200);
    assert.deepEqual(again.body, delivered.body);
  });

  it('one chapter comes alone, in JSON and in markdown', async () => {
    const header = await payAt(app, await quote());
    const [chapter] = testPlaybook.chapters;
    assert.ok(chapter);
    const path = `${playbook}?chapter=${chapter.id}`;
    const { body } = await request(app).get(path).set(header).expect(200);
    assert.deepEqual(body.chapters, [chapter]);
    const { text } = await request(app)
      .get(path)
      .set({ ...header, Accept: 'text/markdown' })
      .expect(200);
    assert.equal(text, chapter.markdown);
    const wrong = await request(app).get(`${playbook}?chapter=nothing`).set(header).expect(400);
    assert.match(wrong.body.detail, /llms-txt/);
  });

  const forms: [accept: string, type: string, text: string][] = [
    ['text/markdown', 'text/markdown; charset=utf-8', testPlaybook.markdown],
    ['text/html,application/xhtml+xml;q=0.9', 'text/html; charset=utf-8', testPlaybook.html],
    ['text/markdown;q=0.5, text/html', 'text/html; charset=utf-8', testPlaybook.html],
  ];
  for (const [accept, type, text] of forms) {
    it(`comes as ${type} to ${accept}`, async () => {
      const header = await payAt(app, await quote());
      const response = await ask({ ...header, Accept: accept }).expect(200);
      assert.equal(response.get('content-type'), type);
      assert.equal(response.text, text);
      assert.ok(response.get('payment-response'));
    });
  }
  for (const accept of ['*/*', 'application/json, text/markdown;q=0.9', 'image/png']) {
    it(`comes as JSON to ${accept}`, async () => {
      const header = await payAt(app, await quote());
      const response = await ask({ ...header, Accept: accept }).expect(200);
      assert.match(response.get('content-type') ?? '', /^application\/json/);
    });
  }

  it('HEAD spends nothing', async () => {
    const header = await payAt(app, await quote());
    await request(app).head(playbook).set(header).expect(200);
    await ask(header).expect(200);
  });

  it('many requests with one payment at the same moment are all served', async () => {
    const header = await payAt(app, await quote());
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(header)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), Array(8).fill(200));
  });

  it('PAYMENT-SIGNATURE is taken as well', async () => {
    const [payment = ''] = Object.values(await payAt(app, await quote()));
    await ask({ 'PAYMENT-SIGNATURE': payment }).expect(200);
  });
});

describe('payments that do not count', () => {
  const tamper = (payment: string, change: (document: Record<string, never>) => void): string => {
    const document = JSON.parse(Buffer.from(payment, 'base64').toString());
    change(document);
    return Buffer.from(JSON.stringify(document)).toString('base64');
  };
  const faults: [name: string, reason: string, change: (payment: string) => string][] = [
    ['not base64', 'malformed', () => 'not base64!'],
    ['not JSON', 'malformed', () => Buffer.from('hello').toString('base64')],
    ['too long', 'malformed', () => 'A'.repeat(9000)],
    [
      'of another network',
      'other-method',
      (given) => tamper(given, (each) => Object.assign(each['accepted'] ?? {}, { network: 'eip155:8453' })),
    ],
    [
      'altered',
      'forged',
      (given) => tamper(given, (each) => Object.assign(each['payload'] ?? {}, { expires: 9_999_999_999 })),
    ],
  ];
  for (const [name, reason, change] of faults) {
    it(`${name}: 402 that says ${reason}`, async () => {
      const { app, ask, quote } = openShop();
      const [payment = ''] = Object.values(await payAt(app, await quote()));
      const { body } = await ask({ 'X-Payment': change(payment) }).expect(402);
      assert.equal(body.reason, reason);
      assert.equal(body.detail, body.error);
      await ask({ 'X-Payment': payment }).expect(200);
    });
  }

  it('made for something else: 402 that says other-resource', async () => {
    const { app, quote, context } = openShop();
    const header = await payAt(app, await quote());
    for (let count = 0; count < 3; count += 1) {
      await context.freeAudits.take('127.0.0.1');
    }
    const { body } = await postJson(app, '/api/audit', { url: 'https://example.com/' }, header).expect(402);
    assert.equal(body.reason, 'other-resource');
  });

  it('too old: 402 that says expired', async () => {
    const { app, ask, quote, later } = openShop();
    const header = await payAt(app, await quote());
    later(601);
    assert.equal((await ask(header).expect(402)).body.reason, 'expired');
  });
});

describe('POST /api/pay', () => {
  it('answers with the payment, for what and until when, and that it is a demonstration', async () => {
    const { app, quote } = openShop();
    const { body, headers } = await postJson(app, '/api/pay', { quote: await quote() }).expect(200);
    assert.deepEqual(Object.keys(body), ['payment', 'header', 'resource', 'amount_usd', 'expires_at', 'demo']);
    assert.deepEqual(
      [body.header, body.resource, body.amount_usd, body.expires_at, body.demo],
      ['X-Payment', `${testBaseUrl}${playbook}`, '0.10', '2026-11-21T12:10:00.000Z', true],
    );
    assert.equal(headers['cache-control'], 'no-store');
  });

  it('takes a quote that is too old as little as one that is none', async () => {
    const { app, quote, ask, later } = openShop();
    const old = await quote();
    const used = await quote();
    await ask(await payAt(app, used)).expect(200);
    const cases: [quote: string, reason: string][] = [
      ['', 'malformed'],
      ['abc', 'malformed'],
      [`${old.slice(0, -2)}AA`, 'forged'],
      [used, 'used'],
    ];
    for (const [given, reason] of cases) {
      const { body } = await postJson(app, '/api/pay', { quote: given }).expect(422);
      assert.equal(body.type, `${testBaseUrl}/problems/quote-not-valid`);
      assert.equal(body.reason, reason);
    }
    later(601);
    assert.equal((await postJson(app, '/api/pay', { quote: old }).expect(422)).body.reason, 'expired');
  });

  const wrong: [name: string, body: unknown, pointers: string[]][] = [
    ['no quote', {}, ['/quote']],
    ['a quote that is no text', { quote: 5 }, ['/quote']],
    ['a field beyond', { quote: 'a', amount: 1 }, ['/amount']],
  ];
  for (const [name, body, pointers] of wrong) {
    it(`${name}: 422 that points at it`, async () => {
      const { app } = openShop();
      const answer = await postJson(app, '/api/pay', body as object).expect(422);
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        pointers,
      );
    });
  }

  it('takes JSON alone, and no other method', async () => {
    const { app } = openShop();
    await request(app).post('/api/pay').type('form').send('quote=a').expect(415);
    await request(app).get('/api/pay').set('Accept', 'application/json').expect(405).expect('Allow', 'POST, OPTIONS');
  });

  it('neither quote nor payment stands in the log', async () => {
    const { app, ask, quote, logText } = openShop();
    const given = await quote();
    const header = await payAt(app, given);
    await ask(header).expect(200);
    assert.ok(!logText().includes(given) && !logText().includes(String(Object.values(header)[0])));
  });
});

test('a restart between the 402, the payment and its use loses nothing, and one after it forgets nothing', async () => {
  const { during, get, post } = await openRestartedService();
  const quote = await during(async () => ((await (await get(playbook)).json()) as { quote: string }).quote);
  const payment = await during(
    async () => ((await (await post('/api/pay', { quote })).json()) as { payment: string }).payment,
  );
  assert.equal(await during(async () => (await get(playbook, { 'X-Payment': payment })).status), 200);
  const answer = (await during(async () => (await post('/api/pay', { quote })).json())) as { reason: string };
  assert.equal(answer.reason, 'used');
});
