import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import express from 'express';
import { PaymentRefused } from '#api/payments/payment-refused.ts';
import { createPayments, type Price } from '#api/payments/payments.ts';
import { createPaymentsSpent } from '#api/stores/payments-spent.ts';

const now = (): Date => new Date('2026-11-21T12:00:00Z');

/** A small service with one paid resource, as a stranger would build it on the leaf. */
async function startShop(): Promise<string> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const price: Price = {
    resource: { url: `${base}/playbook`, description: 'The playbook – a demonstration', mimeType: 'application/json' },
    amountUsd: '0.10',
  };
  const payments = createPayments({
    secret: Buffer.alloc(32, 1),
    payUrl: `${base}/api/pay`,
    spent: createPaymentsSpent({ now }),
    now,
  });
  app.post('/api/pay', express.json(), (request, response) => {
    response.json(payments.pay((request.body as { quote?: unknown }).quote));
  });
  app.get('/playbook', async (request, response) => {
    try {
      const reservation = payments.reserve(
        { xPayment: request.get('x-payment'), paymentSignature: request.get('payment-signature') },
        price,
      );
      const { header } = await reservation.commit();
      response.set({ 'X-Payment-Response': header, 'PAYMENT-RESPONSE': header }).json({ chapters: 12 });
    } catch (error) {
      if (!(error instanceof PaymentRefused)) {
        throw error;
      }
      const { document, header, quote } = payments.toPaymentRequired({ ...price, error: error.message });
      response.status(402).set({ 'PAYMENT-REQUIRED': header, 'Cache-Control': 'no-store' });
      response.json({ ...document, quote, reason: error.reason });
    }
  });
  return base;
}

/** The official client, taught the one scheme: it pays at the address that the 402 names. */
function createClient(options: { spendControls?: false } = { spendControls: false }): x402HTTPClient {
  const client = x402Client.fromConfig({ schemes: [], ...options });
  client.register('demo:*', {
    scheme: 'mock',
    async createPaymentPayload(x402Version, { extra }) {
      const answer = await fetch(String(extra['pay_url']), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ quote: extra['quote'] }),
      });
      const { payment } = (await answer.json()) as { payment: string };
      const { payload } = JSON.parse(Buffer.from(payment, 'base64').toString()) as { payload: Record<string, unknown> };
      return { x402Version, payload };
    },
  });
  return new x402HTTPClient(client);
}

describe('the official x402 client', async () => {
  const base = await startShop();
  const ask = (headers: Record<string, string> = {}): Promise<Response> => fetch(`${base}/playbook`, { headers });

  it('reads the 402, pays, and gets the resource once', async () => {
    const http = createClient();
    const due = await ask();
    assert.equal(due.status, 402);
    const required = http.getPaymentRequiredResponse((name) => due.headers.get(name), await due.json());
    assert.equal(required.accepts[0]?.amount, '100000');
    const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
    assert.deepEqual(Object.keys(headers), ['PAYMENT-SIGNATURE']);

    const delivered = await ask(headers);
    assert.equal(delivered.status, 200);
    assert.deepEqual(await delivered.json(), { chapters: 12 });
    const settlement = http.getPaymentSettleResponse((name) => delivered.headers.get(name));
    assert.equal(settlement.success, true);
    assert.equal(settlement.network, 'demo:local');
    assert.equal(settlement.amount, '100000');
    assert.equal(delivered.headers.get('x-payment-response'), delivered.headers.get('payment-response'));

    const again = await ask(headers);
    assert.equal(again.status, 402);
    assert.equal(((await again.json()) as { reason: string }).reason, 'used');
  });

  it('with its default limits on spending it does not pay in an asset that it does not know', async () => {
    const http = createClient({});
    const due = await ask();
    const required = http.getPaymentRequiredResponse((name) => due.headers.get(name), await due.json());
    await assert.rejects(http.createPaymentPayload(required));
  });

  it('a client without the library does the same through X-Payment; of four requests at once one is served', async () => {
    const { quote } = (await (await ask()).json()) as { quote: string };
    const paid = (await (
      await fetch(`${base}/api/pay`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ quote }),
      })
    ).json()) as { payment: string; header: string };
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask({ [paid.header]: paid.payment })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402, 402, 402]);
  });
});
