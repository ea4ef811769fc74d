import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AuditReport } from '#api/audit/report.ts';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { runNode } from '../support/command.ts';
import { siteUrl } from '../support/site-under-test.ts';

/** What the colophon shows of the report: nothing that depends on the machine or the moment. */
const toRecord = ({ rubric, score, grade, coverage, techniques, checks }: AuditReport) => ({
  rubric,
  score,
  grade,
  coverage,
  techniques: techniques.map((technique) => ({
    id: technique.id,
    name: technique.name,
    score: technique.score,
    passed: checks.filter((check) => check.technique === technique.id && check.status === 'pass').length,
  })),
  not_applicable: checks.filter(({ status }) => status === 'not-applicable').map(({ id, title }) => ({ id, title })),
});

test('the site audits itself: 100, nothing failed, nothing left open, and the colophon says what was found', async () => {
  const { code, stdout, stderr } = await runNode(join(projectDir, 'scripts', 'audit.ts'), [siteUrl, '--json']);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as AuditReport;
  assert.deepEqual(
    report.checks
      .filter(({ status }) => status !== 'pass' && status !== 'not-applicable')
      .map(({ id, status, evidence }) => `${id}: ${status}: ${evidence.map(({ note }) => note).join(' ')}`),
    [],
  );
  assert.deepEqual([report.score, report.grade, report.coverage], [100, 'exemplary', 1]);
  const record = toRecord(report);
  const file = join(projectDir, 'site', 'content', 'self-audit.json');
  if (process.env['UPDATE_FIXTURES'] === '1') {
    await writeFile(file, `${JSON.stringify(record, null, 2)}\n`);
  }
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), record, 'UPDATE_FIXTURES=1 writes it anew');
});
