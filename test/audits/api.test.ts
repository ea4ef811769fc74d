import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, describe, it, test } from 'node:test';
import request from 'supertest';
import { auditReport, type CheckResult } from '#api/audit/report.ts';
import { AuditFailed } from '#api/audits/errors.ts';
import { auditPolicy } from '#api/audits/policy.ts';
import { createAuditService } from '#api/audits/service.ts';
import { AuditAnswer } from '#api/audits/start.ts';
import { createAudits } from '#api/audits/store.ts';
import { publicPolicy } from '#api/fetch/target.ts';
import { createCounters } from '#api/stores/counters.ts';
import { openDnsServer } from '../audit/dns-server.ts';
import { literalHosts, privateZones } from '../audit/hostile-hosts.ts';
import { type Answer, bareSite, goodSite, openSite } from '../audit/sites.ts';
import { payAt, postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp, testBaseUrl, testMoment, until } from '../support/test-app.ts';

/** Opens a site of the test and an application that may audit it. */
async function serve(answer: Answer, options: { delayMs?: number; environment?: Record<string, string> } = {}) {
  const site = await openSite(answer, options.delayMs);
  after(() => site.close());
  const own = createTestApp({
    limits: noLimits,
    environment: { AUDIT_ALLOW_HOSTS: site.host, ...options.environment },
  });
  after(() => own.context.auditService.stop());
  return { ...own, site, url: `${site.origin}/` };
}

interface Event {
  event: string;
  data: Record<string, unknown>;
}

const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });

const stream = (app: Parameters<typeof request>[0], url: string) =>
  request(app).post('/api/audit').set('Accept', 'text/event-stream').send({ url });

describe('an audit', async () => {
  const { app, url, site, log } = await serve(goodSite);
  const first = await postJson(app, '/api/audit', { url }).expect(200);

  it('answers with the whole report, the allowance and the id of the request', () => {
    const answer = AuditAnswer.parse(first.body);
    assert.equal(answer.url, url);
    assert.equal(answer.final_url, url);
    assert.equal(answer.payment, null);
    assert.deepEqual(answer.allowance, { limit: 3, remaining: 2, resets_at: '2026-11-21T13:00:00.000Z' });
    assert.equal(answer.request_id, first.get('x-request-id'));
    assert.equal(first.get('cache-control'), 'no-store');
    assert.equal(first.get('age'), undefined);
    assert.match(first.get('ratelimit') ?? '', /"audit"; r=2; t=\d+$/);
    assert.match(first.get('ratelimit-policy') ?? '', /"audit"; q=3; w=3600$/);
    assert.equal(log.filter((line) => 'fault' in line).length, 0);
  });

  it('asks as PorchlightAudit, signed with the key of the site', () => {
    assert.ok(site.asked.length > 5);
    for (const { headers } of site.asked) {
      assert.match(
        headers['user-agent'] ?? '',
        /PorchlightAudit\/\d+\.\d+\.\d+ \(\+https:\/\/porch\.example\/about\)$/,
      );
      assert.match(String(headers['signature-input']), /^sig1=\("@method" "@authority" "@path"/);
      assert.match(String(headers['signature-agent']), /^sig1="https:\/\/porch\.example"$/);
    }
  });

  it('of a site that was audited just now is answered from that result, with its age; it counts all the same', async () => {
    const before = site.asked.length;
    const again = await postJson(app, '/api/audit', { url: site.origin }).expect(200).expect('Age', '0');
    assert.equal(site.asked.length, before);
    assert.equal(again.body.audited_at, first.body.audited_at);
    assert.equal(again.body.allowance.remaining, 1);
  });

  it('another address of the site is another audit', async () => {
    const other = await postJson(app, '/api/audit', { url: `${url}guide/a` }).expect(200);
    assert.equal(other.body.url, `${url}guide/a`);
    assert.equal(other.get('age'), undefined);
  });
});

describe('the views of an audit', async () => {
  const { app, url } = await serve(bareSite);
  const ask = (body: object) => postJson(app, '/api/audit', { url, ...body });

  it('summary: the diagnosis, the plan and where the rest is, in 8 KB', async () => {
    const { body, text } = await ask({ view: 'summary' }).expect(200);
    assert.equal(Object.keys(body)[0], 'content_notice');
    assert.ok(Buffer.byteLength(text) <= 8192, `${text.length} bytes`);
    assert.ok(body.plan.length > 3);
    assert.equal(body.checks, undefined);
    assert.match(body.views.fixes, /\/audit\.md\?url=.*&view=fixes$/);
    assert.ok(body.fixes.files.includes('site/llms.txt'));
  });

  it('fixes: one document, for the platform that was asked for', async () => {
    const { body } = await ask({ view: 'fixes', platform: 'caddy' }).expect(200);
    assert.equal(body.platform, 'caddy');
    assert.match(body.document, /^# Make http/);
    assert.match(body.document, /`Caddyfile`, in the configuration of the server/);
    assert.ok(body.document.length <= 24_000, `${body.document.length} characters`);
  });

  it('a view or a platform that there is none of is refused, with those that there are', async () => {
    const wrong = await ask({ view: 'short' }).expect(422);
    assert.match(JSON.stringify(wrong.body.errors), /full.*summary.*fixes/);
    await ask({ view: 'fixes', platform: 'iis' }).expect(422);
  });
});

test('a low score is an answer like any other', async () => {
  const { app, url } = await serve(bareSite);
  const { body } = await postJson(app, '/api/audit', { url }).expect(200);
  assert.ok(body.score < 70);
  assert.equal(body.certifiable, false);
  assert.ok(body.checks.some((check: { fix: unknown }) => check.fix !== null));
});

test('requests for one site at the same moment share one audit, and each counts', async () => {
  const { app, url, site } = await serve(bareSite, { delayMs: 20 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => postJson(app, '/api/audit', { url })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 402]);
  assert.equal(new Set(answers.flatMap(({ body }) => body.audited_at ?? [])).size, 1);
  assert.equal(site.asked.filter(({ path }) => path === '/robots.txt').length, 1);
});

test('a caller who goes away does not end an audit that another one waits for', async () => {
  const { app, url, site } = await serve(bareSite, { delayMs: 30 });
  const server = app.listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/api/audit`;
  const leaving = new AbortController();
  const ask = (signal?: AbortSignal) =>
    fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      ...(signal === undefined ? {} : { signal }),
    });
  const first = ask(leaving.signal).catch((error: Error) => error.name);
  await until(() => site.asked.length > 0, 'the audit begins');
  const second = ask();
  await until(() => site.asked.length > 1, 'the audit goes on');
  leaving.abort();
  assert.equal(await first, 'AbortError');
  assert.equal((await second).status, 200);
});

test('an audit that nobody waits for any more ends', async () => {
  const { app, url, site, context } = await serve(bareSite, { delayMs: 300 });
  const server = app.listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const leaving = new AbortController();
  const gone = fetch(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}/api/audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    signal: leaving.signal,
  }).catch(() => 'gone');
  await until(() => site.asked.length > 0, 'the audit begins');
  leaving.abort();
  assert.equal(await gone, 'gone');
  await until(() => context.auditService.load.running === 0, 'the audit ends');
  assert.equal(context.audits.list().length, 0, 'what was cut short is not kept');
});

describe('beyond the free audits', async () => {
  const { app, url } = await serve(bareSite);
  for (let count = 0; count < 3; count += 1) {
    await postJson(app, '/api/audit', { url }).expect(200);
  }
  const due = await postJson(app, '/api/audit', { url });

  it('a payment is due: 402 with the x402 document in the header and in the body', () => {
    assert.equal(due.status, 402);
    assert.equal(due.get('content-type'), 'application/problem+json');
    assert.equal(due.get('cache-control'), 'no-store');
    const { body } = due;
    assert.equal(body.type, `${testBaseUrl}/problems/payment-required`);
    const inHeader = JSON.parse(Buffer.from(due.get('payment-required') ?? '', 'base64').toString());
    const { x402Version, error, resource, accepts } = body;
    assert.deepEqual(inHeader, { x402Version, error, resource, accepts });
    assert.equal(x402Version, 2);
    assert.equal(resource.url, `${testBaseUrl}/api/audit`);
    assert.equal(accepts[0].amount, '5000');
    assert.equal(accepts[0].network, 'demo:local');
    assert.equal(accepts[0].extra.amount_usd, '0.005');
    assert.equal(body.demo, true);
    assert.equal(body.reason, 'missing');
    assert.deepEqual(body.how_to_pay.body, { quote: body.quote });
    assert.deepEqual([body.how_to_pay.method, body.how_to_pay.path], ['POST', '/api/pay']);
    assert.equal(body.allowance.remaining, 0);
    assert.match(due.get('ratelimit') ?? '', /"audit"; r=0; t=\d+$/);
  });

  it('paid for, it is made once', async () => {
    const header = await payAt(app, due.body.quote);
    const paid = await postJson(app, '/api/audit', { url }, header).expect(200);
    assert.equal(paid.body.payment.demo, true);
    assert.equal(paid.body.payment.amount_usd, '0.005');
    const settlement = JSON.parse(Buffer.from(paid.get('payment-response') ?? '', 'base64').toString());
    assert.equal(settlement.success, true);
    assert.equal(settlement.transaction, paid.body.payment.transaction);
    assert.equal(paid.get('x-payment-response'), paid.get('payment-response'));
    const again = await postJson(app, '/api/audit', { url }, header).expect(402);
    assert.equal(again.body.reason, 'used');
    assert.notEqual(again.body.quote, due.body.quote);
  });

  it('a payment of an audit that ends without a result is good again', async () => {
    const { body } = await postJson(app, '/api/audit', { url }).expect(402);
    const header = await payAt(app, body.quote);
    await postJson(app, '/api/audit', { url: 'http://10.0.0.1/' }, header).expect(422);
    await postJson(app, '/api/audit', { url }, header).expect(200);
  });

  it('a paid stream tells what became of the payment, and of the age of the result', async () => {
    const payHeader = async () => payAt(app, (await postJson(app, '/api/audit', { url }).expect(402)).body.quote);
    for (const [target, isCached] of [
      [`${url}guide/new`, false],
      [url, true],
    ] as const) {
      const response = await stream(app, target)
        .set(await payHeader())
        .expect(200);
      const events = eventsOf(response.text);
      const told = events.find(({ event }) => event === 'headers')?.data ?? {};
      assert.equal(told['Age'], isCached ? '0' : undefined);
      const settlement = JSON.parse(Buffer.from(String(told['X-Payment-Response']), 'base64').toString());
      const result = AuditAnswer.parse(events.at(-1)?.data);
      assert.equal(settlement.transaction, result.payment?.transaction);
    }
  });

  it('an event stream is refused with 402 as well, before it begins', async () => {
    await request(app)
      .post('/api/audit')
      .set('Accept', 'text/event-stream')
      .send({ url })
      .expect(402)
      .expect('Content-Type', 'application/problem+json');
  });
});

test('a payment is used up before the first finding is sent: who leaves then has paid', async () => {
  const { app, url: home } = await serve(goodSite, { delayMs: 40 });
  for (let count = 0; count < 3; count += 1) {
    await postJson(app, '/api/audit', { url: home }).expect(200);
  }
  const url = `${home}guide/a`;
  const { body } = await postJson(app, '/api/audit', { url }).expect(402);
  const header = await payAt(app, body.quote);
  const server = app.listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const leaving = new AbortController();
  const response = await fetch(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}/api/audit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...header },
    body: JSON.stringify({ url }),
    signal: leaving.signal,
  });
  assert.equal(response.status, 200);
  let told = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    told += decoder.decode(chunk, { stream: true });
    if (told.includes('event: check')) {
      break;
    }
  }
  leaving.abort();
  assert.doesNotMatch(told, /event: result/);
  const again = await postJson(app, '/api/audit', { url }, header).expect(402);
  assert.equal(again.body.reason, 'used');
});

test('a payment of an audit that breaks off through our fault is good again', async () => {
  let audits = 0;
  const auditService = createAuditService({
    openProcess: () => ({
      isAlive: true,
      close: async () => undefined,
      async run(_task, _target, { onFinding }) {
        audits += 1;
        if (audits > 3) {
          onFinding(check);
          throw new AuditFailed('The process of the audit ended.');
        }
        return { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
      },
    }),
    policy: publicPolicy,
    counters: createCounters({ now: () => testMoment }),
    audits: createAudits({ report: auditReport, now: () => testMoment }),
    now: () => testMoment,
    onError: () => undefined,
  });
  const { app } = createTestApp({ auditService, limits: noLimits });
  for (let count = 0; count < 3; count += 1) {
    await postJson(app, '/api/audit', { url: `https://site-${count}.net/` }).expect(502);
  }
  const url = 'https://paid.net/';
  const { body } = await postJson(app, '/api/audit', { url }).expect(402);
  const header = await payAt(app, body.quote);
  await postJson(app, '/api/audit', { url }, header).expect(503);
  await postJson(app, '/api/audit', { url }, header).expect(503);
});

/** A finding, as a process tells it. */
const check: CheckResult = {
  id: 'https',
  technique: 'agent-identity',
  title: 'The site is on HTTPS',
  status: 'pass',
  cause: null,
  counted_by: null,
  points: 1,
  weight: 1,
  evidence: [],
  fix: null,
  reference: { title: 'RFC 9110', url: 'https://www.rfc-editor.org/rfc/rfc9110' },
  contested: null,
};

describe('an audit as a stream of events', async () => {
  const { app, url, site } = await serve(goodSite, { delayMs: 30 });
  const response = await stream(app, url).expect(200);
  const events = eventsOf(response.text);

  it('is not stored, not changed and not buffered on the way', () => {
    assert.equal(response.get('content-type'), 'text/event-stream');
    assert.equal(response.get('cache-control'), 'no-store, no-transform');
    assert.equal(response.get('x-accel-buffering'), 'no');
    assert.equal(response.get('content-encoding'), undefined);
  });

  it('tells of each request, and of each check once as soon as it is judged, and ends with the result', () => {
    const kinds = events.map(({ event }) => event);
    const last = AuditAnswer.parse(events.at(-1)?.data);
    assert.equal(kinds.at(-1), 'result');
    assert.deepEqual([...new Set(kinds)], ['progress', 'check', 'result']);
    const byId = (one: { id?: unknown }, other: { id?: unknown }): number =>
      String(one.id) < String(other.id) ? -1 : 1;
    const told = events.filter(({ event }) => event === 'check').map(({ data }) => data);
    for (const each of told) {
      assert.equal(Object.keys(each)[0], 'content_notice');
    }
    const checks = told.map(({ content_notice: _notice, ...check }) => check as { id?: unknown });
    assert.deepEqual(checks.toSorted(byId), last.checks.toSorted(byId));
    assert.ok(kinds.indexOf('check') < kinds.lastIndexOf('progress'), 'findings come while requests are on their way');
    const asked = events.filter(({ event, data }) => event === 'progress' && data['stage'] === 'asking');
    assert.ok(asked.some(({ data }) => data['name'] === 'robots' && data['outcome'] === 'ok'));
    assert.ok(asked.length >= 10 && site.asked.length >= 10);
  });

  it('ends with a problem when there is no result', async () => {
    site.close();
    const ended = eventsOf((await stream(app, `${url}guide/b`).expect(200)).text);
    assert.equal(ended.at(-1)?.event, 'problem');
    assert.equal(ended.at(-1)?.data['status'], 502);
    assert.equal(ended.at(-1)?.data['step'], 'connect');
    assert.equal(ended.at(-1)?.data['type'], `${testBaseUrl}/problems/audit-target-unreachable`);
  });

  it('is sent to who names it, and JSON to everybody else', async () => {
    for (const accept of ['*/*', 'application/json, text/event-stream;q=0.5', 'text/*']) {
      const other = await request(app).post('/api/audit').set('Accept', accept).send({ url: 'ftp://example.com' });
      assert.equal(other.get('content-type'), 'application/problem+json', accept);
    }
  });
});

describe('a site that cannot be audited', async () => {
  const failing: [name: string, answer: Answer, status: number, slug: string, member: string][] = [
    [
      'robots.txt forbids it to us',
      ({ path }) =>
        path === '/robots.txt' ? { type: 'text/plain', body: 'User-agent: PorchlightAudit\nDisallow: /\n' } : {},
      422,
      'audit-target-refused',
      'robots',
    ],
    [
      'robots.txt fails',
      ({ path }) => ({ status: path === '/robots.txt' ? 500 : 200 }),
      502,
      'audit-target-unreachable',
      'robots.txt',
    ],
    [
      'the home page leads to a private address',
      ({ path }) =>
        path === '/' ? { status: 302, headers: { Location: 'http://169.254.169.254/latest/' } } : { status: 404 },
      422,
      'audit-target-refused',
      'address',
    ],
    [
      'the home page leads in a circle',
      ({ path }) => (path === '/robots.txt' ? { status: 404 } : { status: 302, headers: { Location: '/' } }),
      502,
      'audit-target-unreachable',
      'redirects',
    ],
  ];
  for (const [name, answer, status, slug, member] of failing) {
    it(`${name}: ${status} ${slug}`, async () => {
      const { app, url, context } = await serve(answer);
      const { body } = await postJson(app, '/api/audit', { url }).expect(status);
      assert.equal(body.type, `${testBaseUrl}/problems/${slug}`);
      assert.equal(body.step ?? body.reason, member);
      assert.match(body.detail, /\.$/);
      const { remaining } = await context.freeAudits.status('127.0.0.1');
      assert.equal(remaining, slug === 'audit-target-refused' ? 3 : 2, 'what was refused costs nothing');
    });
  }

  it('nobody answers: 502 at the step connect', async () => {
    const { app, url, site } = await serve(bareSite);
    site.close();
    const { body } = await postJson(app, '/api/audit', { url }).expect(502);
    assert.equal(body.step, 'connect');
  });
});

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
        const { body, status } = await postJson(app, path, {
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
    const { body } = await postJson(app, '/api/audit', { url: 'http://missing.site.net/' }).expect(502);
    assert.equal(body.step, 'dns');
    assert.equal(await left(), 2);
  });
});

test('four audits run and sixteen wait; the next is told to come back, at no cost', async () => {
  let opened = 0;
  const over = Promise.withResolvers<void>();
  const audits = createAudits({ report: auditReport, now: () => testMoment });
  const auditService = createAuditService({
    openProcess: () => {
      opened += 1;
      return {
        isAlive: true,
        close: async () => undefined,
        run: async () => {
          await over.promise;
          return { kind: 'unreachable', step: 'timeout', sentence: 'It was too slow.' };
        },
      };
    },
    policy: publicPolicy,
    counters: createCounters({ now: () => testMoment }),
    audits,
    now: () => testMoment,
    onError: () => assert.fail('no fault'),
  });
  const { app } = createTestApp({
    auditService,
    limits: noLimits,
    environment: { TRUST_PROXY: 'loopback' },
  });
  const ask = (index: number) =>
    postJson(app, '/api/audit', { url: `https://site-${index}.net/` }, { 'X-Forwarded-For': `192.0.2.${index}` });
  const { running, queued } = { running: auditPolicy.atOnce, queued: auditPolicy.queued };
  const asked = Array.from({ length: running + queued }, (_, index) => ask(index).then((answer) => answer));
  await until(() => auditService.load.queued === queued, 'the queue fills');
  assert.deepEqual(auditService.load, { running, queued });
  const full = await ask(200).expect(503);
  assert.equal(full.body.type, `${testBaseUrl}/problems/audit-queue-full`);
  assert.equal(full.get('retry-after'), '20');
  const joined = ask(0).then((answer) => answer);
  over.resolve();
  const answers = await Promise.all([...asked, joined]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([502]));
  assert.ok(opened <= running + queued);
  assert.deepEqual(auditService.load, { running: 0, queued: 0 });
});
