import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { techniqueIds } from '#almanac/techniques.ts';
import { prices } from '#api/contract/prices.ts';
import { freeChapter, playbook } from '#site/playbook.ts';
import { readPlaybook } from '../../scripts/support/build/playbook.ts';
import { startBuiltService } from '../support/built-service.ts';
import { pageFaults } from '../support/nu-checker.ts';
import { exchange } from '../support/raw-http.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const { origin } = await startBuiltService();
const whole = await readPlaybook(siteUrl);
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'user-agent': 'Mozilla/5.0 Firefox/140.0' };

const send = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}/playbook`, {
    method: 'POST',
    headers: { ...navigation, origin, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
  });
/** The quote in the button that pays. */
const quoteIn = (html: string): string => /<input type="hidden" name="quote" value="([^"]+)"/.exec(html)?.[1] ?? '';
/** Sends the form and then its second button, as a browser does. */
const buy = async (): Promise<Response> => send({ quote: quoteIn(await (await send({})).text()) });
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
  const code = [...source.matchAll(/^```[^\n]*\n(.*?)\n```$/gms)].map(([, block = '']) => block);
  assert.ok(code.length > 10);
  for (const block of code) {
    assert.ok(twin.includes(block), block.slice(0, 80));
  }
  for (const id of techniqueIds.filter((each) => each !== freeChapter.id)) {
    assert.equal((await fetch(`${origin}/playbook/${id}`)).status, 404, id);
  }
  for (const path of ['/playbook/whole', '/playbook/payment']) {
    assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
  }
});

test('the form is answered with the price, what is bought and a button that pays, and with no chapter', async () => {
  const response = await send({});
  const html = await response.text();
  assert.equal(response.status, 402);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.ok(response.headers.has('payment-required'));
  assert.equal(response.headers.get('x-payment-response'), null, 'nothing is paid yet');
  assert.match(html, /The playbook costs 0\.10 USD, in a demonstration: no money moves/);
  assert.match(html, /<button class="btn" type="submit">Pay 0\.10 USD \(demonstration\) and read it all<\/button>/);
  for (const { title } of whole.chapters) {
    assert.ok(html.includes(`<li>${title}`), title);
  }
  assert.doesNotMatch(html, /<h2 id="12-/);
  assert.doesNotMatch(html.slice(0, html.indexOf('</head>')), /rel="canonical"|payment\.(?:md|json)/);
  assert.deepEqual(await pageFaults(html), []);
  assert.notEqual(quoteIn(await (await send({})).text()), quoteIn(html), 'each answer has a quote of its own');

  const asJson = await send({}, { accept: 'application/json' });
  assert.equal(asJson.status, 402);
  assert.equal(asJson.headers.get('content-type'), 'application/problem+json');
  assert.equal((await asJson.json()).demo, true);
});

test('a browser that opens the address of the API is answered with a page whose form pays', async () => {
  const response = await fetch(`${origin}/api/premium/playbook`, { headers: { accept: 'text/html' } });
  assert.equal(response.status, 402);
  const html = await response.text();
  assert.match(html, /<form action="\/playbook" method="post">.*Pay 0\.10 USD, in a demonstration<\/button>/);
  assert.deepEqual(await pageFaults(html), []);
  const paid = await send({ quote: quoteIn(html) });
  assert.equal(paid.status, 200);
});

test('the second button pays the demo and is answered with every chapter, as a page of the site', async () => {
  const quote = quoteIn(await (await send({})).text());
  const response = await send({ quote }, { 'accept-encoding': 'gzip' });
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
  assert.equal(response.headers.get('content-encoding'), 'gzip');

  const again = await send({ quote });
  const refusal = await again.text();
  assert.equal(again.status, 422, 'the quote is good once');
  assert.match(refusal, /This quote was paid, and the payment was used/);
  assert.match(refusal, /<form action="\/playbook" method="post">/, 'the form begins anew');
  assert.equal(quoteIn(refusal), '');
  assert.deepEqual(await pageFaults(refusal), []);
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
  // The button that brings the files holds the payment.
  const masked = (html: string): string => html.replace(/(?<=name="payment" value=")[^"]+/, 'paid');
  assert.equal(masked(await answer.text()), masked(await (await buy()).text()));
});

test('the form is taken behind nginx too, which serves the page from its file', async () => {
  const sendThere = (fields: Record<string, string>): Promise<Response> =>
    fetch(`${nginxUrl}/playbook`, { method: 'POST', headers: navigation, body: new URLSearchParams(fields) });
  const due = await sendThere({});
  assert.equal(due.status, 402);
  const response = await sendThere({ quote: quoteIn(await due.text()) });
  assert.equal(response.status, 200);
  assert.ok((await response.text()).includes('<h2 id="12-'));
});

// biome-ignore format: one form a line
const refused: [name: string, fields: Record<string, string>, headers: Record<string, string>, status: number, says: RegExp][] = [
  ['a quote that was made up', { quote: '<script>alert(1)</script>' }, {}, 422, /<form action="\/playbook"/],
  ['a page of another site', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403, /another site/],
  ['JSON', {}, { 'content-type': 'application/json' }, 415, /x-www-form-urlencoded/],
  ['a payment that was forged', {}, { 'x-payment': 'AAAA' }, 402, /The X-Payment header cannot be read/],
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

test('a form without fields is taken without Content-Length too', async () => {
  const headers: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded; charset=UTF-8']];
  const { status } = await exchange(origin, { method: 'POST', target: '/playbook', headers });
  assert.equal(status, 402);
});

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

test('the page that was paid for has a button that brings the files, and the API sends them by Accept', async () => {
  const html = await (await buy()).text();
  const payment = /<input type="hidden" name="payment" value="([^"]+)"/.exec(html)?.[1] ?? '';
  assert.ok(payment.length > 40);
  const saved = await send({ payment });
  assert.equal(saved.status, 200);
  assert.equal(saved.headers.get('content-type'), 'application/zip');
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename=("?)playbook\.zip\1$/);
  const again = await send({ payment, as: 'page' });
  assert.equal(again.status, 200);
  assert.equal(await again.text(), html, 'the payment opens the same page as long as it is good');
  const files = unzipSync(new Uint8Array(await saved.arrayBuffer()));
  assert.ok(Object.hasOwn(files, '12-transparent-machine-layer/nginx/nginx.conf'));

  const api = `${origin}/api/premium/playbook?chapter=llms-txt`;
  const headers = { accept: 'application/zip' };
  assert.equal((await fetch(api, { headers })).status, 402);
  const one = await fetch(api, { headers: { ...headers, 'x-payment': payment } });
  assert.equal(one.headers.get('content-type'), 'application/zip');
  const paths = Object.keys(unzipSync(new Uint8Array(await one.arrayBuffer())));
  assert.ok(paths.includes('01-llms-txt/express/app.js') && paths.every((path) => !path.startsWith('12-')));
});

test('a payment that was not made brings no files', async () => {
  const response = await send({ payment: 'made-up' });
  assert.equal(response.status, 402);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
});

test('the files of the free chapter are free from both fronts, and those of no other chapter', async () => {
  for (const front of [siteUrl, nginxUrl]) {
    const response = await fetch(`${front}/playbook/${freeChapter.id}.zip`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/zip');
    const paths = Object.keys(unzipSync(new Uint8Array(await response.arrayBuffer())));
    assert.ok(paths.includes('02-markdown-negotiation/nginx/nginx.conf'));
    assert.ok(paths.filter((path) => path.includes('/')).every((path) => path.startsWith('02-')));
    assert.equal((await fetch(`${front}/playbook/llms-txt.zip`)).status, 404);
  }
});
