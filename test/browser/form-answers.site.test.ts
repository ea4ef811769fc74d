import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { judgedSites } from '../audit/judged-sites.ts';
import { bareSite, openSite } from '../audit/sites.ts';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, watchForErrors } from '../support/browser.ts';
import { startBuiltService } from '../support/built-service.ts';
import { fillAuditQueue, openSlowSite } from '../support/full-queue.ts';

const browser = await launchBrowser();
const good = await openSite((asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 });
after(() => good.close());
const bare = await openSite(bareSite);
after(() => bare.close());
const slow = await openSlowSite();
// No port that anybody is given when they ask for a free one.
const closed = '127.0.0.1:1';
const { origin } = await startBuiltService({
  environment: {
    AUDIT_ALLOW_HOSTS: [good.host, bare.host, slow.host, closed].join(','),
    TRUST_PROXY: 'loopback',
  },
});

/** The answer to a form. */
interface Answer {
  status: number;
  headers: Headers;
  html: string;
}

/** Sends a form as a browser does, from a network of its own unless one is given. */
async function send(path: string, fields: Record<string, string>, network = nextNetwork()): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      origin,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': network,
    },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

async function read(path: string): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

let networks = 0;
function nextNetwork(): string {
  networks += 1;
  return `198.51.100.${networks}`;
}

const fieldIn = ({ html }: Answer, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';

/**
 * Every kind of answer that the forms give as a page, and the comparison of two audited sites: its name, the status that is
 * expected, and the answer.
 */
async function collect(): Promise<[name: string, status: number, answer: Answer][]> {
  const receipt = await send('/guestbook', { name: 'Ada', message: 'The light is on.', model: '' });
  const [id, token] = [fieldIn(receipt, 'id'), fieldIn(receipt, 'token')];
  const broke = nextNetwork();
  const auditOf = (url: string): Promise<Answer> => send('/audit', { url }, broke);
  await auditOf(`http://${closed}/`);
  await auditOf(`http://${closed}/a`);
  await auditOf(`http://${closed}/b`);
  const playbookDue = await send('/playbook', {});
  const answers: [string, number, Answer][] = [
    ['guestbook: accepted', 201, receipt],
    ['guestbook: refused', 422, await send('/guestbook', { name: '', message: 'x' })],
    ['guestbook: not withdrawn', 404, await send('/guestbook/withdraw', { id: '0123456789ab', token: 'none' })],
    ['ask: refused', 400, await read('/ask?q=+')],
    ['crawlers: refused', 400, await read('/crawlers?ua=+')],
    ['audit: no two addresses', 422, await read('/audit/compare?a=example.com&b=foo+bar')],
    ['audit: looked at nothing', 422, await send('/audit/look', { url: '' })],
    ['guestbook: withdrawn', 200, await send('/guestbook/withdraw', { id, token })],
    ['audit: refused', 422, await send('/audit', { url: 'http://10.0.0.1/' })],
    ['audit: a payment is due', 402, await auditOf(`http://${closed}/c`)],
    ['directory: joined', 201, await send('/directory', { url: good.origin })],
    ['directory: not certified', 422, await send('/directory', { url: bare.origin })],
    ['directory: refused', 422, await send('/directory', { url: 'http://10.0.0.1/' })],
    ['playbook: a payment is due', 402, playbookDue],
    ['playbook: a quote that cannot be paid', 422, await send('/playbook', { quote: 'made-up' })],
    ['playbook: paid', 200, await send('/playbook', { quote: fieldIn(playbookDue, 'quote') })],
  ];
  const release = await fillAuditQueue(origin, slow);
  answers.push(['audit: the queue is full', 503, await send('/audit', { url: `${slow.origin}/one-too-many` })]);
  release();
  // Both were audited when they asked to join.
  const compared = await read(`/audit/compare?${new URLSearchParams({ a: good.origin, b: bare.origin })}`);
  assert.match(compared.html, /To fix here and not there/);
  answers.push(['audit: two sites beside each other', 200, compared]);
  return answers;
}

const answers = await collect();
const page = await browser.newPage({
  colorScheme: 'light',
  reducedMotion: 'reduce',
  viewport: { width: 390, height: 844 },
});
const errors = watchForErrors(page);

for (const [index, [name, status, answer]] of answers.entries()) {
  test(`axe-core finds nothing in the answer of a form, ${name}`, async () => {
    assert.equal(answer.status, status, answer.html.slice(0, 1000));
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    if (name !== 'audit: two sites beside each other') {
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
    // The answer as it came, with its policies, at an address of the service, whose style sheets it loads.
    const at = `${origin}/answer/${index}`;
    const { 'content-encoding': _coding, 'content-length': _length, ...headers } = Object.fromEntries(answer.headers);
    await page.route(at, (route) => route.fulfill({ status: 200, headers, body: answer.html }));
    errors.length = 0;
    await page.goto(at);
    assert.equal(await page.locator('main h1').count(), 1);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
    await injectAxe(page);
    // Contrast is measured text by text, which takes ten times as long on the page of all chapters as all other rules
    // together; the page of the free chapter is made of the same parts.
    const without = name === 'playbook: paid' ? ['color-contrast'] : [];
    assert.deepEqual(await axeViolations(page, without), []);
    assert.deepEqual(errors, []);
  });
}
