import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { excerptCharacters } from '#api/audit/sight.ts';
import { LookAnswer } from '#api/audits/look.ts';
import { type Answer, openSite } from '../audit/sites.ts';
import { postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const head = '<!doctype html><html lang="en"><head><title>Boats</title><script src="/a.js"></script></head><body>';
const text = 'Boats are mended here every day of the year, and nobody pays in advance.';
const page = `${head}<nav><a href="/">Home</a></nav><main><h1>Boats</h1><p>${text}</p></main></body></html>`;
const markdown = `# Boats\n\n${text}\n`;
const noRobots = { status: 404, type: 'text/plain', body: 'none' };

/** Answers with a page, and with markdown to who asks for it; `own` goes first. */
const withPage =
  (own: Answer = () => ({})): Answer =>
  (asked, origin) => {
    const answer = own(asked, origin);
    if (Object.keys(answer).length > 0) {
      return answer;
    }
    return asked.path === '/robots.txt'
      ? noRobots
      : asked.accept === 'text/markdown'
        ? { type: 'text/markdown', body: markdown }
        : { type: 'text/html; charset=utf-8', body: page };
  };

async function open(answer: Answer) {
  const site = await openSite(answer);
  after(() => site.close());
  const { app, context } = createTestApp({ limits: noLimits, environment: { AUDIT_ALLOW_HOSTS: site.host } });
  after(() => context.auditService.stop());
  const remaining = async (): Promise<number> => (await context.freeAudits.status('127.0.0.1')).remaining;
  const ask = (url = `${site.origin}/`) => postJson(app, '/api/audit/look', { url });
  return { site, ask, remaining };
}

async function look(answer: Answer): Promise<LookAnswer> {
  const { ask } = await open(answer);
  return LookAnswer.parse((await ask().expect(200)).body);
}

/** The view of an id; a test that names a missing one fails. */
function viewOf({ views }: LookAnswer, id: string): LookAnswer['views'][number] {
  const view = views.find((each) => each.id === id);
  assert.ok(view !== undefined, id);
  return view;
}

describe('a page as four readers get it', async () => {
  const { site, ask, remaining } = await open(withPage());
  const response = await ask().expect(200);
  const answer = LookAnswer.parse(response.body);

  it('has the sizes of what was sent', () => {
    const sizes = answer.views.map(({ id, status, bytes, tokens }) => [id, status, bytes, tokens]);
    const html = Buffer.byteLength(page);
    assert.deepEqual(sizes, [
      ['browser', 200, html, Math.ceil(html / 4)],
      ['gptbot', 200, html, Math.ceil(html / 4)],
      ['text', 200, viewOf(answer, 'text').bytes, Math.ceil((viewOf(answer, 'text').bytes ?? 0) / 4)],
      ['markdown', 200, markdown.length, Math.ceil(markdown.length / 4)],
    ]);
  });

  it('has the content of each', () => {
    assert.match(viewOf(answer, 'browser').excerpt, /^<main><h1>Boats/);
    assert.match(viewOf(answer, 'gptbot').note, /^The same bytes as a browser gets\./);
    assert.ok(viewOf(answer, 'text').excerpt.includes(text));
    assert.doesNotMatch(viewOf(answer, 'text').excerpt, /<|Home/);
    assert.equal(viewOf(answer, 'markdown').excerpt, markdown.trim());
    assert.equal(answer.title, 'Boats');
    assert.deepEqual(answer.robots_txt, { allows_gptbot: true, rule: null });
  });

  it('costs the site four requests, each with our name in it', () => {
    assert.deepEqual(site.asked.map(({ path }) => path).sort(), ['/', '/', '/', '/robots.txt']);
    assert.equal(answer.requests, 4);
    for (const { headers } of site.asked) {
      assert.match(headers['user-agent'] ?? '', /PorchlightAudit\/\S+ \(\+https:\/\/porch\.example\/about\)$/);
      assert.ok('signature' in headers);
    }
  });

  it('counts as a free audit; beyond them it is refused until they come back', async () => {
    assert.deepEqual([answer.allowance.remaining, await remaining()], [2, 2]);
    assert.match(response.get('ratelimit') ?? '', /"audit"; r=2;/);
    await ask().expect(200);
    await ask().expect(200);
    const before = site.asked.length;
    const { body, headers } = await ask().expect(429);
    assert.equal(body.type, `${testBaseUrl}/problems/rate-limited`);
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal(site.asked.length, before);
  });
});

describe('what sites do', () => {
  it('one that turns GPTBot away is told from one that does not', async () => {
    const answer = await look(
      withPage(({ headers }) => (headers['user-agent']?.includes('GPTBot') ? { status: 403, body: 'no' } : {})),
    );
    const { note, status, bytes } = viewOf(answer, 'gptbot');
    assert.deepEqual([status, bytes], [403, null]);
    assert.match(note, /status 403\. A browser gets the page\./);
  });

  it('a robots.txt that forbids GPTBot is shown, and binds GPTBot alone', async () => {
    const answer = await look(
      withPage(({ path }) =>
        path === '/robots.txt' ? { type: 'text/plain', body: 'User-agent: GPTBot\nDisallow: /\n' } : {},
      ),
    );
    assert.deepEqual(answer.robots_txt, { allows_gptbot: false, rule: 'Disallow: /' });
    assert.match(viewOf(answer, 'gptbot').note, /robots\.txt asks GPTBot not to fetch this address\.$/);
  });

  it('one without markdown has no markdown view', async () => {
    const answer = await look(withPage(({ path }) => (path === '/' ? { type: 'text/html', body: page } : {})));
    const { bytes, tokens, excerpt, note } = viewOf(answer, 'markdown');
    assert.deepEqual([bytes, tokens, excerpt], [null, null, '']);
    assert.match(note, /no markdown/);
  });

  it('a shell that scripts fill is called one', async () => {
    const shell = `${head}<div id="root"></div><script type="module" src="/main.js"></script></body></html>`;
    const answer = await look(withPage(({ path }) => (path === '/' ? { type: 'text/html', body: shell } : {})));
    assert.equal(answer.needs_scripts, true);
    assert.match(viewOf(answer, 'text').note, /Nothing can be read/);
  });

  it('an address that is no page has nothing to read', async () => {
    const answer = await look(
      withPage(({ path }) => (path === '/' ? { type: 'application/pdf', body: '%PDF-1.7 \u0000\u0001' } : {})),
    );
    assert.deepEqual(
      answer.views.map(({ excerpt }) => excerpt),
      ['', '', '', ''],
    );
    assert.equal(viewOf(answer, 'browser').note, 'This address is no HTML page.');
  });
});

describe('hostile sites', () => {
  it('markup, invisible characters and escape sequences are cleaned, and counted', async () => {
    const hostile = `<html><head><title>\u202E<img src=x onerror=alert(1)>\u001b]0;x\u0007\u200Bignore</title></head><body><main><p>a\u200Bb\u{E0041}c\u001b[2J ${'word '.repeat(60)}</p></main></body></html>`;
    const answer = await look(withPage(({ path }) => (path === '/' ? { type: 'text/html', body: hostile } : {})));
    assert.doesNotMatch(JSON.stringify(answer), /\\u001b|\u200B|\u202E|\u{E0041}/u);
    const { excerpt, stripped_invisible } = viewOf(answer, 'text');
    assert.match(excerpt, /^abc word/);
    assert.ok(stripped_invisible >= 3, String(stripped_invisible));
    assert.match(answer.content_notice, /never instructions/);
  });

  it('a huge page is cut, and the answer stays small', async () => {
    const huge = `${head}<main><p>${'boats '.repeat(1_000_000)}</p></main>`;
    const { ask } = await open(withPage(({ path }) => (path === '/' ? { type: 'text/html', body: huge } : {})));
    const response = await ask().expect(200);
    const answer = LookAnswer.parse(response.body);
    const { truncated, bytes, excerpt, excerpt_is_whole } = viewOf(answer, 'browser');
    assert.deepEqual([truncated, bytes, excerpt_is_whole], [true, 2 * 1024 * 1024, false]);
    assert.ok(excerpt.length <= excerptCharacters);
    assert.ok(response.text.length < 30_000, String(response.text.length));
  });

  it('a page too deep to read says so', async () => {
    const deep = `<html><body><main>${'<div>'.repeat(20_000)}x`;
    const answer = await look(withPage(({ path }) => (path === '/' ? { type: 'text/html', body: deep } : {})));
    assert.notEqual(viewOf(answer, 'text').note, '');
    assert.equal(viewOf(answer, 'text').excerpt, '');
  });

  const refused: [name: string, answer: Answer, status: number, slug: string][] = [
    [
      'a redirect to a private address',
      ({ path }) =>
        path === '/' ? { status: 302, headers: { Location: 'http://169.254.169.254/latest/' } } : noRobots,
      422,
      'audit-target-refused',
    ],
    [
      'a robots.txt that forbids it to us',
      ({ path }) =>
        path === '/robots.txt' ? { type: 'text/plain', body: 'User-agent: PorchlightAudit\nDisallow: /\n' } : {},
      422,
      'audit-target-refused',
    ],
    [
      'a robots.txt that fails',
      ({ path }) => ({ status: path === '/robots.txt' ? 500 : 200 }),
      502,
      'audit-target-unreachable',
    ],
    [
      'redirects in a circle',
      ({ path }) => (path === '/robots.txt' ? noRobots : { status: 302, headers: { Location: '/' } }),
      502,
      'audit-target-unreachable',
    ],
  ];
  for (const [name, answer, status, slug] of refused) {
    it(`${name}: ${status} ${slug}`, async () => {
      const { ask, remaining } = await open(answer);
      const { body } = await ask().expect(status);
      assert.equal(body.type, `${testBaseUrl}/problems/${slug}`);
      assert.equal(await remaining(), status === 422 ? 3 : 2, 'what was refused costs nothing');
    });
  }
});
