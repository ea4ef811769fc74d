import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { auditReport } from '#api/audit/report.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { openSite } from '../audit/sites.ts';
import { runNode } from '../support/command.ts';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'audit.ts');

test('as a process it writes the same, and its exit code says how it ended', async () => {
  const museum = await openSite((asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 });
  after(() => museum.close());
  const [fine, wrong] = await Promise.all([
    runNode(script, [`${museum.origin}/`, '--json']),
    runNode(script, ['--fast']),
  ]);
  assert.equal(fine.code, 0, fine.stderr);
  auditReport.parse(JSON.parse(fine.stdout));
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^Unknown option '--fast'.*\nRun npm run audit -- --help for the usage\.\n$/);
});
