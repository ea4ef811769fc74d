import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packageAudit } from '../../scripts/package-audit.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { openSite } from '../audit/sites.ts';

const folder = await mkdtemp(join(tmpdir(), 'porchlight-package-'));
after(() => rm(folder, { recursive: true, force: true }));

/** The machine's own Node, which may be older than that of this project; this one where there is no other. */
const oldNode =
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(path, 'node'))
    .find((path) => spawnSync(path, ['--version']).status === 0) ?? process.execPath;

async function bytesBelow(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('the packed audit, installed in an empty folder', async () => {
  const built = await packageAudit(join(folder, 'built'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built, encoding: 'utf8' }),
  ) as { filename: string }[];
  execFileSync('npm', [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    join(folder, packed?.filename ?? ''),
  ]);
  const installed = join(folder, 'node_modules');
  const site = await openSite((asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 });
  after(() => site.close());
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      // Not in this process's own turn: it serves the site.
      import('node:child_process').then(({ execFile }) =>
        execFile(oldNode, args, { cwd: folder }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        ),
      );
    });

  it('weighs less than 5 MB, and brings nothing else', async () => {
    assert.ok((await bytesBelow(installed)) < 5_000_000);
    assert.deepEqual(
      (await readdir(installed)).filter((name) => !name.startsWith('.')),
      ['porchlight'],
    );
  });

  it('audits as a command', async () => {
    const { code, stdout, stderr } = await run(join(installed, '.bin/porchlight'), 'audit', site.host, '--min', '70');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\d+ of 100/);
  });

  it('audits as a library', async () => {
    await writeFile(
      join(folder, 'use.mjs'),
      `import { audit, AuditUnreachable } from 'porchlight';
const report = await audit('${site.host}');
console.log(report.score);
await audit('http://127.0.0.1:1/').catch((error) => console.log(error instanceof AuditUnreachable));
`,
    );
    const { code, stdout, stderr } = await run(join(folder, 'use.mjs'));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\d+\ntrue\n$/);
  });

  it('writes the script of the fixes too', async () => {
    const bare = await openSite(judgedSites['shop']?.answer ?? (() => ({ status: 500 })));
    const { code, stderr } = await run(join(installed, '.bin/porchlight'), 'audit', bare.host, '--fixes', 'fixes');
    bare.close();
    assert.equal(code, 0, stderr);
    assert.ok((await stat(join(folder, 'fixes/project/make-twins.mjs'))).size > 1000);
  });
});
