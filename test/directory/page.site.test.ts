import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DirectoryList } from '#api/directory/responses.ts';
import { toListingId } from '#api/directory/store.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { type Answer, bareSite, openSite } from '../audit/sites.ts';
import { startBuiltService } from '../support/built-service.ts';
import { pageFaults } from '../support/nu-checker.ts';

const passes: Answer = (asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 };

const good = await openSite(passes);
after(() => good.close());
const bare = await openSite(bareSite);
after(() => bare.close());
const closed = `127.0.0.1:${await freePort()}`;
const environment = { AUDIT_ALLOW_HOSTS: `${good.host},${bare.host},${closed}`, TRUST_PROXY: 'loopback' };
const { origin, config } = await startBuiltService({ environment });
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': 'Mozilla/5.0 Firefox/140.0' };

/** The page without what stands in the field, where markup is text. */
const outsideField = (html: string): string =>
  html.replace(/<input class="input" id="url"[^"]*(?:"[^"]*"[^">]*)*>/, '');

let clients = 0;

/** Sends the form as a browser does, each time from another network unless one is given. */
const send = (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  clients += 1;
  return fetch(`${origin}/directory`, {
    method: 'POST',
    headers: {
      ...navigation,
      origin,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': `198.51.100.${clients}`,
      ...headers,
    },
    body: new URLSearchParams({ url }),
  });
};

const read = async (path: string, accept = 'text/html'): Promise<string> =>
  (await fetch(`${origin}${path}`, { headers: { accept } })).text();
const listOf = async (): Promise<DirectoryList> => DirectoryList.parse(JSON.parse(await read('/api/directory', '*/*')));
const fieldIn = (html: string): string => /<input class="input" id="url"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? '';

test('an empty directory says so, and its data is the list of the API', async () => {
  const html = await read('/directory');
  assert.match(html, /No site is listed yet/);
  assert.equal(fieldIn(html), '');
  const twin = JSON.parse(await read('/directory', 'application/json'));
  assert.deepEqual(twin.data, await listOf());
});

test('a site that passes: 201 with the entry, its badge and how to embed it; then 200', async () => {
  const id = toListingId(good.origin);
  const response = await send(good.origin);
  const html = await response.text();
  assert.equal(response.status, 201, html.slice(0, 2000));
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('location'), `${config.baseUrl}/directory#site-${id}`);
  assert.match(html, /Congratulations\. 127\.0\.0\.1:\d+ is now in the directory/);
  assert.match(html, /<meta name="robots" content="noindex">/);
  assert.ok(html.includes(`src="/badge/${id}.svg"`));
  assert.ok(html.includes(`${config.baseUrl}/badge/${id}.svg`), 'the snippet has the absolute address');
  assert.ok(html.includes(`/audit?${new URLSearchParams({ url: `${good.origin}/` })}`));

  assert.deepEqual(await pageFaults(html), []);

  const page = await read('/directory');
  assert.ok(page.includes(`id="site-${id}"`), 'it is on the page when the form is answered');
  assert.deepEqual(await pageFaults(page), []);
  const list = await listOf();
  assert.deepEqual(
    list.sites.map(({ url }) => url),
    [good.origin],
  );
  assert.deepEqual(JSON.parse(await read('/directory.json', '*/*')).data, list);
  const markdown = await read('/directory.md', '*/*');
  assert.match(markdown, new RegExp(`^${good.host}$`, 'm'), 'an address that is not https is no link');

  const again = await send(good.origin);
  assert.equal(again.status, 200);
  assert.match(await again.text(), /is still in the directory/);
});

test('a site that does not pass: 422 with the score, what is missing, the report and the form filled in', async () => {
  const response = await send(bare.origin);
  const html = await response.text();
  assert.equal(response.status, 422);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(html, /Not certified yet/);
  assert.match(html, /<span class="num">\d+<\/span> of 100/);
  assert.ok(html.includes(`/audit?${new URLSearchParams({ url: `${bare.origin}/` })}`));
  assert.ok((html.match(/<li> ?<h3>/g) ?? []).length > 5, 'what is missing');
  assert.equal(fieldIn(html), bare.origin);
  assert.deepEqual(await pageFaults(html), []);
  assert.equal((await listOf()).sites.filter(({ url }) => url === bare.origin).length, 0);
});

const inScript = 'ftp://x/"><script>alert(1)</script>';

// biome-ignore format: one form a line
const refused: [name: string, url: string, headers: Record<string, string>, status: number, says: RegExp][] = [
  ['no address', '', {}, 422, /The address is empty/],
  ['an address that is too long', `https://example.com/${'x'.repeat(2100)}`, {}, 422, /longer than 2,048/],
  ['another scheme', inScript, {}, 422, /scheme/],
  ['a private address', 'http://10.0.0.1/', {}, 422, /Nothing was fetched/],
  ['a site that does not answer', `http://${closed}`, {}, 502, /Nothing was judged/],
  ['a page of another site', good.origin, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403, /another site/],
  ['JSON', good.origin, { 'content-type': 'application/json' }, 415, /x-www-form-urlencoded/],
];

for (const [name, url, headers, status, says] of refused) {
  test(`a form with ${name} is answered with a page: ${status}`, async () => {
    const before = (await listOf()).count;
    const response = await send(url, headers);
    const html = await response.text();
    assert.equal(response.status, status, html.slice(0, 1500));
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(html, says);
    assert.ok(!outsideField(html).includes('alert(1)'));
    assert.equal((await listOf()).count, before);
    if (![403, 415].includes(status)) {
      const filledIn = fieldIn(html).replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&#34;', '"');
      assert.equal(filledIn, url.slice(0, 2048));
    }
  });
}

test('an address without a scheme is read as https', async () => {
  const html = await (await send('10.0.0.1')).text();
  assert.match(html, /Nothing was fetched/);
  assert.equal(fieldIn(html), '10.0.0.1');
});

test('a fourth try from one network is refused with a page that says when the next is free', async () => {
  const network = { 'x-forwarded-for': '203.0.113.7' };
  for (let i = 0; i < 3; i += 1) {
    assert.equal((await send(bare.origin, network)).status, 422);
  }
  const response = await send(bare.origin, network);
  assert.equal(response.status, 429);
  assert.match(String(response.headers.get('retry-after')), /^[1-9]\d*$/);
  const html = await response.text();
  assert.match(html, /3 tries an hour/);
  assert.equal(fieldIn(html), bare.origin);
});

test('a program that does not ask for HTML gets the problem as JSON', async () => {
  const response = await send(bare.origin, { accept: 'application/json' });
  assert.equal(response.status, 422);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  assert.match((await response.json()).type, /not-certifiable$/);
});

test('an address in the query fills in the form, as text in all three representations', async () => {
  const hostile = '"><script>alert(1)</script>[x](https://evil.example)';
  const path = `/directory?${new URLSearchParams({ url: hostile })}`;
  const html = await read(path);
  assert.ok(!outsideField(html).includes('alert(1)'));
  assert.match(fieldIn(html), /alert\(1\)/);
  assert.match(html, new RegExp(`<link rel="canonical" href="${config.baseUrl}/directory">`));
  for (const type of ['text/markdown', 'application/json']) {
    const response = await fetch(`${origin}${path}`, { headers: { accept: type } });
    assert.equal(response.headers.get('content-type')?.split(';')[0], type);
    assert.doesNotMatch(await response.text(), /evil\.example/);
  }
  for (const query of ['?url=', '?other=x', `?url=${'x'.repeat(2100)}`]) {
    assert.equal(await read(`/directory${query}`), await read('/directory'), query);
  }
});

test('other methods, and addresses that only the service renders', async () => {
  const response = await fetch(`${origin}/directory`, { method: 'PUT' });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  for (const path of ['/directory/joined', '/directory/not-listed']) {
    assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
  }
});
