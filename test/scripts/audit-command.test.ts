import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { auditCommand } from '../../scripts/audit.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { type Answer, bareSite, openSite } from '../audit/sites.ts';
import { runHere, runNode } from '../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'audit-'));
after(() => rmSync(folder, { recursive: true }));

const script = join(import.meta.dirname, '..', '..', 'scripts', 'audit.ts');
const audit = (...args: string[]) => runHere(auditCommand, args, { cwd: folder });

async function serve(answer: Answer): Promise<string> {
  const site = await openSite(answer);
  after(() => site.close());
  return `${site.origin}/`;
}

const museum = await serve((asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 });

test('a site on this machine is audited, and the report names what to do', async () => {
  const { code, stdout, stderr } = await audit(await serve(bareSite));
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\d+ of 100, (?:readable|hard to use|closed to agents)/);
  assert.match(stdout, /\nFAIL {2}/);
  assert.match(stdout, /\n {6}GET http:\/\/127\.0\.0\.1:\d+\/llms\.txt.* → 404\n/);
  assert.match(stdout, /\n {6}Fix: /);
  assert.match(stdout, /\n {8}\| /);
});

test('as a process it writes the same, and its exit code says how it ended', async () => {
  const [fine, wrong] = await Promise.all([
    runNode(script, [museum, '--json'], { cwd: folder }),
    runNode(script, ['--fast'], { cwd: folder }),
  ]);
  assert.equal(fine.code, 0, fine.stderr);
  auditReport.parse(JSON.parse(fine.stdout));
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^Unknown option '--fast'.*\nRun npm run audit -- --help for the usage\.\n$/);
});

test('--json prints the report, and --min decides on the exit code', async () => {
  const fine = await audit(museum, '--json', '--min', '70');
  assert.equal(fine.code, 0, fine.stderr);
  assert.ok(auditReport.parse(JSON.parse(fine.stdout)).score >= 70);
  const short = await audit(await serve(bareSite), '--json', '--min', '70');
  assert.equal(short.code, 1);
  assert.match(short.stderr, /^The score is \d+; at least 70 was asked for\.\n$/);
  auditReport.parse(JSON.parse(short.stdout));
});

test('a recording gives the same report without the site', async () => {
  const site = await openSite(bareSite);
  const live = await audit(`${site.origin}/`, '--json', '--recording', 'site.json');
  site.close();
  assert.equal(live.code, 0, live.stderr);
  const replayed = await audit('--replay', 'site.json', '--json');
  assert.equal(replayed.code, 0, replayed.stderr);
  assert.equal(replayed.stdout, live.stdout);
});

test('what a hostile site sends does not steer the terminal', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[31m\u009b2J\u202eevil\u200b';
  const url = await serve(({ path }) => ({
    status: path === '/' || path === '/robots.txt' ? 200 : 404,
    type: path === '/' ? 'text/html; charset=utf-8' : `text/plain; charset=utf-8`,
    body:
      path === '/robots.txt'
        ? `${evil}\nUser-agent: *\nAllow: /\n`
        : `<title>${evil}</title><h2>${evil}</h2><p>${evil}`,
  }));
  for (const options of [[], ['--json']]) {
    const { code, stdout, stderr } = await audit(url, ...options);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\p{Cf}/u);
  }
});

describe('a site that cannot be audited: exit code 1, and why', () => {
  const cases: [name: string, answer: Answer | null, why: RegExp][] = [
    ['nobody answers', null, /could not be audited\. .*\.\n$/],
    [
      'robots.txt forbids it',
      () => ({ type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' }),
      /forbids \/ to PorchlightAudit/,
    ],
  ];
  for (const [name, answer, why] of cases) {
    it(name, async () => {
      const site = await openSite(answer ?? bareSite);
      if (answer === null) {
        site.close();
      }
      const { code, stdout, stderr } = await audit(`${site.origin}/`);
      site.close();
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, why);
    });
  }
});

describe('wrong use: exit code 2, and the help', () => {
  writeFileSync(join(folder, 'broken.json'), '{"format":1}');
  const cases: [name: string, args: string[], message: RegExp][] = [
    ['no url', [], /^Give one url/],
    ['two urls', [museum, museum], /^Give one url/],
    ['no address', ['example.com'], /^Give an absolute address/],
    ['another scheme', ['ftp://example.com/'], /^The scheme "ftp" is not fetched/],
    ['an unknown option', [museum, '--fast'], /^Unknown option/],
    ['a minimum that is none', [museum, '--min', '101'], /^--min "101" is not a score/],
    ['a minimum with a fraction', [museum, '--min', '7.5'], /^--min "7.5" is not a score/],
    ['a recording that is not there', ['--replay', 'none.json'], /^none\.json: /],
    ['a recording that is none', ['--replay', 'broken.json'], /^broken\.json: The recording is not readable/],
    ['a url with a recording', [museum, '--replay', 'broken.json'], /^--replay judges a recording/],
    [
      'a folder that is not there',
      [museum, '--recording', 'no/such/folder.json'],
      /^The recording could not be written/,
    ],
  ];
  for (const [name, args, message] of cases) {
    it(name, async () => {
      const { code, stdout, stderr } = await audit(...args);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.match(stderr, /--help for the usage\.\n$/);
    });
  }

  it('--help is no mistake', async () => {
    const { code, stdout } = await audit('--help');
    assert.equal(code, 0);
    assert.match(stdout, /^Audits a website/);
  });
});
