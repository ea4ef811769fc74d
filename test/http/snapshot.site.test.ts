import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { livePaths } from '#api/catalog/live-pages.ts';
import { readConfig } from '#api/config.ts';
import { twinPaths } from '#site/site-map.ts';
import { startNginx } from '../../scripts/support/nginx.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { exchange, type RawRequest, type RawResponse } from '../support/raw-http.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';
import { check, type Expected, missing, page, type Row, rows } from './contract-table.ts';

// The generated configuration as it is, with the sidecar at a port that nothing listens on.
const config = readConfig();
const folder = await mkdtemp(join(tmpdir(), 'porchlight-snapshot-'));
const [port, deadPort] = [await freePort(), await freePort()];
const origin = `http://127.0.0.1:${port}`;
const generated = await readFile(join(config.distDir, 'nginx.conf'), 'utf8');
const altered = generated
  .replace(`listen ${config.nginxListen};`, `listen 127.0.0.1:${port};`)
  .replace(`server ${config.host}:${config.port};`, `server ${config.host}:${deadPort};`);
assert.ok(altered.includes(`listen 127.0.0.1:${port};`) && altered.includes(`:${deadPort};`));
await writeFile(join(folder, 'site.conf'), altered);
const nginx = await startNginx(join(folder, 'site.conf'), folder, `${origin}/llms.txt`);
after(async () => {
  await nginx.stop();
  await rm(folder, { recursive: true, force: true });
});

const get = (target: string, accept?: string, method = 'GET'): Promise<RawResponse> =>
  exchange(origin, { method, target, headers: accept === undefined ? [] : [['Accept', accept]] });

const representations = [
  { accept: 'text/html', type: 'text/html; charset=utf-8', ending: 'html' },
  { accept: 'text/markdown', type: 'text/markdown; charset=utf-8', ending: 'md' },
  { accept: 'application/json', type: 'application/json', ending: 'json' },
] as const;

for (const path of livePaths) {
  for (const { accept, type, ending } of representations) {
    test(`${path} is served from its snapshot as ${accept}`, async () => {
      const stem = path === '/' ? 'index' : path.slice(1);
      const snapshot = await readFile(join(clientDir, `${stem}.${ending}`));
      const response = await get(path, accept);
      assert.equal(response.status, 200);
      assert.equal(response.header('content-type'), type);
      assert.ok(response.body.equals(snapshot), 'the body is the snapshot');
      assert.match(response.header('vary') ?? '', /Accept\b(?!-)/);
      assert.match(response.header('etag') ?? '', /^"/);
      assert.equal(response.header('cache-control'), 'no-store', 'what stands in is not kept');
      assert.equal(response.header('x-agent-welcome'), `${siteUrl}/llms.txt`);
      if (ending === 'md') {
        const html = await readFile(join(clientDir, `${stem}.html`));
        assert.equal(response.header('x-bytes-saved'), String(html.length - snapshot.length));
      }
    });
  }

  test(`the twins of ${path} are served from their snapshots`, async () => {
    const { markdown, json } = twinPaths(path);
    for (const address of [markdown, json]) {
      const response = await get(address);
      assert.equal(response.status, 200, address);
      assert.ok(response.body.equals(await readFile(join(clientDir, address))), address);
    }
  });

  test(`${path} with a query that asks nothing is served from its snapshot`, async () => {
    assert.equal((await get(`${path}?utm_source=x`, 'text/html')).status, 200);
  });

  test(`${path} is HTML to a client whose Accept only the server can decide`, async () => {
    for (const accept of ['text/html;q=0', 'text/markdown;q=0.7, text/html;q=0.71']) {
      const response = await get(path, accept);
      assert.deepEqual([response.status, response.header('content-type')], [200, 'text/html; charset=utf-8']);
      assert.equal(response.header('cache-control'), 'no-store');
    }
  });
}

test('a page of which the query asks for a part is refused, and whole where it asks for nothing', async () => {
  for (const [target, status] of [
    ['/crawlers?bot_type=training', 503],
    ['/crawlers.json?bot_type=training', 503],
    ['/crawlers?utm_source=x', 200],
    ['/crawlers.md?utm_source=x', 200],
  ] as const) {
    const response = await get(target);
    assert.equal(response.status, status, target);
    assert.equal(response.header('retry-after'), status === 503 ? '5' : undefined);
  }
});

test('pages and files are served as ever', async () => {
  for (const [target, file] of [
    ['/about', 'about.html'],
    ['/about.md', 'about.md'],
    ['/llms.txt', 'llms.txt'],
    ['/openapi.json', 'openapi.json'],
    ['/.well-known/agents.json', '.well-known/agents.json'],
  ] as const) {
    const response = await get(target);
    assert.equal(response.status, 200, target);
    assert.ok(response.body.equals(await readFile(join(clientDir, file))), target);
  }
  assert.equal((await get('/nothing-here')).status, 404);
});

for (const [method, target, instance] of [
  ['GET', '/api/techniques', '/api/techniques'],
  ['GET', '/api/health?x=1', '/api/health'],
  ['GET', '/api/nothing-here', '/api/nothing-here'],
  ['POST', '/api/guestbook', '/api/guestbook'],
  ['DELETE', '/api/guestbook/0123456789ab', '/api/guestbook/0123456789ab'],
  ['POST', '/directory', '/directory'],
  ['POST', '/playbook', '/playbook'],
  ['POST', '/guestbook', '/guestbook'],
  ['POST', '/audit', '/audit'],
  // A question: what stands in for the page cannot answer it.
  ['GET', '/ask?q=who', '/ask'],
  ['GET', '/ask.json?q=0', '/ask.json'],
  ['GET', '/audit?url=https://example.com/', '/audit'],
  ['GET', '/audit.md?url=https://example.com/', '/audit.md'],
  ['GET', '/audit/compare?a=https://a.example/&b=https://b.example/', '/audit/compare'],
  ['GET', '/guestbook?before=0123456789ab', '/guestbook'],
  ['GET', '/guestbook.json?by=agent', '/guestbook.json'],
  // A page that is rendered when it's asked for.
  ['GET', '/guestbook/0123456789ab', '/guestbook/0123456789ab'],
  ['GET', '/guestbook/0123456789ab.md', '/guestbook/0123456789ab.md'],
  // What stands in the path cannot break out of the JSON.
  ['GET', '/api/"},{"x', '/api/'],
  ['GET', '/api/%22%0d%0a', '/api/'],
] as const) {
  test(`${method} ${target} says that the service is away and when to come back`, async () => {
    const response = await get(target, 'application/json', method);
    assert.equal(response.status, 503);
    assert.equal(response.header('content-type'), 'application/problem+json');
    assert.match(response.header('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(response.header('cache-control'), 'no-store');
    assert.equal(response.header('x-agent-welcome'), `${siteUrl}/llms.txt`);
    const { detail, request_id, ...rest } = JSON.parse(response.body.toString('utf8')) as Record<string, unknown>;
    assert.deepEqual(rest, {
      type: `${siteUrl}/problems/unavailable`,
      title: 'The service cannot answer now',
      status: 503,
      instance,
    });
    assert.equal(typeof detail, 'string');
    assert.equal(request_id, response.header('x-request-id'));
  });
}

test('a browser gets the page of the error', async () => {
  const response = await get('/api/techniques', 'text/html,*/*;q=0.8');
  assert.equal(response.status, 503);
  assert.equal(response.header('content-type'), 'text/html; charset=utf-8');
  assert.match(response.header('retry-after') ?? '', /^[1-9]\d*$/);
  assert.match(response.body.toString('utf8'), /The service cannot answer now/);
});

// What the server answers and nginx does not.
const ofServer = /^\/(?:$|index\.(?:md|json)|api\b|mcp\b|badge|(?:guestbook|ask|audit|directory)\b)/;
const usual = new Set(
  [...(/^map \$http_accept \$porch_as \{([^}]*)\}/m.exec(generated)?.[1] ?? '').matchAll(/^\s*"([^"]*)"/gm)].map(
    ([, accept]) => accept,
  ),
);

const targetOf = ({ target, bytes }: RawRequest): string =>
  (target ?? String(bytes).split(' ')[1] ?? '').split('?')[0] ?? '';

/**
 * What a row of the contract must be without the server: an unusual `Accept` header gets HTML that is not kept, and what has
 * capitals in its address isn't found in small letters.
 */
function expectedOf({ request, expected, differs }: Row): Expected {
  const wanted = differs?.nginx ?? expected;
  const accept = request.headers?.find(([name]) => name === 'Accept')?.[1]?.replace(/ +$/, '') ?? '';
  const target = targetOf(request);
  const isFile = wanted.status === 200 && /\.\w+$/.test(target);
  if (wanted.status === 308 && /[A-Z]/.test(target)) {
    return missing(target.endsWith('.md') ? 'markdown' : 'html');
  }
  if (usual.has(accept) || isFile || ![200, 404, 406].includes(wanted.status)) {
    return wanted;
  }
  return wanted.status === 404
    ? missing('html', wanted.coding)
    : { ...page(decodeURIComponent(target), 'html', wanted.coding), cache: 'no-store' };
}

test('the list of usual headers was found', () => {
  assert.ok(usual.has('') && usual.has('text/markdown') && usual.size > 20);
});

for (const [number, row] of rows.entries()) {
  if (row.ifNoneMatch !== undefined || row.ifMatch !== undefined) {
    continue;
  }
  test(`the contract without the server: ${row.name}`, async () => {
    // Each row is a client of its own, so that the table does not use up one allowance.
    const localAddress = `127.2.${Math.floor(number / 200)}.${(number % 200) + 1}`;
    const response = await exchange(origin, { ...row.request, localAddress });
    const { status } = response;
    const isForm = targetOf(row.request) === '/playbook' && !/^(?:GET|HEAD)$/.test(row.request.method ?? '');
    const isSection = /[?&]section=/.test(row.request.target ?? '') && row.expected.file === undefined;
    if (ofServer.test(targetOf(row.request)) || isForm || isSection) {
      assert.ok([200, 404, 405, 413, 414, 503].includes(status), `${status}`);
      assert.ok(status !== 200 || row.expected.file !== undefined || response.header('cache-control') === 'no-store');
    } else {
      check(response, expectedOf(row), row.request.method);
    }
  });
}
