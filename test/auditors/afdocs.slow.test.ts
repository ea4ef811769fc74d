import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sitePages } from '#site/site-map.ts';
import { packageFile, runNode } from '../support/command.ts';
import { siteUrl } from '../support/site-under-test.ts';

interface Report {
  results: { id: string; status: string; message: string }[];
  testedPages: number;
  scoring: { overall: number; grade: string };
}

/** Above so many pages it looks at as many, evenly spread. */
const mostPages = 300;

test('afdocs gives 100', async (t) => {
  const { stdout, stderr } = await runNode(packageFile('afdocs', 'bin/afdocs.mjs'), [
    ...['check', siteUrl, '--format', 'json', '--score', '--quiet'],
    ...[
      '--sampling',
      'deterministic',
      '--max-links',
      String(mostPages),
      '--request-delay',
      '0',
      '--max-concurrency',
      '8',
    ],
  ]);
  assert.ok(stdout.startsWith('{'), stderr);
  const report = JSON.parse(stdout) as Report;
  const remarks = report.results
    .filter(({ status }) => status !== 'pass')
    .map(({ id, status, message }) => `${status} ${id}: ${message}`);
  t.diagnostic([`${report.testedPages} pages`, ...remarks].join('\n'));
  assert.ok(report.testedPages >= Math.min(mostPages, sitePages.length), `only ${report.testedPages} pages were found`);
  assert.equal(report.scoring.overall, 100, remarks.join('\n'));
  assert.equal(report.scoring.grade, 'A+');
});
