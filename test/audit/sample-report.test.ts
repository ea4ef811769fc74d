import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toServerFix } from '#api/audits/server-fix.ts';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { auditSite } from './audited.ts';
import { servedSites } from './served-sites.ts';

const contents = join(projectDir, 'site', 'content');
const file = join(contents, 'sample-report.json');
const serverFixFile = join(contents, 'sample-server-fix.json');
const plain = servedSites['plain'];
assert.ok(plain);
const { report, evidence } = await auditSite(plain.answer);

/** The report under an invented name: the site of the test has only a port, and nothing answers under the name. */
const named = JSON.parse(
  JSON.stringify(report)
    .replaceAll(new URL(report.url).host, 'lamp-works.example')
    .replaceAll(/127\.0\.0\.1|localhost/g, 'lamp-works.example'),
) as typeof report;
// The clock of the test stands still; the requests have times of their own.
named.duration_ms = Math.max(...(named.exchanges ?? []).map(({ start_ms, duration_ms }) => start_ms + duration_ms));

if (process.env['UPDATE_FIXTURES'] === '1') {
  writeFileSync(file, `${JSON.stringify(named, null, 2)}\n`);
  writeFileSync(serverFixFile, `${JSON.stringify(toServerFix(named), null, 2)}\n`);
}

test('the sample report is the one that the audit writes about that site today', () => {
  const sample = JSON.parse(readFileSync(file, 'utf8')) as typeof report;
  assert.ok(Object.keys(evidence.exchanges).length > 20);
  // Times and the names of missing pages are new in each run.
  const steady = ({ exchanges: _exchanges, duration_ms: _duration, checks, ...rest }: typeof report) => ({
    ...rest,
    checks: checks.map(({ evidence: _evidence, ...check }) => check),
  });
  assert.deepEqual(steady(sample), steady(named), 'UPDATE_FIXTURES=1 writes it anew');
  assert.ok(sample.audited_at.slice(0, 10) >= sample.rubric, 'it was audited by a rubric that there was');
  assert.ok(sample.plan.length >= 4, 'it has something to show');
  assert.doesNotMatch(JSON.stringify(sample), /127\.0\.0\.1|localhost/);
});

test('the sample shows the configuration of that report', () => {
  assert.deepEqual(
    JSON.parse(readFileSync(serverFixFile, 'utf8')),
    toServerFix(named),
    'UPDATE_FIXTURES=1 writes it anew',
  );
});
