import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import request from 'supertest';
import { AuditFailed, AuditQueueFull, AuditsStopped } from '#api/audits/errors.ts';
import { auditPolicy } from '#api/audits/policy.ts';
import { type ProblemDocument, toUnreadDocument } from '#api/contract/problem.ts';
import { type ProblemSlug, problemTypes } from '#api/contract/problem-types.ts';
import { guestbookLimits } from '#api/guestbook/entry.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';
import { openDnsServer } from '../audit/dns-server.ts';
import { bareSite, openSite } from '../audit/sites.ts';
import { toNewEntry } from '../guestbook/new-entry.ts';
import { startBuiltService } from '../support/built-service.ts';
import { createTestApp, type TestApp, testBaseUrl } from '../support/test-app.ts';

/** What the pages of the error types show. */
const file = join(import.meta.dirname, '..', '..', 'site', 'content', 'problem-samples.json');

const contact = 'owner@example.com';
const bare = await openSite(bareSite);
const dns = await openDnsServer({ 'example.com': { addresses: [] } });
const built = await startBuiltService();
const apps: TestApp[] = [];
after(async () => {
  await Promise.all(apps.map(({ context }) => context.auditService.stop()));
  await Promise.all([bare.close(), dns.close()]);
});

function newApp(): TestApp {
  const own = createTestApp({
    environment: { CONTACT: contact, AUDIT_ALLOW_HOSTS: bare.host },
    nameServers: [dns.address],
  });
  apps.push(own);
  return own;
}

/** A request in words, and what answers it. */
interface Provocation {
  request: string;
  answer: () => Promise<unknown>;
}

const clip = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;

/** A request as a part of a sentence, in which code stands in backticks. */
function toWords(
  method: string,
  target: string,
  body: object | string | undefined,
  headers: Readonly<Record<string, string>>,
): string {
  const given = [
    ...Object.entries(headers).map(([name, value]) => `\`${name}: ${value}\``),
    ...(body === undefined ? [] : [`the body \`${clip(typeof body === 'string' ? body : JSON.stringify(body), 60)}\``]),
  ];
  const request = `\`${method.toUpperCase()} ${clip(target, 40)}\``;
  return given.length === 0 ? request : `${request} with ${given.join(' and ')}`;
}

type Method = 'get' | 'post' | 'put' | 'delete';

/** A request to an application of its own, which `prepare` may bring into a state first. */
const to = (
  method: Method,
  target: string,
  {
    body,
    headers = {},
    prepare = () => undefined,
    given = '',
  }: {
    body?: object | string;
    headers?: Record<string, string>;
    prepare?: (own: TestApp) => unknown;
    /** The state, as a part of the sentence. */
    given?: string;
  } = {},
): Provocation => ({
  request: [toWords(method, target, body, headers), given].filter((part) => part !== '').join(' '),
  answer: async () => {
    const own = newApp();
    await prepare(own);
    const call = request(own.app)[method](target).set('Accept', 'application/json').set(headers);
    if (body !== undefined && headers['Content-Type'] === undefined) {
      call.set('Content-Type', 'application/json');
    }
    const { text } = await call.send(body);
    return JSON.parse(text);
  },
});

/** A request to the service with the built site. */
const toSite = (method: string, target: string, headers: Record<string, string>, form?: string): Provocation => ({
  request: toWords(method, target, form, headers),
  answer: async () => {
    const sent: Record<string, string> =
      form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${built.origin}${target}`, {
      method,
      headers: { Accept: 'application/json', ...sent, ...headers },
      ...(form === undefined ? {} : { body: form }),
    });
    return response.json();
  },
});

/** What is answered before the application sees the request. */
const unread = (slug: ProblemSlug, sentence: string): Provocation => ({
  request: sentence,
  answer: async () => toUnreadDocument(slug, { baseUrl: testBaseUrl, instance: '/', requestId: 'unread' }),
});

const entry = { name: 'Ada', message: 'The light is on.' };
const target = { url: 'https://example.com/' };
/** What stands for the site of the reader. It is a reserved name, which the audit itself refuses. */
const placeholder = 'your-site.example';
const entryId = '0123456789ab';

/** An entry with a known id: one that is taken over from before tokens, or of a store that says so. */
const withEntry =
  (tier: 'A' | 'n/a') =>
  (own: TestApp): void => {
    const stored = own.guestbook.list().entries[0];
    assert.ok(stored);
    own.context.guestbook = {
      ...own.guestbook,
      get: () => ({ ...stored, identity: { tier } }),
      withdraw: (_id, token) => own.guestbook.withdraw(stored.id, token),
    };
  };
const signed =
  (tier: 'A' | 'n/a') =>
  async (own: TestApp): Promise<void> => {
    await own.guestbook.add(toNewEntry());
    withEntry(tier)(own);
  };
const audits =
  (start: TestApp['context']['auditService']['start']) =>
  ({ context }: TestApp): void => {
    context.auditService = { ...context.auditService, start };
  };

const provocations: Record<ProblemSlug, Provocation> = {
  'invalid-request': to('post', '/api/pay', { body: '{' }),
  'invalid-query': to('get', '/api/search?q=mcp&limit=99'),
  'withdrawal-token-missing': to('delete', `/api/guestbook/${entryId}`, { prepare: signed('A') }),
  'payment-required': to('get', '/api/premium/playbook'),
  'withdrawal-token-wrong': to('delete', `/api/guestbook/${entryId}`, {
    headers: { 'X-Withdrawal-Token': 'another' },
    prepare: signed('A'),
  }),
  'withdrawal-by-mail': to('delete', `/api/guestbook/${entryId}`, {
    prepare: signed('n/a'),
    given: 'for an entry from before 2026-09-08',
  }),
  'cross-site-form': toSite('POST', '/guestbook', { 'Sec-Fetch-Site': 'cross-site' }, 'name=Ada&message=Hello'),
  'not-found': to('get', '/api/crawlers/gpt'),
  'method-not-allowed': to('put', '/guestbook/withdraw'),
  'not-acceptable': toSite('GET', '/about', { Accept: 'text/html;q=0' }),
  'request-timeout': unread('request-timeout', 'a request whose header fields do not arrive within 10 seconds'),
  'precondition-failed': toSite('GET', '/llms.txt', { 'If-Match': '"another"' }),
  'body-too-large': to('post', '/api/pay', { body: `"${'a'.repeat(17_000)}"` }),
  'uri-too-long': to('get', `/api/search?q=${'a'.repeat(8200)}`),
  'unsupported-media-type': to('post', '/api/pay', { body: 'quote=a', headers: { 'Content-Type': 'text/plain' } }),
  'invalid-fields': to('post', '/api/guestbook', { body: { name: 'Ada', text: 'The light is on.' } }),
  'idempotency-key-reused': to('post', '/api/guestbook', {
    body: entry,
    headers: { 'Idempotency-Key': 'k-1' },
    given: 'after another entry with this key',
    prepare: ({ app }) =>
      request(app)
        .post('/api/guestbook')
        .set('Idempotency-Key', 'k-1')
        .send({ ...entry, name: 'Bob' })
        .expect(201),
  }),
  'quote-not-valid': to('post', '/api/pay', { body: { quote: 'none' } }),
  'audit-target-refused': to('post', '/api/audit', { body: { url: 'http://192.168.0.1/' } }),
  'not-certifiable': {
    request: toWords('POST', '/api/directory', target, {}),
    answer: to('post', '/api/directory', { body: { url: bare.origin } }).answer,
  },
  'guestbook-share-used-up': to('post', '/api/guestbook', {
    body: entry,
    given: 'to a full guestbook, as the 51st of one address',
    prepare: async ({ guestbook }) => {
      for (let count = 0; count < guestbookLimits.kept; count += 1) {
        await guestbook.add(toNewEntry(), { client: count < guestbookLimits.kept - 50 ? '192.0.2.1' : '127.0.0.1' });
      }
    },
  }),
  'rate-limited': to('post', '/api/pay', {
    body: { quote: 'none' },
    given: 'as the 11th write of a minute',
    prepare: async ({ app }) => {
      for (let count = 0; count < 10; count += 1) {
        await request(app).post('/api/pay').send({ quote: 'none' });
      }
    },
  }),
  'headers-too-large': unread('headers-too-large', 'a request with headers of more than 32 KiB'),
  'internal-error': to('get', '/api/search?q=mcp', {
    given: 'while the search has a fault',
    prepare: ({ context }) => {
      const fail = () => {
        throw new Error('a fault');
      };
      context.almanac = { ...context.almanac, search: Object.assign(fail, { page: fail }) };
    },
  }),
  'audit-target-unreachable': to('post', '/api/audit', { body: target, given: 'when its name has no address' }),
  'audit-failed': to('post', '/api/audit', {
    body: target,
    given: 'when the audit takes too long',
    prepare: audits(() =>
      Promise.reject(
        new AuditFailed(`The audit was not over after ${auditPolicy.processSeconds} seconds and was stopped.`),
      ),
    ),
  }),
  'audit-queue-full': to('post', '/api/audit', {
    body: target,
    given: 'while sixteen audits wait',
    prepare: audits(async () => {
      throw new AuditQueueFull(`${auditPolicy.queued} audits wait, and no more are taken.`);
    }),
  }),
  'storage-unavailable': to('post', '/api/guestbook', {
    body: entry,
    given: 'while the disk is full',
    prepare: ({ context, guestbook }) => {
      context.guestbook = { ...guestbook, add: () => Promise.reject(new StorageUnavailable('ENOSPC')) };
    },
  }),
  unavailable: to('post', '/api/audit', {
    body: target,
    given: 'while the service is stopping',
    prepare: audits(async () => {
      throw new AuditsStopped('The service is stopping.');
    }),
  }),
};

/** Cuts what is long: values without spaces, lists after their first member, objects after their fourth. */
function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return value.length > 90 && !value.includes(' ') && !value.startsWith('{base_url}')
      ? `${value.slice(0, 8)}…`
      : value;
  }
  if (Array.isArray(value)) {
    return [...value.slice(0, 1).map((each) => shorten(each, depth + 1)), ...(value.length > 1 ? ['…'] : [])];
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = Object.entries(value);
  const isLong = depth > 0 && members.length > 10;
  return Object.fromEntries([
    ...(isLong ? members.slice(0, 4) : members).map(([name, each]) => [name, shorten(each, depth + 1)]),
    ...(isLong ? [['…', '…']] : []),
  ]);
}

/** The document with what differs from one run to the next as it is in every run. */
function settle(document: unknown): Record<string, unknown> {
  const text = JSON.stringify(document)
    .replaceAll(bare.origin, `https://${placeholder}`)
    .replaceAll(contact, '{contact}')
    .replaceAll('example.com', placeholder)
    .replaceAll(built.config.baseUrl, '{base_url}')
    .replaceAll(testBaseUrl, '{base_url}')
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '7f2c1f0e-6a51-4c1b-9d0a-2e8f5b7c4d13')
    .replace(/(?<="audited_at":")[^"]+/g, '2026-11-21T12:00:00.000Z')
    .replace(/(?<="duration_ms":)\d+/g, '1800')
    .replace(/Wait \d+ seconds/g, 'Wait 60 seconds')
    .replace(/(?<=entity tag \\")[\w-]+/g, 'Ys23Ag_5IOWqZCwuB2jfgA');
  return shorten(JSON.parse(text)) as Record<string, unknown>;
}

const standard = new Set(['type', 'title', 'status', 'detail', 'instance', 'request_id', 'errors']);
const samples: Record<string, { request: string; body: Record<string, unknown> }> = {};

for (const { slug, status, title, members = {} } of problemTypes) {
  test(`the page of ${slug} shows what the service answers`, async () => {
    const { request: sentence, answer } = provocations[slug as ProblemSlug];
    const whole = (await answer()) as ProblemDocument;
    assert.deepEqual([whole.status, whole.title, whole.type.split('/').at(-1)], [status, title, slug]);
    const told = Object.keys(whole).filter((name) => !standard.has(name) || name in members);
    const always = Object.keys(members).filter((name) => !members[name]?.startsWith('At '));
    assert.deepEqual(
      told.filter((name) => !(name in members)),
      [],
      'members that the page does not explain',
    );
    assert.deepEqual(
      always.filter((name) => !told.includes(name)),
      [],
      'members that the service does not send',
    );
    samples[slug] = { request: sentence.replace('example.com', placeholder), body: settle(whole) };
    if (process.env['UPDATE_FIXTURES'] !== '1') {
      const shown = (JSON.parse(readFileSync(file, 'utf8')) as typeof samples)[slug];
      assert.deepEqual(samples[slug], shown, 'UPDATE_FIXTURES=1 writes it anew');
    }
  });
}

test('there is a sample of each type and no other', () => {
  if (process.env['UPDATE_FIXTURES'] === '1') {
    writeFileSync(file, `${JSON.stringify(samples, null, 2)}\n`);
  }
  assert.deepEqual(
    Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object),
    problemTypes.map(({ slug }) => slug),
  );
});
