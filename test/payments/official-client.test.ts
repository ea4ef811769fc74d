import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { freePort } from '../../scripts/support/ports.ts';
import { bareSite, openSite } from '../audit/sites.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp } from '../support/test-app.ts';

/** The service on a free port, with its two prices; the free audits of the test's address are used up. */
async function startShop(): Promise<{ base: string; site: string }> {
  const site = await openSite(bareSite);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { app, context } = createTestApp({
    now: () => new Date(),
    limits: noLimits,
    environment: { BASE_URL: base, AUDIT_ALLOW_HOSTS: site.host },
  });
  const server = app.listen(port, '127.0.0.1');
  after(async () => {
    site.close();
    server.close();
    await context.auditService.stop();
  });
  await once(server, 'listening');
  while ((await context.freeAudits.take('127.0.0.1')).granted) {}
  return { base, site: `${site.origin}/` };
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
  const { base, site } = await startShop();
  const resources: [name: string, amount: string, ask: (headers?: Record<string, string>) => Promise<Response>][] = [
    ['the playbook', '100000', (headers = {}) => fetch(`${base}/api/premium/playbook`, { headers })],
    [
      'an audit',
      '5000',
      (headers = {}) =>
        fetch(`${base}/api/audit`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify({ url: site }),
        }),
    ],
  ];

  for (const [name, amount, ask] of resources) {
    it(`reads the 402 of ${name}, pays, and gets what it paid for`, async () => {
      const http = createClient();
      const due = await ask();
      assert.equal(due.status, 402);
      const required = http.getPaymentRequiredResponse((header) => due.headers.get(header), await due.json());
      assert.equal(required.accepts[0]?.amount, amount);
      const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
      assert.deepEqual(Object.keys(headers), ['PAYMENT-SIGNATURE']);

      const delivered = await ask(headers);
      assert.equal(delivered.status, 200);
      await delivered.arrayBuffer();
      const settlement = http.getPaymentSettleResponse((header) => delivered.headers.get(header));
      assert.equal(settlement.success, true);
      assert.equal(settlement.network, 'demo:local');
      assert.equal(settlement.amount, amount);
      assert.equal(delivered.headers.get('x-payment-response'), delivered.headers.get('payment-response'));

      const again = await ask(headers);
      const { reason } = (await again.json()) as { reason?: string };
      // A payment buys one audit; the playbook it opens until it expires.
      assert.deepEqual([again.status, reason], name.includes('playbook') ? [200, undefined] : [402, 'used']);
    });

    it(`the 402 of ${name} keeps the schema of the official library`, async () => {
      const due = await ask();
      const document = JSON.parse(Buffer.from(due.headers.get('payment-required') ?? '', 'base64').toString());
      PaymentRequiredV2Schema.parse(document);
      PaymentRequiredV2Schema.parse(await due.json());
    });

    it(`with its default limits on spending it does not pay for ${name}: it does not know the asset`, async () => {
      const http = createClient({});
      const due = await ask();
      const required = http.getPaymentRequiredResponse((header) => due.headers.get(header), await due.json());
      await assert.rejects(http.createPaymentPayload(required));
    });
  }
});
