import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packageAudit } from '../../scripts/package-audit.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { openSite } from '../audit/sites.ts';
import { installPackage, typeCheck } from '../support/installed-package.ts';

describe('the packed audit, installed in an empty folder', async () => {
  const { folder, installed, names, bytes, run, remove } = await installPackage(packageAudit);
  after(remove);
  const site = await openSite((asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 });
  after(() => site.close());

  it('weighs less than 5 MB, and brings nothing else', () => {
    assert.ok(bytes < 5_000_000, String(bytes));
    assert.deepEqual(names, ['porchlight']);
  });

  it('audits as a command', async () => {
    const { code, stdout, stderr } = await run(join(installed, '.bin/porchlight'), 'audit', site.host, '--min', '70');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\d+ of 100/);
  });

  it('says what --browser needs', async () => {
    const { code, stderr } = await run(join(installed, '.bin/porchlight'), 'audit', site.host, '--browser');
    assert.equal(code, 2);
    assert.match(stderr, /--browser needs the package playwright-core: run `npm install playwright-core` here\./);
  });

  it('audits as a library', async () => {
    await writeFile(
      join(folder, 'use.mjs'),
      `import { audit, AuditUnreachable } from 'porchlight';
const report = await audit('${site.host}');
console.log(report.score);
await audit('http://127.0.0.1:1/').catch((error) => console.log(error instanceof AuditUnreachable));
await audit('${site.host}', { only: ['nosuch'] }).catch((error) => console.log(error.message.slice(0, 40)));
await audit('${site.host}', { page: 2 }).catch((error) => console.log(error.message));
`,
    );
    const { code, stdout, stderr } = await run(join(folder, 'use.mjs'));
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^\d+\ntrue\nonly\.0: "nosuch" is neither a check.*\nthere is no page; known are ignore, only, pages, paths, sitemap\.\n$/,
    );
  });

  it('has types that fit the report and the options, and refuse what does not', async () => {
    const use = `import { audit, AuditUnreachable, type AuditOptions, type AuditReport, type PlanStep } from 'porchlight';
const options: AuditOptions = { only: ['llms-txt'], pages: 3, onRequest: (sent) => sent + 1 };
const { plan, checks, stack }: AuditReport = await audit('example.com', options);
const step: PlanStep | undefined = plan[0];
const excerpt: string | null | undefined = checks[0]?.evidence[0]?.excerpt;
const isNginx = stack.platform === 'nginx';
export { AuditUnreachable, excerpt, isNginx, step };
`;
    await writeFile(join(folder, 'right.mts'), use);
    await writeFile(join(folder, 'wrong.mts'), use.replace('pages: 3', 'page: 3').replace('plan[0]', 'plan[0]?.point'));
    const right = await run(...typeCheck('right.mts'));
    assert.equal(right.code, 0, right.stdout);
    const { stdout } = await run(...typeCheck('wrong.mts'));
    assert.match(stdout, /'page' does not exist in type 'AuditOptions'/);
    assert.match(stdout, /Property 'point' does not exist/);
  });

  it('writes the script of the fixes too', async () => {
    const bare = await openSite(judgedSites['shop']?.answer ?? (() => ({ status: 500 })));
    const { code, stderr } = await run(join(installed, '.bin/porchlight'), 'audit', bare.host, '--fixes', 'fixes');
    bare.close();
    assert.equal(code, 0, stderr);
    assert.ok((await stat(join(folder, 'fixes/project/make-twins.mjs'))).size > 1000);
  });
});
