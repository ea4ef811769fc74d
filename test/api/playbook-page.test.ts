import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { techniqueIds } from '#almanac/techniques.ts';
import { prices } from '#api/registry/prices.ts';
import { freeChapter, playbook } from '#site/playbook.ts';
import { readPlaybook } from '../../scripts/build/playbook.ts';
import { pageFaults } from '../support/nu-checker.ts';
import { startOwnService } from '../support/own-service.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const { origin } = await startOwnService({ built: true });
const whole = await readPlaybook(siteUrl);
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': 'Mozilla/5.0 Firefox/140.0' };

const send = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}/playbook`, {
    method: 'POST',
    headers: { ...navigation, origin, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });
const read = async (path: string, accept = '*/*'): Promise<string> =>
  (await fetch(`${origin}${path}`, { headers: { accept } })).text();

test('the page lists the chapters with time and price, and holds none of those that are paid for', async () => {
  const twin = JSON.parse(await read('/playbook.json'));
  assert.deepEqual(
    twin.data.chapters.map(({ id }: { id: string }) => id),
    [...techniqueIds],
  );
  assert.deepEqual(twin.data.price, {
    amount_usd: prices.playbook.amountUsd,
    demo: true,
    path: prices.playbook.path,
  });
  const markdown = await read('/playbook.md');
  for (const { title, summary } of playbook.chapters) {
    assert.ok(markdown.includes(title) && markdown.includes(summary), title);
  }
  assert.match(markdown, /0\.10 USD, in a demonstration/);
});

test('the free chapter is there whole, with every block of code, and no other chapter is', async () => {
  const twin = await read(`/playbook/${freeChapter.id}.md`);
  const source = whole.chapters.find(({ id }) => id === freeChapter.id)?.markdown ?? '';
  const code = [...source.matchAll(/^```\w*\n(.*?)\n```$/gms)].map(([, block = '']) => block);
  assert.ok(code.length > 10);
  for (const block of code) {
    assert.ok(twin.includes(block), block.slice(0, 80));
  }
  for (const id of techniqueIds.filter((each) => each !== freeChapter.id)) {
    assert.equal((await fetch(`${origin}/playbook/${id}`)).status, 404, id);
  }
  assert.equal((await fetch(`${origin}/playbook/whole`)).status, 404);
});

test('the form pays the demo and is answered with every chapter, as a page of the site', async () => {
  const response = await send({ pay: 'demo' });
  const html = await response.text();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.ok(response.headers.get('x-payment-response'));
  assert.match(html, /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(
    html.slice(0, html.indexOf('</head>')),
    /rel="canonical"|whole\.(?:md|json)/,
    'it has no address and no twins',
  );
  assert.match(html, /<a class="wordmark"/);
  for (const { number, title } of whole.chapters) {
    assert.match(html, new RegExp(`<h2 id="[^"]+">${number}\\. ${title.replaceAll('.', '\\.')}</h2>`));
  }
  assert.deepEqual(await pageFaults(html), []);
  const accepted = await fetch(`${origin}/playbook`, {
    method: 'POST',
    headers: { ...navigation, 'accept-encoding': 'gzip' },
    body: new URLSearchParams({ pay: 'demo' }),
  });
  assert.equal(accepted.headers.get('content-encoding'), 'gzip');
});

test('the API answers with the same page to who accepts HTML', async () => {
  const at = `${origin}${prices.playbook.path}`;
  const { quote } = (await (await fetch(at)).json()) as { quote: string };
  const paid = await fetch(`${origin}/api/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quote }),
  });
  const { payment } = (await paid.json()) as { payment: string };
  const answer = await fetch(at, { headers: { accept: 'text/html', 'x-payment': payment } });
  assert.equal(await answer.text(), await (await send({ pay: 'demo' })).text());
});

test('the form is taken behind nginx too, which serves the page from its file', async () => {
  const response = await fetch(`${nginxUrl}/playbook`, { method: 'POST', body: new URLSearchParams({ pay: 'demo' }) });
  assert.equal(response.status, 200);
  assert.ok((await response.text()).includes('<h2 id="12-'));
});

// biome-ignore format: one form a line
const refused: [name: string, fields: Record<string, string>, headers: Record<string, string>, status: number, says: RegExp][] = [
  ['nothing in it', {}, {}, 422, /field pay is not `demo`/],
  ['another word', { pay: '<script>alert(1)</script>' }, {}, 422, /field pay is not `demo`/],
  ['a page of another site', { pay: 'demo' }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403, /another site/],
  ['JSON', { pay: 'demo' }, { 'content-type': 'application/json' }, 415, /x-www-form-urlencoded/],
  ['a payment that was forged', { pay: 'demo' }, { 'x-payment': 'AAAA' }, 200, /premium playbook/],
];

for (const [name, fields, headers, status, says] of refused) {
  test(`a form with ${name} is answered with ${status}`, async () => {
    const response = await send(fields, headers);
    const html = await response.text();
    assert.equal(response.status, status);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(html, says);
    assert.doesNotMatch(html, /<script>alert/);
  });
}

test('other methods of the form address', async () => {
  const response = await fetch(`${origin}/playbook`, { method: 'DELETE' });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
});

test('the commands on the page, as they stand there, fetch the playbook', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-pay-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const blocks = [...(await read('/playbook.md')).matchAll(/^```bash\n(.*?)\n```$/gms)].map(([, block]) => block);
  assert.equal(blocks.length, 3);
  await promisify(execFile)('bash', ['-euc', blocks.join('\n')], { cwd: folder });
  assert.equal(await readFile(join(folder, 'playbook.md'), 'utf8'), whole.markdown);
});
