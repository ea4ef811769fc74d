import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { auditCommand } from '../../scripts/audit.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { type Answer, bareSite, openSite } from '../audit/sites.ts';
import { runHere } from '../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'audit-'));
after(() => rmSync(folder, { recursive: true }));

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
  assert.match(stdout, /\nFix these first\n {2}.*\+\d+ → +\d+ {2}/);
  assert.ok(stdout.split('\n').length <= 20, stdout);
});

test('--verbose prints every finding with its evidence and its fix', async () => {
  const { stdout } = await audit(await serve(bareSite), '--verbose');
  assert.match(stdout, /\nFAIL {2}/);
  assert.match(stdout, /\n {6}GET http:\/\/127\.0\.0\.1:\d+\/llms\.txt.* → 404\n/);
  assert.match(stdout, /\n {6}Fix: /);
  assert.match(stdout, /\n {8}\| /);
});

test('several sites, without a scheme: a summary for each, and the worst of them decides', async () => {
  const poor = await serve(bareSite);
  const { code, stdout, stderr } = await audit(new URL(museum).host, new URL(poor).host, '--min', '70');
  assert.equal(code, 1);
  assert.equal(stdout.match(/^\d+ of 100/gm)?.length, 2);
  assert.match(stderr, /the score is \d+; at least 70 was asked for/);
});

test('a baseline fails on what got worse, and says what', async () => {
  let isGood = true;
  const site = await serve((asked, origin) =>
    asked.path === '/llms.txt' && !isGood
      ? { status: 404, type: 'text/plain', body: 'none' }
      : (judgedSites['museum']?.answer(asked, origin) ?? { status: 500 }),
  );
  assert.equal((await audit(site, '--format', 'json', '-o', 'base.json')).code, 0);
  assert.equal((await audit(site, '--baseline', 'base.json')).code, 0);
  isGood = false;
  const { code, stdout, stderr } = await audit(site, '--baseline', 'base.json');
  assert.equal(code, 1);
  assert.match(stdout, /worse: .*llms-txt-valid: pass → fail/);
  assert.match(stderr, /worse than the baseline \(.*llms-txt-valid/);
  assert.match((await audit(site, '--baseline', 'none.json')).stderr, /^There is no none\.json\. Make it with/);
  const other = await audit(museum, '--baseline', 'base.json');
  assert.match(other.stderr, /^http:\/\/127\.0\.0\.1:\d+\/ is not in base\.json, so nothing was compared\./);
});

test('what is ignored does not count, and what is not among the only ones does not either', async () => {
  const ignored = await audit(museum, '--json', '--ignore', 'llms-txt,vary-accept');
  const report = auditReport.parse(JSON.parse(ignored.stdout));
  const statusOf = (id: string): string | undefined => report.checks.find((check) => check.id === id)?.status;
  assert.deepEqual([statusOf('llms-txt-valid'), statusOf('vary-accept')], ['not-applicable', 'not-applicable']);
  const only = auditReport.parse(JSON.parse((await audit(museum, '--json', '--only', 'llms-txt')).stdout));
  assert.ok(only.checks.every(({ technique, status }) => technique === 'llms-txt' || status === 'not-applicable'));
});

test('--pages and --path choose the pages', async () => {
  const pagesOf = async (...options: string[]): Promise<string[]> =>
    auditReport.parse(JSON.parse((await audit(museum, '--json', ...options)).stdout)).pages;
  assert.equal((await pagesOf('--pages', '2')).length, 2);
  const usual = await pagesOf();
  const [, chosen = ''] = usual;
  const { pathname } = new URL(chosen);
  assert.deepEqual(await pagesOf('--pages', '2', '--path', pathname), [museum, chosen]);
});

describe('each format says what was found', async () => {
  const poor = await serve(bareSite);
  const output = async (format: string): Promise<string> => (await audit(poor, '--format', format)).stdout;

  it('markdown: the plan as a table', async () => assert.match(await output('markdown'), /^\| Fix first \| Gain/m));
  it('fixes: a document for a coding agent', async () => assert.match(await output('fixes'), /^# Make http/));
  it('junit: a case for each check', async () => {
    const xml = await output('junit');
    const { checks } = auditReport.parse(JSON.parse(await output('json')));
    assert.equal(xml.match(/<testcase /g)?.length, checks.length);
    assert.match(xml, /<failure type="fail" message="There is no llms\.txt">/);
  });
  it('sarif: a result for each finding, with its rule', async () => {
    const { runs } = JSON.parse(await output('sarif')) as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; ruleIndex: number }[] }[];
    };
    const [run] = runs;
    assert.ok(run !== undefined && run.results.length > 3);
    for (const { ruleId, ruleIndex } of run.results) {
      assert.equal(run.tool.driver.rules[ruleIndex]?.id, ruleId);
    }
  });
  it('--fixes writes the files', async () => {
    const { code, stderr } = await audit(poor, '--fixes', 'out', '--platform', 'caddy');
    assert.equal(code, 0, stderr);
    for (const file of ['README.md', 'site/llms.txt', 'server/Caddyfile']) {
      assert.ok(existsSync(join(folder, 'out', file)), file);
    }
  });
});

test('porchlight.config.json is read, arguments win, and a fault in it is named', async () => {
  const own = mkdtempSync(join(tmpdir(), 'audit-config-'));
  after(() => rmSync(own, { recursive: true }));
  const run = (...args: string[]) => runHere(auditCommand, args, { cwd: own });
  writeFileSync(join(own, 'porchlight.config.json'), JSON.stringify({ urls: [museum], min: 100, only: ['llms-txt'] }));
  assert.equal((await run('--min', '10')).code, 0);
  writeFileSync(join(own, 'porchlight.config.json'), JSON.stringify({ urls: [museum], minimum: 70, format: 'html' }));
  const { code, stderr } = await run();
  assert.equal(code, 2);
  assert.match(stderr, /^porchlight\.config\.json: .*there is no minimum; known are urls, min/);
  assert.match(stderr, /format: /);
});

test('--json prints the report, and --min decides on the exit code', async () => {
  const fine = await audit(museum, '--json', '--min', '70');
  assert.equal(fine.code, 0, fine.stderr);
  assert.ok(auditReport.parse(JSON.parse(fine.stdout)).score >= 70);
  const short = await audit(await serve(bareSite), '--json', '--min', '70');
  assert.equal(short.code, 1);
  assert.match(short.stderr, /: the score is \d+; at least 70 was asked for\.\n$/);
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

describe('a site that cannot be audited: exit code 3, and why', () => {
  const cases: [name: string, answer: Answer | null, why: RegExp][] = [
    ['nobody answers', null, /\.\n$/],
    [
      'robots.txt forbids it',
      () => ({ type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' }),
      /forbids \/ to PorchlightAudit.*Allow PorchlightAudit there/,
    ],
  ];
  for (const [name, answer, why] of cases) {
    it(name, async () => {
      const site = await openSite(answer ?? bareSite);
      if (answer === null) {
        site.close();
      }
      const { code, stdout } = await audit(`${site.origin}/`);
      const machine = await audit(`${site.origin}/`, '--json');
      site.close();
      assert.deepEqual([code, machine.code], [3, 3]);
      assert.match(stdout, why);
      assert.match(machine.stderr, why);
    });
  }
});

describe('wrong use: exit code 2, and the help', () => {
  writeFileSync(join(folder, 'broken.json'), '{"format":1}');
  const cases: [name: string, args: string[], message: RegExp][] = [
    ['no address', [], /^Give the address of a site/],
    ['no address at all', ['http://'], /^Give an absolute address/],
    ['two with one recording', [museum, museum, '--recording', 'one.json'], /^--recording keeps one site/],
    ['a format that there is none of', [museum, '--format', 'html'], /^--format: .*text.*sarif/],
    ['a check that there is none of', [museum, '--ignore', 'nothing'], /^--ignore: /],
    ['another scheme', ['ftp://example.com/'], /^The scheme "ftp" is not fetched/],
    ['an unknown option', [museum, '--fast'], /^Unknown option/],
    ['a minimum that is none', [museum, '--min', '101'], /^--min: is not a score/],
    ['pages that are no number', [museum, '--pages', 'x'], /^--pages: is not a number of pages from 1 to 50\.$/m],
    [
      'an unknown check',
      [museum, '--ignore', 'nosuch'],
      /^--ignore: "nosuch" is neither a check, .* nor one of the techniques .*llms-txt/,
    ],
    ['an unknown platform', [museum, '--platform', 'iis'], /^--platform: "iis" is none of nginx, apache/],
    ['a minimum with a fraction', [museum, '--min', '7.5'], /^--min: is not a score/],
    ['a recording that is not there', ['--replay', 'none.json'], /^none\.json: /],
    ['a recording that is none', ['--replay', 'broken.json'], /^broken\.json: The recording is not readable/],
    ['a url with a recording', [museum, '--replay', 'broken.json'], /^--replay judges a recording/],
    [
      'a folder that is not there',
      [museum, '--recording', 'broken.json/folder.json'],
      /^broken\.json\/folder\.json can't be written/,
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
    assert.match(stdout, /^Audits websites/);
  });
});
