import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checksCsvPath } from '#api/audits/checks-csv.ts';
import { auditFeedPath } from '#api/audits/feed.ts';
import { auditPreviewPath } from '#api/audits/preview.ts';
import { fixArchivePath } from '#api/audits/views.ts';
import { endpoints } from '#api/catalog/endpoints.ts';
import { operations } from '#api/catalog/operations.ts';
import { toCallAddress } from '#api/catalog/to-curl.ts';
import { freeOfCharge } from '#api/contract/prices.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { type Answer, bareSite, openSite } from '../audit/sites.ts';
import { startBuiltService } from '../support/built-service.ts';

const passes: Answer = (asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 };
const good = await openSite(passes);
after(() => good.close());
const alsoGood = await openSite(passes);
after(() => alsoGood.close());
const bare = await openSite(bareSite);
after(() => bare.close());
const closed = `http://127.0.0.1:${await freePort()}/`;
const environment = {
  AUDIT_ALLOW_HOSTS: [good.host, alsoGood.host, bare.host, new URL(closed).host].join(),
  TRUST_PROXY: 'loopback',
};
const service = await startBuiltService({ environment });
const full = await startBuiltService({
  limits: { read: { count: 0, windowSeconds: 60 }, write: [{ count: 0, windowSeconds: 60 }] },
});

/** An answer that the OpenAPI description has for an operation. */
interface Documented {
  description: string;
  content?: Record<string, unknown>;
}

const { paths } = (await (await fetch(`${service.origin}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
};
const documented = new Map<string, Record<string, Documented>>(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => [`${method.toUpperCase()} ${path}`, responses] as const),
  ),
);

/** A request that provokes a status of an operation, which is called as the description has it: `GET /api/crawlers/{id}`. */
interface Row {
  operation: string;
  status: number;
  /** Where it is sent, when that is not the address of the operation itself. */
  target?: string;
  headers?: Record<string, string>;
  body?: string;
  at?: typeof service;
}

const split = (operation: string): [method: string, path: string] => {
  const [method = '', path = ''] = operation.split(' ');
  return [method, path];
};

let networks = 0;

/** Sends the request of a row, from a network of its own unless the row names one. */
function send({ operation, target, headers, body, at = service }: Omit<Row, 'status'>): Promise<Response> {
  const [method, path] = split(operation);
  networks += 1;
  return fetch(`${at.origin}${target ?? path}`, {
    method,
    headers: { accept: 'application/json', 'x-forwarded-for': `2001:db8:0:${networks.toString(16)}::1`, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
}

const seen = new Set<string>();

/** Sends a row and holds the answer against the description. */
async function check(row: Row): Promise<Response> {
  const response = await send(row);
  const name = `${row.operation} ${row.status}`;
  assert.equal(response.status, row.status, `${name}: ${row.target ?? ''} ${row.body?.slice(0, 100) ?? ''}`);
  const answer = documented.get(row.operation)?.[row.status];
  assert.ok(answer, `openapi.json does not list ${name}`);
  const type = response.headers.get('content-type')?.split(';')[0];
  if (answer.content === undefined) {
    assert.ok((await response.clone().text()) === '', `${name} has no body, as openapi.json says`);
  } else {
    assert.ok(type && type in answer.content, `${name} is sent as ${type}, and openapi.json does not say so`);
  }
  seen.add(name);
  return response;
}

const jsonType = { 'content-type': 'application/json' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const json = (operation: string, status: number, body: unknown, headers: Record<string, string> = {}): Row => ({
  operation,
  status,
  headers: { ...jsonType, ...headers },
  body: JSON.stringify(body),
});
const form = (
  operation: string,
  status: number,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Row => ({
  operation,
  status,
  headers: { ...formType, ...headers },
  body: new URLSearchParams(fields).toString(),
});

const entry = { name: 'Ada', message: 'The light was on.' };

/** Writes an entry, for the rows that need one. */
async function written(): Promise<{ id: string; withdrawal_token: string }> {
  return (await (await send(json('POST /api/guestbook', 201, entry))).json()) as {
    id: string;
    withdrawal_token: string;
  };
}
const quoteOf = async (row: Omit<Row, 'status'>): Promise<string> =>
  ((await (await send(row)).json()) as { quote: string }).quote;

/** Rows that follow from the kind of the operation: one of each kind stands for what all of them answer. */
function rowsByKind(): Row[] {
  const rows: Row[] = [];
  for (const tool of operations.filter(({ routeOf }) => routeOf === undefined)) {
    const operation = `${tool.method} ${tool.path}`;
    const target = new URL(toCallAddress(tool, tool.example ?? { id: 'none' }, service.origin));
    const call = `${target.pathname}${target.search}`;
    rows.push({ operation, status: 429, target: call, at: full, ...(tool.method === 'POST' ? { body: '{}' } : {}) });
    if (tool.method === 'POST') {
      rows.push(
        { operation, status: 400, headers: jsonType, body: '{' },
        json(operation, 403, {}, { origin: 'https://other.example' }),
        json(operation, 413, 'a'.repeat(20_000)),
        { operation, status: 415, headers: { 'content-type': 'text/plain' }, body: '{}' },
        json(operation, 422, { 'no-such-field': 1 }),
      );
    } else {
      const [parameter] = Object.keys(tool.input.shape);
      if (tool.path.includes('{')) {
        const others = tool.path.replace(/(?<=\}.*)\{(\w+)\}/g, (_match, name: string) => String(tool.example?.[name]));
        rows.push({ operation, status: 400, target: others.replace(/\{\w+\}/, 'a'.repeat(201)) });
        rows.push({ operation, status: 404, target: others.replace(/\{\w+\}/, 'no-such-record') });
      } else if (parameter !== undefined) {
        rows.push({ operation, status: 400, target: `${tool.path}?${parameter}=a&${parameter}=b` });
      }
      if (tool.method === 'GET' && tool.access === 'open' && tool.example !== undefined) {
        rows.push({ operation, status: 200, target: call });
      }
      if (tool.hasEntityTag) {
        rows.push({ operation, status: 304, headers: { 'if-none-match': '*' } });
        rows.push({ operation, status: 412, headers: { 'if-match': '"another"' } });
      }
    }
  }
  for (const { method, path, parameters = {}, ...endpoint } of endpoints) {
    const operation = `${method} ${path}`;
    const query = Object.entries(parameters).filter(([, each]) => each.in === 'query');
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => String(parameters[name]?.example));
    const target =
      query.length === 0 ? filled : `${filled}?${query.map(([name, each]) => `${name}=${each.example}`).join('&')}`;
    // The fixes of a report are there once a site has been audited: a row of its own.
    if (method === 'GET' && ![fixArchivePath, auditFeedPath, auditPreviewPath, checksCsvPath].includes(path)) {
      rows.push({ operation, status: 200, target });
    }
    if (endpoint.servedBy === 'file') {
      rows.push({ operation, status: 304, target, headers: { 'if-none-match': '*' } });
      rows.push({ operation, status: 412, target, headers: { 'if-match': '"another"' } });
    }
    if (endpoint.others?.[304] !== undefined) {
      rows.push({ operation, status: 304, target, headers: { 'if-none-match': '*', 'cache-control': '' } });
    }
    if (endpoint.limit !== undefined) {
      const headers = endpoint.form === undefined ? jsonType : formType;
      rows.push({ operation, status: 429, target, at: full, ...(method === 'POST' ? { headers, body: '{}' } : {}) });
    }
    if (endpoint.form !== undefined) {
      const [field = ''] = Object.keys(endpoint.form);
      const twice = `${field}=a&${field}=b&quote=c&quote=d`;
      rows.push(
        { operation, status: 400, headers: { ...formType, 'content-encoding': 'gzip' }, body: 'no gzip' },
        form(operation, 403, {}, { 'sec-fetch-site': 'cross-site' }),
        form(operation, 413, { [field]: 'a'.repeat(20_000) }),
        { operation, status: 415, headers: jsonType, body: '{}' },
        { operation, status: 422, headers: formType, body: twice },
      );
    }
  }
  return rows;
}

/** A key for retries belongs to its client. */
const writer = { 'x-forwarded-for': '192.0.2.8' };

// biome-ignore format: a row of the table is a line of its own
const rows: Row[] = [
  json('POST /api/guestbook', 201, entry, { ...writer, 'idempotency-key': 'k-1' }),
  json('POST /api/guestbook', 200, entry, { ...writer, 'idempotency-key': 'k-1' }),
  json('POST /api/guestbook', 422, { ...entry, name: 'Bob' }, { ...writer, 'idempotency-key': 'k-1' }),
  form('POST /guestbook', 201, entry, { ...writer, 'idempotency-key': 'k-2' }),
  form('POST /guestbook', 200, entry, { ...writer, 'idempotency-key': 'k-2' }),
  form('POST /guestbook/withdraw', 404, { id: '000000000000', token: 'x' }),
  json('POST /api/audit', 200, { url: bare.origin }),
  { operation: 'GET /audit/fixes.zip', status: 200, target: `/audit/fixes.zip?${new URLSearchParams({ url: bare.origin })}` },
  { operation: 'GET /audit/fixes.zip', status: 400, target: `/audit/fixes.zip?${new URLSearchParams({ url: bare.origin, platform: 'nope' })}` },
  { operation: 'GET /audit/fixes.zip', status: 404, target: `/audit/fixes.zip?${new URLSearchParams({ url: closed })}` },
  { operation: 'GET /audit/fixes.zip', status: 422, target: '/audit/fixes.zip?url=http://10.0.0.1/' },
  { operation: 'GET /audit/checks.csv', status: 200, target: `/audit/checks.csv?${new URLSearchParams({ url: bare.origin })}` },
  { operation: 'GET /audit/checks.csv', status: 400, target: '/audit/checks.csv?url=a&url=b' },
  { operation: 'GET /audit/checks.csv', status: 404, target: `/audit/checks.csv?${new URLSearchParams({ url: closed })}` },
  { operation: 'GET /audit/checks.csv', status: 422, target: '/audit/checks.csv?url=http://10.0.0.1/' },
  { operation: 'GET /audit/preview.png', status: 200, target: `/audit/preview.png?${new URLSearchParams({ url: bare.origin })}` },
  { operation: 'GET /audit/preview.png', status: 400, target: '/audit/preview.png?url=a&url=b' },
  { operation: 'GET /audit/preview.png', status: 404, target: `/audit/preview.png?${new URLSearchParams({ url: closed })}` },
  { operation: 'GET /audit/preview.png', status: 422, target: '/audit/preview.png?url=http://10.0.0.1/' },
  { operation: 'GET /audit/feed.atom', status: 200, target: `/audit/feed.atom?${new URLSearchParams({ url: bare.origin })}` },
  { operation: 'GET /audit/feed.atom', status: 400, target: '/audit/feed.atom?url=a&url=b' },
  { operation: 'GET /audit/feed.atom', status: 404, target: `/audit/feed.atom?${new URLSearchParams({ url: closed })}` },
  { operation: 'GET /audit/feed.atom', status: 422, target: '/audit/feed.atom?url=http://10.0.0.1/' },
  json('POST /api/audit', 422, { url: 'http://10.0.0.1/' }),
  json('POST /api/audit', 502, { url: closed }),
  json('POST /api/audit/look', 200, { url: bare.origin }),
  json('POST /api/audit/look', 502, { url: closed }),
  json('POST /api/directory', 422, { url: bare.origin }),
  json('POST /api/directory', 502, { url: closed }),
  json('POST /api/directory', 201, { url: good.origin }),
  json('POST /api/directory', 200, { url: good.origin }),
  form('POST /audit', 303, { url: bare.origin }),
  form('POST /audit', 502, { url: closed }),
  form('POST /audit/look', 200, { url: bare.origin }),
  form('POST /audit/look', 502, { url: closed }),
  form('POST /directory', 201, { url: alsoGood.origin }),
  form('POST /directory', 200, { url: good.origin }),
  form('POST /directory', 422, { url: bare.origin }),
  form('POST /directory', 502, { url: closed }),
  { operation: 'GET /api/premium/playbook', status: 402 },
  form('POST /playbook', 402, {}),
  json('POST /api/pay', 422, { quote: 'none' }),
  form('POST /playbook', 422, { quote: 'none' }),
  json('POST /mcp', 200, { jsonrpc: '2.0', id: 1, method: 'ping' }),
  json('POST /mcp', 202, { jsonrpc: '2.0', method: 'notifications/initialized' }),
  { operation: 'POST /mcp', status: 400, headers: jsonType, body: '{' },
  json('POST /mcp', 403, { jsonrpc: '2.0', id: 1, method: 'ping' }, { origin: 'https://other.example' }),
  json('POST /mcp', 404, { jsonrpc: '2.0', id: 1, method: 'x', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } } }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'x' }),
  json('POST /mcp', 413, 'a'.repeat(20_000)),
  { operation: 'POST /mcp', status: 415, headers: { 'content-type': 'text/plain' }, body: '{}' },
  { operation: 'GET /api/directory', status: 200 },
  { operation: 'GET /badge.svg', status: 400, target: '/badge.svg?score=101' },
  { operation: 'GET /badge/{id}.svg', status: 400, target: '/badge/0123456789ab.svg?style=nope' },
  { operation: 'GET /badge/{id}.svg', status: 404, target: '/badge/none.svg' },
];

test('each operation lists the statuses that its kind is answered with', async () => {
  for (const row of rowsByKind()) {
    await check(row);
  }
});

test('each operation lists the statuses that it alone is answered with', async () => {
  for (const row of rows) {
    await check(row);
  }
});

test('the withdrawal lists its statuses', async () => {
  const operation = 'DELETE /api/guestbook/{id}';
  const first = await written();
  const target = `/api/guestbook/${first.id}`;
  const right = { 'x-withdrawal-token': first.withdrawal_token };
  await check({ operation: 'GET /api/guestbook/{id}', status: 200, target });
  await check({ operation, status: 401, target });
  await check({ operation, status: 403, target, headers: { 'x-withdrawal-token': 'wrong' } });
  await check({ operation, status: 200, target, headers: right });
  await check({ operation, status: 404, target, headers: right });
  const { id, withdrawal_token: token } = await written();
  await check(form('POST /guestbook/withdraw', 401, { id }));
  await check(form('POST /guestbook/withdraw', 403, { id, token: 'wrong' }));
  await check(form('POST /guestbook/withdraw', 200, { id, token }));
});

test('what is paid for lists its statuses', async () => {
  const quote = await quoteOf({ operation: 'GET /api/premium/playbook' });
  const paid = (await (await check(json('POST /api/pay', 200, { quote }))).json()) as { payment: string };
  await check({ operation: 'GET /api/premium/playbook', status: 200, headers: { 'x-payment': paid.payment } });
  const formQuote = await quoteOf(form('POST /playbook', 402, {}));
  await check(form('POST /playbook', 200, { quote: formQuote }));
  const poor = { 'x-forwarded-for': '192.0.2.7' };
  for (let used = 0; used < freeOfCharge.audits.limit; used += 1) {
    await check(json('POST /api/audit', 200, { url: bare.origin }, poor));
  }
  await check(json('POST /api/audit', 402, { url: bare.origin }, poor));
  await check(form('POST /audit', 402, { url: bare.origin }, poor));
});

/** Statuses that are listed and not provoked here, with the reason. */
const elsewhere: { matches: RegExp; reason: string }[] = [
  { matches: / 503$/, reason: 'a full disk, a full queue and a service that stops have tests of their own' },
  { matches: /^POST \/mcp (?:500|429)$/, reason: 'a fault of the service; and a limit, which is provoked above' },
  { matches: /^POST \/audit 200$/, reason: 'a report that is too long to be kept' },
];

test('each status that is listed is one that was provoked, or has a reason here', () => {
  const listed = [...documented].flatMap(([operation, responses]) =>
    Object.keys(responses)
      .filter((status) => status !== 'default')
      .map((status) => `${operation} ${status}`),
  );
  const unseen = listed.filter((name) => !seen.has(name) && !elsewhere.some(({ matches }) => matches.test(name)));
  assert.deepEqual(unseen, []);
  assert.ok(seen.size > 200, `${seen.size} answers were held against openapi.json`);
});
