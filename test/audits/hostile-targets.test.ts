import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { openDnsServer } from '../audit/dns-server.ts';
import { literalHosts, privateZones } from '../audit/hostile-hosts.ts';
import { postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { openPort } from '../support/open-port.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

/** Addresses that lead nowhere public, beside those whose host is the trouble. */
const hostileAddresses = [
  '',
  'example.com',
  '//example.com/',
  ' https://example.com',
  'https://example.com/a b',
  'https://exam\tple.com/',
  'https://example.com/\r\nHost: 127.0.0.1',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'javascript:alert(1)',
  'data:text/html,hello',
  'https://user:secret@example.com/',
  'https://example.com:22/',
  'https://example.com:0/',
  'http://wiki/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://site.test/',
  'http://abcdef.onion/',
  `https://example.com/${'a'.repeat(2100)}`,
];

describe('hostile targets', async () => {
  let visits = 0;
  const count = (socket: net.Socket): void => {
    visits += 1;
    socket.destroy();
  };
  const canaries: net.Server[] = [];
  let port = 0;
  for (const host of ['127.0.0.1', '127.99.0.1', '::1']) {
    const server = net.createServer(count).listen(port, host);
    const isThere = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (isThere) {
      port ||= (server.address() as net.AddressInfo).port;
      canaries.push(server);
    }
  }
  const dns = await openDnsServer({
    ...Object.fromEntries(Object.entries(privateZones).map(([name, addresses]) => [name, { addresses }])),
    'missing.site.net': { addresses: [] },
    'leads-in.site.net': { addresses: ['127.0.0.1'] },
  });
  after(async () => {
    for (const server of canaries) {
      server.close();
    }
    await dns.close();
  });
  const { app, context } = createTestApp({
    limits: noLimits,
    nameServers: [dns.address],
    environment: { AUDIT_ALLOW_PORTS: String(port) },
  });
  after(() => context.auditService.stop());
  const origin = await openPort(app);
  const left = async (): Promise<number> => (await context.freeAudits.status('127.0.0.1')).remaining;

  const addresses = [
    ...hostileAddresses,
    ...literalHosts.map((host) => {
      const [authority = '', rest = ''] = host.split(/(?=[#\\])/);
      return `http://${authority}:${port}${rest}/`;
    }),
    ...Object.keys(privateZones).map((name) => `http://${name}:${port}/`),
  ];
  it('are many', () => assert.ok(addresses.length >= 60 && canaries.length > 0, String(addresses.length)));

  for (const url of addresses) {
    it(`${JSON.stringify(url).slice(0, 70)} is refused and reaches nothing`, async () => {
      for (const path of ['/api/audit', '/api/audit/look', '/api/directory']) {
        // The directory takes https alone.
        const { body, status } = await postJson(origin, path, {
          url: path === '/api/directory' ? url.replace(/^http:/, 'https:') : url,
        });
        assert.equal(status, 422);
        const expected = url === '' || url.length > 2048 ? 'invalid-fields' : 'audit-target-refused';
        assert.equal(body.type, `${testBaseUrl}/problems/${expected}`);
        assert.ok(body.detail.length > 20 && !body.detail.includes('secret'), body.detail);
      }
      assert.equal(visits, 0);
      assert.equal(await left(), 3);
    });
  }

  it('a name without an address is unreachable at the step dns, which counts', async () => {
    const { body } = await postJson(origin, '/api/audit', { url: 'http://missing.site.net/' }).expect(502);
    assert.equal(body.step, 'dns');
    assert.equal(await left(), 2);
  });
});
