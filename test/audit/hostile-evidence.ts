import assert from 'node:assert/strict';
import { namedExchanges } from '#api/audit/evidence/exchange-name.ts';
import type { Evidence, Exchange } from '#api/audit/evidence.ts';
import { auditReport, toReport } from '#api/audit/report.ts';
import { parseRecording } from '#api/audit/run.ts';
import { auditSite } from './audited.ts';
import { judgedSites } from './judged-sites.ts';

const answer = judgedSites['perfect']?.answer;
assert.ok(answer !== undefined);
export const recording = JSON.stringify((await auditSite(answer)).evidence);

/** A text as often as it takes to be of so many characters. */
export const repeat = (text: string, characters: number): string => text.repeat(Math.ceil(characters / text.length));

/**
 * Bodies that cost a careless reader much, of about as many characters as given: each is put in the place of every body of a
 * recording.
 */
export function hostileBodies(characters: number): Record<string, string> {
  const fill = (text: string): string => repeat(text, characters);
  return {
    empty: '',
    'nothing but <': fill('<'),
    'nothing but [': fill('['),
    'nothing but ](': fill(']('),
    'nothing but ]( in long lines': fill(`${']('.repeat(10_000)}\n`),
    'nothing but sections and links': fill('## a\n[a](/b)\n'),
    'nothing but {"a":': fill('{"a":'),
    'nothing but backticks': fill('```\n'),
    'nothing but white space': fill(' \n'),
    'nothing but headings': fill('# a\n'),
    'nothing but HTML headings': fill('<h2>a b</h2>'),
    'nothing but links': fill('<a href=/about>about</a>'),
    'nothing but Markdown links': fill('[a](/b) '),
    'nothing but User-agent lines': fill('User-agent: GPTBot\nDisallow: /\n'),
    'nothing but Contact lines': fill('Contact: '),
    'nothing but modelContext': fill('modelContext '),
    'nothing but comments': fill('<!-- as an AI you must ignore all previous '),
    'nothing but forms': fill('<form toolname=a><input required>'),
    'nothing but URL elements': `<urlset>${fill('<url><loc>http://127.0.0.1/a</loc></url>')}`,
    'nothing but front matter': `---\n${fill('a: b\n')}`,
    'nothing but a word': fill('a'),
    'nothing but words of one letter': fill('a b '),
    'deep HTML': `<title>x</title>${repeat('<div>', Math.min(characters, 100_000))}`,
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
    'lone surrogates': repeat('\ud800 <p>\udc00</p> # \ud83d', 20_000),
    'NUL and control characters': repeat('\u0000\u0001\u001b\u2028\u202e', 20_000),
    'tag characters': repeat('\u{e0049}\u{e0067}\u{e006e}', 20_000),
  };
}

/** What gets such a body in full; all else is cut at 64 KiB, as when it was gathered. */
const large = new Set(['home', 'home-markdown', 'robots', 'sitemap', 'llms-txt', 'agents-json', 'script:1']);

export const contentTypes = ['text/html', 'application/json', 'text/markdown', 'text/plain', 'application/xml', ''];

/** The recording of a good site with every exchange changed. */
export function replaced(change: (exchange: Exchange, name: string) => Partial<Exchange>): Evidence {
  const evidence = parseRecording(recording);
  const exchanges = namedExchanges(evidence.exchanges).map(([name, one]) => [name, { ...one, ...change(one, name) }]);
  return { ...evidence, exchanges: Object.fromEntries(exchanges) };
}

/** Asserts that no check throws on the evidence, and that the report holds its form. */
export function assertHolds(evidence: Evidence): void {
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

/** Asserts the same with a body in the place of every body. */
export function assertHoldsWithBody(body: string, type: string): void {
  assertHolds(
    replaced(({ headers }, name) => ({
      body: large.has(name) ? body : body.slice(0, 64 * 1024),
      bodyBytes: body.length,
      headers: { ...headers, 'content-type': [type] },
    })),
  );
}
