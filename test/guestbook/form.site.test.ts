import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Element } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { guestbookLimits } from '#api/guestbook/entry.ts';
import type { GuestbookPage } from '#api/guestbook/page-data.ts';
import type { GuestbookList } from '#api/guestbook/responses.ts';
import { createRememberingTree, toRepresentations } from '#api/render/representations.ts';
import { startBuiltService } from '../support/built-service.ts';
import { listAt, signAt } from '../support/guestbook-client.ts';
import { entryBlocksOf } from '../support/guestbook-twin.ts';
import { markupTexts, naughtyTexts } from '../support/hostile-texts.ts';

const { origin, config } = await startBuiltService();
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': firefox };

/** Sends a form as a browser does. */
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { ...navigation, origin, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });

const read = async (path: string, accept: string): Promise<string> =>
  (await fetch(`${origin}${path}`, { headers: { accept } })).text();

const tokenIn = (html: string): string => /<code class="token">([\w-]{43})<\/code>/.exec(html)?.[1] ?? '';

test('the form is answered with a receipt, the entry is on the page, and it is withdrawn with the button', async () => {
  const response = await send('/guestbook', { name: 'Grace', message: 'One line.\r\nAnd another.', model: 'm-1' });
  const html = await response.text();
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const token = tokenIn(html);
  const [entry] = (await listAt(origin)).body.entries;
  assert.ok(entry && token !== '');
  assert.equal(response.headers.get('location'), `${config.baseUrl}/guestbook#gb-${entry.id}`);
  assert.deepEqual(
    [entry.name, entry.message, entry.model, entry.visitor_type, entry.provenance?.transport],
    ['Grace', 'One line.\nAnd another.', 'm-1', 'human (probably)', 'form'],
  );
  assert.match(html, /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(html, /rel="canonical"|receipt\.(?:md|json)/, 'a receipt has no address and no twins');
  assert.match(html, /Kept whole: 22 characters/, 'the line feed that the browser sent as two counts once');

  const page = await read('/guestbook', 'text/html');
  assert.ok(page.includes(`id="gb-${entry.id}"`) && page.includes('One line.\nAnd another.'));
  assert.ok(!page.includes(token));
  assert.match(
    await read('/guestbook.md', '*/*'),
    /^ {4}Grace\n {4}Model: m-1\n {4}\n {4}One line\.\n {4}And another\.$/m,
  );
  const json = JSON.parse(await read('/guestbook', 'application/json'));
  const {
    pages: { filters, ...pages },
    ...list
  } = json.data as GuestbookPage;
  assert.deepEqual(list, (await listAt(origin)).body, 'the data of the JSON twin is the list of the API');
  assert.deepEqual(pages, { query: '', newest: null, older: null, matched: 1 });
  assert.deepEqual(
    filters.filter(({ count }) => count > 0).map(({ href, count }) => [href, count]),
    [
      ['/guestbook?by=person', 1],
      ['/guestbook?tier=C', 1],
    ],
  );

  const wrong = await send('/guestbook/withdraw', { id: entry.id, token: 'wrong' });
  assert.equal(wrong.status, 403);
  assert.match(await wrong.text(), /The withdrawal token is not the one of this entry/);
  const removed = await send('/guestbook/withdraw', { id: entry.id, token });
  assert.equal(removed.status, 200);
  assert.equal(removed.headers.get('cache-control'), 'no-store');
  assert.match(await removed.text(), new RegExp(`<code>${entry.id}</code> is gone`));
  assert.ok(!(await read('/guestbook', 'text/html')).includes(entry.id));
  assert.equal((await send('/guestbook/withdraw', { id: entry.id, token })).status, 404);
});

test('the unfiltered list is sent from memory with an ETag, in each coding', async () => {
  await signAt(origin, { name: 'Ada', message: 'For the list.' });
  const plain = await fetch(`${origin}/api/guestbook`, { headers: { 'accept-encoding': 'identity' } });
  const list = await plain.text();
  const etag = String(plain.headers.get('etag'));
  assert.match(etag, /^"[^"]+"$/);
  assert.equal(plain.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(String(plain.headers.get('vary')), /Accept-Encoding/);
  const again = await fetch(`${origin}/api/guestbook`, {
    headers: { 'accept-encoding': 'identity', 'if-none-match': etag },
  });
  assert.equal(again.status, 304);
  const coded = await fetch(`${origin}/api/guestbook`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(coded.headers.get('content-encoding'), 'br');
  assert.equal(await coded.text(), list);
  await signAt(origin, { name: 'Ada', message: 'And one more.' });
  const changed = await fetch(`${origin}/api/guestbook`, { headers: { 'if-none-match': etag } });
  assert.equal(changed.status, 200);
  assert.equal((await changed.json()).entries[0].message, 'And one more.');
});

// biome-ignore format: one form a line
const refused: [name: string, path: string, fields: Record<string, string>, headers: Record<string, string>, status: number, says: RegExp][] = [
  ['no name', '/guestbook', { message: 'x' }, {}, 422, /Name is empty: write something/],
  ['an invisible message', '/guestbook', { name: 'x', message: '\u200b' }, {}, 422, /has no visible character/],
  ['a filled trap', '/guestbook', { name: 'x', message: 'y', homepage: 'https://spam.example' }, {}, 422, /leave the field homepage empty/],
  ['JSON', '/guestbook', { name: 'x' }, { 'content-type': 'application/json' }, 415, /x-www-form-urlencoded/],
  ['several parts', '/guestbook', { name: 'x' }, { 'content-type': 'multipart/form-data; boundary=x' }, 415, /x-www-form-urlencoded/],
  ['too much', '/guestbook', { name: 'x', message: 'y'.repeat(17_000) }, {}, 413, /16,384 bytes/],
  ['a page of another site', '/guestbook', { name: 'x', message: 'y' }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403, /another site/],
  ['a page of a sister site', '/guestbook', { name: 'x', message: 'y' }, { 'sec-fetch-site': 'same-site', origin: 'https://evil.porch.example' }, 403, /another site/],
  ['a withdrawal from another site', '/guestbook/withdraw', { id: '0123456789ab', token: 'x' }, { 'sec-fetch-site': 'cross-site' }, 403, /another site/],
  ['a withdrawal without a token', '/guestbook/withdraw', { id: '0123456789ab' }, {}, 404, /no entry with this id/],
];

for (const [name, path, fields, headers, status, says] of refused) {
  test(`a form with ${name} is answered with a page: ${status}`, async () => {
    const before = (await listAt(origin)).body.totals.total;
    const response = await send(path, fields, headers);
    const html = await response.text();
    assert.equal(response.status, status);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(html, says);
    assert.equal((await listAt(origin)).body.totals.total, before, 'nothing was stored');
  });
}

test('what was typed is in the form again, the reason is at its field, and the first wrong field has the focus', async () => {
  const typed = 'A message that took a while <b>to write</b> & "more"';
  const html = await (await send('/guestbook', { name: '\u200b', message: typed, model: 'm-1' })).text();
  const fields = new Map<string, Element>();
  visit(unified().use(rehypeParse).parse(html), 'element', (node) => {
    if (['input', 'textarea'].includes(node.tagName) && typeof node.properties['name'] === 'string') {
      fields.set(node.properties['name'], node);
    }
  });
  const name = fields.get('name') ?? assert.fail('no field for the name');
  assert.equal(name.properties['ariaInvalid'], 'true');
  assert.equal(name.properties['autoFocus'], true);
  assert.match(html, /id="name-hint"[^>]*><span class="error">Name has no visible character/);
  assert.deepEqual(fields.get('message')?.children, [
    { type: 'text', value: typed, position: fields.get('message')?.children[0]?.position },
  ]);
  assert.equal(fields.get('message')?.properties['ariaInvalid'], undefined);
  assert.equal(fields.get('model')?.properties['value'], 'm-1');
  assert.match(html, /<meta name="robots" content="noindex"/);
});

test('an older browser that sends Origin alone, and a program that sends neither', async () => {
  const entry = new URLSearchParams({ name: 'x', message: 'y' });
  const post = (headers: Record<string, string>) =>
    fetch(`${origin}/guestbook`, { method: 'POST', headers: { ...headers, 'user-agent': firefox }, body: entry });
  assert.equal((await post({ origin })).status, 201);
  assert.equal((await post({ origin: config.baseUrl })).status, 201);
  assert.equal((await post({ origin: 'https://evil.example' })).status, 403);
  assert.equal((await post({ origin: 'null' })).status, 403);
  assert.equal((await post({})).status, 201);
});

test('other methods of the form addresses, and addresses that only the service renders', async () => {
  for (const [method, path, allow] of [
    ['PUT', '/guestbook', 'GET, HEAD, POST, OPTIONS'],
    ['GET', '/guestbook/withdraw', 'POST, OPTIONS'],
  ] as const) {
    const response = await fetch(`${origin}${path}`, { method });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), allow);
  }
  for (const path of ['/guestbook/receipt', '/guestbook/withdrawn', '/guestbook/unsigned']) {
    assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
  }
  assert.equal((await fetch(`${origin}/guestbook/`, { redirect: 'manual' })).headers.get('location'), '/guestbook');
});

test('what is written is on the page when the write is answered, also under load', async () => {
  await Promise.all(
    Array.from({ length: 32 }, async (_, writer) => {
      const { body } = await signAt(origin, { name: `Writer ${writer}`, message: 'Written at once.' });
      // 32 at once: seven others may have pushed it off the first page since.
      assert.ok((await allPages('text/html')).some((page) => page.includes(`id="gb-${body.id}"`)));
      assert.ok((await listAt(origin)).body.entries.some(({ id }) => id === body.id));
    }),
  );
});

/** Every page of the guestbook in one representation, from the newest entries on, by following its links to older ones. */
async function allPages(accept: string): Promise<string[]> {
  const pages: string[] = [];
  for (let path: string | undefined = '/guestbook'; path !== undefined; ) {
    const text: string = await read(path, accept);
    pages.push(text);
    const older: string | null | undefined =
      accept === 'application/json'
        ? JSON.parse(text).data.pages.older
        : /<a href="([^"]*)" rel="next">|\[Older entries\]\([^)]*(\/guestbook\?before=[0-9a-f]{12})/
            .exec(text)
            ?.slice(1)
            .find(Boolean);
    path = older ?? undefined;
  }
  return pages;
}

/** The texts of the page's entries, and what stands inside them beside text. */
function entriesOfPage(html: string): { texts: string[]; strays: string[] } {
  const texts: string[] = [];
  const strays: string[] = [];
  visit(unified().use(rehypeParse).parse(html), 'element', (node) => {
    if (node.tagName === 'pre' && node.properties['dataUntrusted'] !== undefined) {
      texts.push(textOf(node));
      visit(node, 'element', (inner) => {
        if (!['pre', 'b', 'span'].includes(inner.tagName)) {
          strays.push(inner.tagName);
        }
      });
    }
  });
  return { texts, strays };
}

const textOf = (node: Element): string =>
  node.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('');

/** The list, once it and the page have so many entries: on a busy machine a write is answered before they are made anew. */
async function shownEntries(total: number): Promise<GuestbookList> {
  for (let tries = 0; tries < 600; tries += 1) {
    const list = (await listAt(origin)).body;
    const html = await read('/guestbook', 'text/html');
    if (list.totals.total >= total && html.includes(`id="gb-${list.entries[0]?.id}"`)) {
      return list;
    }
    await wait(100);
  }
  return assert.fail(`${total} entries are not shown after a minute`);
}

test('hostile strings are inert text in all three representations, whether they come as JSON or by form', async () => {
  const strings = [...markupTexts, ...naughtyTexts];
  const expected: string[] = [];
  // When the guestbook is full, this client may not write so much; so it stays below.
  const before = (await listAt(origin)).body.totals.total;
  const room = guestbookLimits.kept - before;
  let written = 0;
  const queue = [...strings.slice(0, room).entries()];
  const writer = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, text] = next;
      const fields = { name: text, message: text };
      const { status } = index % 2 === 0 ? await signAt(origin, fields) : await send('/guestbook', fields);
      assert.ok(status === 201 || status === 422, `${status} for ${JSON.stringify(text)}`);
      written += status === 201 ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: 32 }, writer));
  const { entries } = await shownEntries(before + written);
  for (const { name, model, message } of entries) {
    expected.push(`${name}\n${model === null ? '' : `Model: ${model}\n`}\n${message}`);
  }
  assert.ok(entries.length > 400 && entries.length <= guestbookLimits.kept);

  const pages = (await allPages('text/html')).map(entriesOfPage);
  assert.equal(pages.length, Math.ceil(entries.length / 25));
  assert.deepEqual(
    pages.flatMap(({ texts }) => texts),
    expected,
    'HTML: every entry, to the letter',
  );
  assert.deepEqual(
    pages.flatMap(({ strays }) => strays),
    [],
    'HTML: no element inside an entry but those of the page',
  );

  const blocks = (await allPages('text/markdown')).flatMap((text) => entryBlocksOf(text, config.baseUrl));
  // A block of code loses blank lines at its ends and nothing else.
  assert.deepEqual(blocks, expected, 'markdown: every entry is a block of its own, to the letter');

  const twins = (await allPages('application/json')).map((text) => JSON.parse(text));
  assert.deepEqual(
    twins.flatMap(({ data }) => data.entries),
    entries,
  );
  const json = { links: twins.flatMap(({ links }) => links) };
  assert.deepEqual(
    json.links.filter(({ href }: { href: string }) => !href.startsWith(config.baseUrl)),
    [],
    'JSON: no link leads to where an entry says',
  );
});

test('a page of a full guestbook is light; each entry has an address of its own, in all three representations', async (t) => {
  const { entries } = (await listAt(origin)).body;
  const page = await fetch(`${origin}/guestbook`, { headers: { accept: 'text/html', 'accept-encoding': 'br' } });
  await page.text();
  const bytes = Number(page.headers.get('content-length'));
  t.diagnostic(`${bytes} bytes with brotli`);
  assert.ok(bytes < 20_000, `${bytes} bytes`);
  const oldest = entries.at(-1);
  assert.ok(oldest);
  const path = `/guestbook/${oldest.id}`;
  assert.ok(
    (await read(path, 'text/html')).includes(
      `<link rel="alternate" type="text/markdown" href="${config.baseUrl}${path}.md"`,
    ),
  );
  assert.deepEqual(entryBlocksOf(await read(`${path}.md`, '*/*'), config.baseUrl).length, 1);
  assert.deepEqual(JSON.parse(await read(`${path}.json`, '*/*')).data.entry, oldest);
  assert.deepEqual(JSON.parse(await read(path, 'application/json')).data.entry, oldest);
});

test('the entries are narrowed down by who wrote and by tier, with counts, across pages', async () => {
  const { entries } = (await listAt(origin)).body;
  const kindOf = ({ visitor_type: type }: (typeof entries)[number]): string => (type === 'agent' ? 'agent' : 'person');
  for (const [query, fulfils] of [
    ['by=agent', (entry) => kindOf(entry) === 'agent'],
    ['by=person', (entry) => kindOf(entry) === 'person'],
    ['by=person&tier=C', (entry) => kindOf(entry) === 'person' && entry.identity.tier === 'C'],
    ['tier=A', (entry) => entry.identity.tier === 'A'],
  ] as [string, (entry: (typeof entries)[number]) => boolean][]) {
    const expected = entries.filter(fulfils).map(({ id }) => id);
    const shown: string[] = [];
    let address: string | null = `/guestbook?${query}`;
    while (address !== null) {
      const response: Response = await fetch(`${origin}${address}`, { headers: { accept: 'application/json' } });
      assert.equal(response.headers.get('x-robots-tag'), 'noindex');
      const { data } = (await response.json()) as { data: GuestbookPage };
      assert.equal(data.pages.matched, expected.length, query);
      shown.push(...data.entries.map(({ id }) => id));
      address = data.pages.older;
    }
    assert.deepEqual(shown, expected, query);
  }
  const html = await read('/guestbook?by=person', 'text/html');
  assert.match(html, /<a class="fchip" href="\/guestbook" aria-current="true">/);
  assert.ok(
    html.includes('href="/guestbook?by=person&#38;tier=C"') || html.includes('href="/guestbook?by=person&amp;tier=C"'),
  );
});

test('an entry or a page that is not there, and a query that is none', async () => {
  for (const [path, status] of [
    ['/guestbook/0123456789ab', 404],
    ['/guestbook?before=0123456789ab', 404],
    ['/guestbook.md?before=0123456789ab', 404],
    ['/guestbook?before=1', 400],
    ['/guestbook?before=', 400],
    ['/guestbook?before=0123456789ab&before=0123456789ab', 400],
    ['/guestbook/0123456789AB', 404],
    ['/guestbook/entry', 404],
    ['/guestbook?utm_source=x', 200],
    ['/guestbook?by=agent&tier=C', 200],
    ['/guestbook.json?tier=D', 200],
    ['/guestbook?by=robot', 400],
    ['/guestbook?tier=a', 400],
    ['/guestbook?tier=A&tier=B', 400],
  ] as const) {
    assert.equal((await fetch(`${origin}${path}`)).status, status, path);
  }
});

test('the twins of pages of which parts are remembered are those of a conversion of the whole', async () => {
  const remember = createRememberingTree();
  const payload = `<script type="application/json" data-twin>${JSON.stringify({ title: 't', description: 'd', url: `${config.baseUrl}/guestbook`, updated: '2026-11-21', lang: 'en', kind: 'k', data: null, twins: {} })}</script>`;
  const others = [
    '/',
    '/about',
    '/techniques/llms-txt',
    '/developers',
    '/problems/invalid-fields',
    '/models',
    '/trust',
  ];
  const pages = [
    ...(await allPages('text/html')),
    ...(await Promise.all(others.map((path) => read(path, 'text/html')))),
  ];
  for (const html of pages) {
    const whole = toRepresentations(html + payload);
    // Twice: when the parts are new, and when they're known.
    assert.deepEqual(toRepresentations(html + payload, remember), whole);
    assert.deepEqual(toRepresentations(html + payload, remember), whole);
  }
});
