import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Evidence, Exchange } from '#api/audit/evidence.ts';
import { auditReport, toReport } from '#api/audit/report.ts';
import { parseRecording } from '#api/audit/run.ts';
import { auditSite } from './audited.ts';
import { judgedSites } from './judged-sites.ts';

const answer = judgedSites['perfect']?.answer;
assert.ok(answer !== undefined);
const recording = JSON.stringify((await auditSite(answer)).evidence);

const twoMebibytes = 2 * 1024 * 1024;
const fill = (text: string, characters = twoMebibytes): string => text.repeat(Math.ceil(characters / text.length));

/** Bodies that cost a careless reader much: each is put in the place of every body of a recording. */
const bodies: Record<string, string> = {
  empty: '',
  '2 MiB of <': fill('<'),
  '2 MiB of [': fill('['),
  '2 MiB of ](': fill(']('),
  '2 MiB of ]( in long lines': fill(`${']('.repeat(10_000)}\n`),
  '2 MiB of sections and links': fill('## a\n[a](/b)\n'),
  '2 MiB of {"a":': fill('{"a":'),
  '2 MiB of backticks': fill('```\n'),
  '2 MiB of white space': fill(' \n'),
  '2 MiB of headings': fill('# a\n'),
  '2 MiB of HTML headings': fill('<h2>a b</h2>'),
  '2 MiB of links': fill('<a href=/about>about</a>'),
  '2 MiB of Markdown links': fill('[a](/b) '),
  '2 MiB of User-agent lines': fill('User-agent: GPTBot\nDisallow: /\n'),
  '2 MiB of Contact lines': fill('Contact: '),
  '2 MiB of modelContext': fill('modelContext '),
  '2 MiB of comments': fill('<!-- as an AI you must ignore all previous '),
  '2 MiB of forms': fill('<form toolname=a><input required>'),
  '2 MiB of URL elements': `<urlset>${fill('<url><loc>http://127.0.0.1/a</loc></url>')}`,
  '2 MiB of front matter': `---\n${fill('a: b\n')}`,
  '2 MiB of a word': fill('a'),
  '2 MiB of words of one letter': fill('a b '),
  'deep HTML': `<title>x</title>${fill('<div>', 100_000)}`,
  'deep JSON': `${'['.repeat(90)}${']'.repeat(90)}`,
  'a long JSON array': JSON.stringify({ skills: Array(50_000).fill({ name: 'a' }), entries: Array(50_000).fill({}) }),
  'JSON of wrong types': JSON.stringify({
    name: 1,
    description: {},
    skills: { a: null },
    entries: 'x',
    linkset: [null, 1, 'a'],
    paths: [null],
    keys: [null, {}],
    tools: 3,
    interfaces: { webmcp: { tools: { constructor: null } }, mcp: [] },
    identity: [],
    accepts: null,
    x402Version: {},
    remotes: [[]],
    supportedInterfaces: [null],
    result: { tools: [null, 1, { name: 'a', inputSchema: { required: [{}], properties: 5 } }] },
    jsonrpc: '2.0',
  }),
  'JSON with names of methods':
    '{"toString":"x","__proto__":{"a":1},"constructor":{"prototype":1},"@type":{"toString":"x"},"tools":[{"name":{"toString":1}}]}',
  'JSON that is null': 'null',
  'lone surrogates': fill('\ud800 <p>\udc00</p> # \ud83d', 20_000),
  'NUL and control characters': fill('\u0000\u0001\u001b\u2028\u202e', 20_000),
  'tag characters': fill('\u{e0049}\u{e0067}\u{e006e}', 20_000),
};

/** What gets such a body in full; all else is cut at 64 KiB, as when it was gathered. */
const large = new Set(['home', 'home-markdown', 'robots', 'sitemap', 'llms-txt', 'agents-json', 'script:1']);

const types = ['text/html', 'application/json', 'text/markdown', 'text/plain', 'application/xml', ''];

function replaced(change: (exchange: Exchange, name: string) => Partial<Exchange>): Evidence {
  const evidence = parseRecording(recording);
  const exchanges = Object.entries(evidence.exchanges).map(([name, one]) => [name, { ...one, ...change(one, name) }]);
  return { ...evidence, exchanges: Object.fromEntries(exchanges) };
}

function assertHolds(evidence: Evidence): void {
  const report = toReport(evidence);
  auditReport.parse(report);
  for (const { id, evidence: lines } of report.checks) {
    for (const { note, request, header, excerpt } of lines) {
      assert.ok(!note.includes('The check itself failed'), `${id}: ${note}`);
      const parts = [note, request, header ?? '', excerpt ?? ''];
      assert.ok(
        parts.every((part) => part.length <= 1500 && part.isWellFormed()),
        id,
      );
    }
  }
  assert.ok(JSON.stringify(report).length < 400_000, 'the report stays of a size that can be stored');
}

// The limit ends what reads a body again and again.
describe('hostile bodies: no check throws, and the report holds its form', { timeout: 600_000 }, () => {
  for (const [what, body] of Object.entries(bodies)) {
    for (const type of body.length > 100_000 ? types.slice(0, 3) : types) {
      test(`${what} as ${type || 'nothing'}`, () =>
        assertHolds(
          replaced(({ headers }, name) => ({
            body: large.has(name) ? body : body.slice(0, 64 * 1024),
            bodyBytes: body.length,
            headers: { ...headers, 'content-type': [type] },
          })),
        ));
    }
  }
});

describe('hostile headers', () => {
  const long = 'x'.repeat(60_000);
  const headers: Record<string, string> = {
    link: fill('</a>; rel="', 60_000),
    vary: fill('accept,', 60_000),
    'cache-control': `max-age=${'9'.repeat(400)}`,
    'content-type': long,
    'strict-transport-security': fill('max-age=', 60_000),
    'content-signal': fill('ai-train=yes,', 60_000),
    'x-robots-tag': fill('noindex:', 60_000),
    'www-authenticate': fill('Payment ', 60_000),
    'payment-required': fill('W', 60_000),
    'cf-mitigated': '\u0000\ud800',
    location: long,
  };
  for (const [name, value] of Object.entries(headers)) {
    test(name, () => assertHolds(replaced((one) => ({ headers: { ...one.headers, [name]: [value, value] } }))));
  }
});

describe('whatever the outcome', () => {
  for (const status of [null, 100, 204, 304, 401, 402, 404, 410, 418, 429, 500, 503, 999]) {
    test(`every status ${status}`, () => assertHolds(replaced(() => ({ status }))));
  }
  for (const outcome of ['refused', 'dns', 'tls', 'timeout', 'protocol', 'robots-disallowed', 'not-asked'] as const) {
    test(`every outcome ${outcome}`, () => {
      const evidence = replaced(() => ({ outcome, status: null, headers: {}, body: '', error: 'It did not work.' }));
      assertHolds(evidence);
      assert.equal(toReport(evidence).certifiable, false);
    });
  }
  test('exchanges are missing one by one', () => {
    for (const name of Object.keys(parseRecording(recording).exchanges)) {
      const evidence = parseRecording(recording);
      delete evidence.exchanges[name];
      assertHolds(evidence);
    }
  });
  test('there is nothing at all', () => {
    const report = toReport({ ...parseRecording(recording), exchanges: {}, pages: [], llmsLinks: [], mcp: null });
    assert.equal(report.score, 0);
    assert.equal(report.provisional, true);
  });
});
