import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
} from '@x402/core/http';
import { PaymentPayloadV2Schema, parsePaymentRequired } from '@x402/core/schemas';
import { PaymentRefused, type RefusalReason } from '#api/payments/payment-refused.ts';
import { createPayments, type Payments, type Price, paymentPolicy } from '#api/payments/payments.ts';
import { openPaymentSecret } from '#api/payments/secret.ts';
import { createPaymentsSpent, openPaymentsSpent, type PaymentsSpent } from '#api/payments/spent.ts';
import { fromHeaderValue, toHeaderValue, toMillionths } from '#api/payments/x402.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';

const folder = mkdtempSync(join(tmpdir(), 'payments-'));
after(() => rmSync(folder, { recursive: true }));

const start = Date.parse('2026-11-21T12:00:00Z');
const secret = Buffer.alloc(32, 7);
const payUrl = 'https://porchlight.example/api/pay';
const audit: Price = {
  resource: {
    url: 'https://porchlight.example/api/audit',
    description: 'One audit beyond the free three – “demo”',
    mimeType: 'application/json',
  },
  amountUsd: '0.005',
};
const playbook: Price = {
  resource: { ...audit.resource, url: 'https://porchlight.example/api/premium/playbook' },
  amountUsd: '0.10',
};

interface Setting {
  payments: Payments;
  spent: PaymentsSpent;
  /** Sets the clock to so many seconds after the start. */
  at: (seconds: number) => void;
}

function createSetting(): Setting {
  let clock = start;
  const now = (): Date => new Date(clock);
  const spent = createPaymentsSpent({ now });
  return {
    spent,
    payments: createPayments({ secret, payUrl, spent, now }),
    at: (seconds) => {
      clock = start + seconds * 1000;
    },
  };
}

const quoteFor = (payments: Payments, price: Price): string =>
  payments.toPaymentRequired({ ...price, error: 'Payment is due.' }).quote;
const payFor = (payments: Payments, price: Price): string => payments.pay(quoteFor(payments, price)).payment;

const refusedAs =
  (reason: RefusalReason) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof PaymentRefused, String(error));
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, /\.$/);
    return true;
  };

test('a 402 is a PaymentRequired of x402 version 2, in the header and in the body', () => {
  const { payments } = createSetting();
  const { document, header, quote } = payments.toPaymentRequired({ ...audit, error: 'Payment is due.' });
  assert.deepEqual(document, {
    x402Version: 2,
    error: 'Payment is due.',
    resource: audit.resource,
    accepts: [
      {
        scheme: 'mock',
        network: 'demo:local',
        asset: 'DEMO',
        amount: '5000',
        payTo: 'demo:nobody',
        maxTimeoutSeconds: 600,
        extra: { demo: true, amount_usd: '0.005', quote, pay_url: payUrl },
      },
    ],
  });
  assert.equal(parsePaymentRequired(document).success, true);
  assert.deepEqual(decodePaymentRequiredHeader(header), document);
  assert.deepEqual(fromHeaderValue(header), document);
});

test('a paid quote is a payment payload, used once, and the settlement says so', async () => {
  const { payments } = createSetting();
  const { document, quote } = payments.toPaymentRequired({ ...audit, error: 'Payment is due.' });
  const paid = payments.pay(quote);
  const { payment, ...rest } = paid;
  assert.deepEqual(rest, {
    header: 'X-Payment',
    resource: audit.resource.url,
    amount_usd: '0.005',
    expires_at: '2026-11-21T12:10:00.000Z',
    demo: true,
  });
  const payload = decodePaymentSignatureHeader(payment);
  assert.equal(PaymentPayloadV2Schema.safeParse(payload).success, true);
  assert.deepEqual(payload.accepted, document.accepts[0]);
  assert.deepEqual(Object.keys(payload.payload).sort(), ['expires', 'hmac', 'id', 'issued']);

  const reservation = payments.reserve({ xPayment: payment }, audit);
  const { header, settlement } = await reservation.commit();
  assert.deepEqual(settlement, {
    success: true,
    transaction: reservation.id,
    network: 'demo:local',
    amount: '5000',
    extra: { demo: true },
  });
  assert.deepEqual(decodePaymentResponseHeader(header), settlement);
  assert.throws(() => payments.reserve({ xPayment: payment }, audit), refusedAs('used'));
  assert.throws(() => payments.pay(quote), refusedAs('used'));
});

describe('headers', () => {
  const { payments } = createSetting();
  const [payment, other] = [payFor(payments, audit), payFor(payments, audit)];
  it('X-Payment counts', () => payments.reserve({ xPayment: payment }, audit).release());
  it('PAYMENT-SIGNATURE counts', () => payments.reserve({ paymentSignature: payment }, audit).release());
  it('both with the same payment count', () =>
    payments.reserve({ xPayment: payment, paymentSignature: payment }, audit).release());
  it('two payments in one request are refused', () =>
    assert.throws(
      () => payments.reserve({ xPayment: payment, paymentSignature: other }, audit),
      refusedAs('malformed'),
    ));
  it('none is refused as missing', () => assert.throws(() => payments.reserve({}, audit), refusedAs('missing')));
});

describe('one payment, several requests', () => {
  it('of requests at the same moment one gets it, the others hear why', async () => {
    const { payments } = createSetting();
    const payment = payFor(payments, audit);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await new Promise((resolve) => setImmediate(resolve));
        try {
          const headers = index % 2 === 0 ? { xPayment: payment } : { paymentSignature: payment };
          await payments.reserve(headers, audit).commit();
          return 'delivered';
        } catch (error) {
          assert.ok(error instanceof PaymentRefused);
          return error.reason;
        }
      }),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'delivered').length, 1);
    assert.ok(outcomes.every((outcome) => ['delivered', 'in-use', 'used'].includes(outcome)));
  });

  it('it is held while a request is under way, and good again when that ends without a result', async () => {
    const { payments, at } = createSetting();
    const payment = payFor(payments, audit);
    const first = payments.reserve({ xPayment: payment }, audit);
    assert.throws(() => payments.reserve({ xPayment: payment }, audit), refusedAs('in-use'));
    first.release();
    first.release();
    await assert.rejects(first.commit(), /is released already/);
    const second = payments.reserve({ xPayment: payment }, audit);
    at(700);
    await second.commit();
    second.release();
    await assert.rejects(second.commit(), /is committed already/);
    at(0);
    assert.throws(() => payments.reserve({ xPayment: payment }, audit), refusedAs('used'));
  });

  it('a quote that is paid again gives the same payment: it still buys one thing', async () => {
    const { payments, at } = createSetting();
    const quote = quoteFor(payments, audit);
    const first = payments.pay(quote).payment;
    at(590);
    const second = payments.pay(quote).payment;
    assert.notEqual(first, second);
    const reservation = payments.reserve({ xPayment: first }, audit);
    assert.throws(() => payments.reserve({ xPayment: second }, audit), refusedAs('in-use'));
    await reservation.commit();
    at(1189);
    assert.throws(() => payments.reserve({ xPayment: second }, audit), refusedAs('used'));
  });

  it('is as good as before when its use could not be stored', async () => {
    const { spent } = createSetting();
    let isDiskFull = true;
    const payments = createPayments({
      secret,
      payUrl,
      now: () => new Date(start),
      spent: {
        has: spent.has,
        remove: async () => undefined,
        add: async (id, until) => {
          if (isDiskFull) {
            throw new StorageUnavailable('The disk is full.');
          }
          return spent.add(id, until);
        },
      },
    });
    const payment = payFor(payments, audit);
    await assert.rejects(payments.reserve({ xPayment: payment }, audit).commit(), StorageUnavailable);
    isDiskFull = false;
    await payments.reserve({ xPayment: payment }, audit).commit();
    assert.throws(() => payments.reserve({ xPayment: payment }, audit), refusedAs('used'));
  });
});

interface Payload {
  x402Version: unknown;
  resource?: Record<string, unknown> | null;
  accepted: Record<string, unknown>;
  payload: Record<string, unknown>;
  [other: string]: unknown;
}

/** Takes a payment apart, lets a case change it, and puts it together again. */
const changed =
  (change: (payload: Payload) => unknown) =>
  (payment: string): string =>
    toHeaderValue((change(fromHeaderValue(payment) as Payload) ?? {}) as object);
const withField = (place: 'resource' | 'accepted' | 'payload', fields: Record<string, unknown>) =>
  changed((payload) => ({ ...payload, [place]: { ...payload[place], ...fields } }));
const stranger = createPayments({
  secret: Buffer.alloc(32, 8),
  payUrl,
  now: () => new Date(start),
  spent: createPaymentsSpent({ now: () => new Date(start) }),
});
const exact = {
  x402Version: 2,
  resource: audit.resource,
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    amount: '5000',
    payTo: `0x${'1'.repeat(40)}`,
    maxTimeoutSeconds: 60,
  },
  payload: { signature: '0x', authorization: {} },
};

describe('what is no good payment is refused with its reason', () => {
  const cases: [string, RefusalReason, (payment: string) => string][] = [
    ['empty', 'malformed', () => ''],
    ['a word', 'malformed', () => 'paid'],
    ['base64 with a blank', 'malformed', (payment) => `${payment.slice(0, 40)} ${payment.slice(40)}`],
    [
      'without its padding',
      'malformed',
      (payment) => (payment.endsWith('=') ? payment.replace(/=+$/, '') : `${payment}=`),
    ],
    ['two header lines joined', 'malformed', (payment) => `${payment}, ${payment}`],
    ['cut short', 'malformed', (payment) => payment.slice(0, payment.length - 40 - (payment.length % 4))],
    ['base64 of no JSON', 'malformed', () => Buffer.from('{"x402Version":').toString('base64')],
    ['base64 of broken UTF-8', 'malformed', () => Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')],
    ['JSON null', 'malformed', () => Buffer.from('null').toString('base64')],
    ['a JSON array', 'malformed', (payment) => toHeaderValue([fromHeaderValue(payment)])],
    ['an empty object', 'malformed', () => toHeaderValue({})],
    ['too long', 'malformed', changed((payload) => ({ ...payload, extensions: { long: 'x'.repeat(8192) } }))],
    ['deeply nested', 'malformed', () => Buffer.from('['.repeat(6000)).toString('base64')],
    ['x402 version 1', 'malformed', changed((payload) => ({ ...payload, x402Version: 1 }))],
    ['the version as text', 'malformed', changed((payload) => ({ ...payload, x402Version: '2' }))],
    ['without accepted', 'malformed', changed(({ accepted: _, ...payload }) => payload)],
    ['without payload', 'malformed', changed(({ payload: _, ...rest }) => rest)],
    ['an amount that is a number', 'malformed', withField('accepted', { amount: 5000 })],
    ['a further field in the proof', 'malformed', withField('payload', { admin: true })],
    [
      '__proto__ in the proof',
      'malformed',
      (payment) => {
        const text = JSON.stringify(fromHeaderValue(payment)).replace(
          '"payload":{',
          '"payload":{"__proto__":{"id":"x"},',
        );
        return Buffer.from(text).toString('base64');
      },
    ],
    ['an id of another shape', 'malformed', withField('payload', { id: '../../secret' })],
    ['an empty HMAC', 'malformed', withField('payload', { hmac: '' })],
    ['an HMAC in hexadecimal', 'malformed', withField('payload', { hmac: 'ab'.repeat(32) })],
    ['a time with a fraction', 'malformed', withField('payload', { expires: 1.5 })],
    ['a time beyond all integers', 'malformed', withField('payload', { expires: 1e300 })],
    ['a payment in real money', 'other-method', () => toHeaderValue(exact)],
    ['another scheme', 'other-method', withField('accepted', { scheme: 'exact' })],
    ['another network', 'other-method', withField('accepted', { network: 'eip155:8453' })],
    ['another asset', 'other-method', withField('accepted', { asset: 'USDC' })],
    ['another payee', 'other-method', withField('accepted', { payTo: 'demo:me' })],
    ['another id', 'forged', withField('payload', { id: 'A'.repeat(22) })],
    [
      'a later expiry',
      'forged',
      changed((payload) => ({
        ...payload,
        payload: { ...payload.payload, expires: Number(payload.payload['expires']) + 1 },
      })),
    ],
    ['an earlier issue', 'forged', withField('payload', { issued: 0 })],
    ['another HMAC', 'forged', withField('payload', { hmac: 'A'.repeat(43) })],
    ['another amount', 'forged', withField('accepted', { amount: '1' })],
    ['the amount with a zero in front', 'forged', withField('accepted', { amount: '05000' })],
    ['another resource', 'forged', withField('resource', { url: playbook.resource.url })],
    ['made with another secret', 'forged', () => payFor(stranger, audit)],
    [
      'the HMAC of another payment',
      'forged',
      (payment) => {
        const { payload } = fromHeaderValue(payFor(stranger, audit)) as Payload;
        return withField('payload', { hmac: payload['hmac'] })(payment);
      },
    ],
  ];
  const { payments } = createSetting();
  for (const [name, reason, change] of cases) {
    it(`${name}: ${reason}`, () => {
      const payment = payFor(payments, audit);
      assert.throws(() => payments.reserve({ xPayment: change(payment) }, audit), refusedAs(reason));
      // The attempt used nothing up.
      payments.reserve({ xPayment: payment }, audit).release();
    });
  }

  it('for another resource', () => {
    const payment = payFor(payments, audit);
    assert.throws(() => payments.reserve({ xPayment: payment }, playbook), refusedAs('other-resource'));
    const elsewhere = { ...audit, resource: { ...audit.resource, url: `${audit.resource.url}?free=1` } };
    assert.throws(() => payments.reserve({ xPayment: payment }, elsewhere), refusedAs('other-resource'));
    const nameless = changed(({ resource: _, ...payload }) => payload)(payment);
    assert.throws(() => payments.reserve({ xPayment: nameless }, playbook), refusedAs('forged'));
  });

  it('over another amount', () => {
    const payment = payFor(payments, audit);
    for (const amountUsd of ['0.10', '0.004', '0.005001']) {
      assert.throws(() => payments.reserve({ xPayment: payment }, { ...audit, amountUsd }), refusedAs('other-amount'));
    }
  });

  it('past its ten minutes', () => {
    const setting = createSetting();
    const payment = payFor(setting.payments, audit);
    setting.at(599.999);
    setting.payments.reserve({ xPayment: payment }, audit).release();
    setting.at(600);
    assert.throws(() => setting.payments.reserve({ xPayment: payment }, audit), refusedAs('expired'));
  });
});

test('what names no resource counts for the one it was made for', () => {
  const { payments } = createSetting();
  const payment = payFor(payments, audit);
  for (const resource of [undefined, null]) {
    const bare = changed((payload) => ({ ...payload, resource }))(payment);
    payments.reserve({ paymentSignature: bare }, audit).release();
  }
});

describe('what is no good quote is refused with its reason', () => {
  const setting = createSetting();
  const alter = (change: (quote: Record<string, unknown>) => object) => (token: string) => {
    const [text = '', mark] = token.split('.');
    const quote = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
    return `${Buffer.from(JSON.stringify(change(quote))).toString('base64url')}.${mark}`;
  };
  const cases: [string, RefusalReason, (token: string) => unknown][] = [
    ['nothing', 'malformed', () => undefined],
    ['a number', 'malformed', () => 5000],
    ['an object', 'malformed', (token) => ({ token })],
    ['a list with the quote', 'malformed', (token) => [token]],
    ['empty', 'malformed', () => ''],
    ['without its seal', 'malformed', (token) => token.split('.')[0]],
    ['with a line break', 'malformed', (token) => `${token}\n`],
    ['no JSON inside', 'malformed', (token) => `AAAA.${token.split('.')[1]}`],
    ['too long', 'malformed', (token) => `${'A'.repeat(5000)}${token}`],
    ['a further field', 'malformed', alter((quote) => ({ ...quote, discount: 1 }))],
    ['a lower price', 'forged', alter((quote) => ({ ...quote, amountUsd: '0.000001' }))],
    ['another resource', 'forged', alter((quote) => ({ ...quote, url: playbook.resource.url }))],
    ['a later expiry', 'forged', alter((quote) => ({ ...quote, expires: Number(quote['expires']) + 1 }))],
    ['another id', 'forged', alter((quote) => ({ ...quote, id: 'B'.repeat(22) }))],
    ['another seal', 'forged', (token) => `${token.split('.')[0]}.${'A'.repeat(43)}`],
    ['made with another secret', 'forged', () => quoteFor(stranger, audit)],
  ];
  for (const [name, reason, change] of cases) {
    it(`${name}: ${reason}`, () => {
      assert.throws(() => setting.payments.pay(change(quoteFor(setting.payments, audit))), refusedAs(reason));
    });
  }

  it('past its ten minutes', () => {
    const quote = quoteFor(setting.payments, audit);
    setting.at(paymentPolicy.quoteMaxAgeSeconds);
    assert.throws(() => setting.payments.pay(quote), refusedAs('expired'));
  });
});

test('a restart loses neither a quote, a payment nor its use', async () => {
  const files = { secret: join(folder, 'payment-secret.json'), spent: join(folder, 'payments-spent.json') };
  const now = (): Date => new Date(start);
  const run = async <Result>(job: (payments: Payments) => Result | Promise<Result>): Promise<Result> => {
    const spent = await openPaymentsSpent({ file: files.spent, now });
    try {
      return await job(createPayments({ secret: await openPaymentSecret(files.secret), payUrl, spent, now }));
    } finally {
      await spent.close();
    }
  };
  const quote = await run((payments) => quoteFor(payments, audit));
  assert.equal(statSync(files.secret).mode & 0o777, 0o600);
  const payment = await run((payments) => payments.pay(quote).payment);
  // A request that was under way when the service ended.
  await run((payments) => {
    payments.reserve({ xPayment: payment }, audit);
  });
  await run(async (payments) => payments.reserve({ xPayment: payment }, audit).commit());
  await run((payments) => {
    assert.throws(() => payments.reserve({ xPayment: payment }, audit), refusedAs('used'));
    assert.throws(() => payments.pay(quote), refusedAs('used'));
  });
});

describe('the secret', () => {
  it('is made once and kept', async () => {
    const file = join(folder, 'kept.json');
    const made = await openPaymentSecret(file);
    assert.equal(made.length, 32);
    assert.deepEqual(Buffer.from(await openPaymentSecret(file)), Buffer.from(made));
  });

  for (const text of ['', '{', '{}', '{"secret":"short"}', `{"secret":"${'A'.repeat(43)}","more":1}`]) {
    it(`is never replaced when the file holds ${JSON.stringify(text)}`, async () => {
      const file = join(folder, 'damaged.json');
      writeFileSync(file, text);
      await assert.rejects(openPaymentSecret(file), /Nothing was changed/);
    });
  }

  it('has to be long', () => {
    const { spent } = createSetting();
    assert.throws(
      () => createPayments({ secret: Buffer.alloc(31), payUrl, spent, now: () => new Date(start) }),
      /at least 32/,
    );
  });
});

test('prices become millionths', () => {
  for (const [price, millionths] of [
    ['0.005', '5000'],
    ['0.10', '100000'],
    ['0.1', '100000'],
    ['1', '1000000'],
    ['0.000001', '1'],
    ['12.34', '12340000'],
  ] as const) {
    assert.equal(toMillionths(price), millionths);
  }
  for (const price of ['', '0', '0.000000', '-1', '+1', '1e3', '.5', '1.', '0.0000001', '$1', '1,5', ' 1', 'NaN']) {
    assert.throws(() => toMillionths(price), /is not a price/);
  }
});
