import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ShownAudit } from '#api/audits/page-data.ts';
import { describeScoring } from '#api/audits/scoring.ts';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { costsOf, groupFindings, shownPoints } from '../../site/audit-words.ts';

const file = join(projectDir, 'site/content/sample-report.json');
const report = JSON.parse(readFileSync(file, 'utf8')) as ShownAudit['report'];

test('the points of all findings bring the score to 100', () => {
  const costs = [...costsOf(report.checks).values()].reduce((sum, cost) => sum + cost, 0);
  assert.ok(100 - costs >= report.score && 100 - costs < report.score + 1, `${report.score} and ${costs}`);
});

test('a cause shows the points that the plan gives it, but for its rounding, and its findings add up to them', () => {
  const groups = groupFindings(report);
  assert.ok(groups.length > 5);
  for (const { id, cost, findings } of groups) {
    const step = report.plan.find(({ cause }) => cause === id);
    assert.ok(step && Math.abs(cost - step.points) < 1, `${id}: ${cost} and ${step?.points}`);
    assert.equal(
      findings.reduce((sum, finding) => sum + finding.cost, 0),
      cost,
    );
    assert.ok(shownPoints(cost) > 0, id);
  }
});

test('the comparison says in how many bands we score, as the rubric has them', () => {
  const comparison = JSON.parse(readFileSync(join(projectDir, 'site/content/comparison.json'), 'utf8'));
  const ours = comparison.auditors.find(({ id }: { id: string }) => id === 'ours');
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  assert.equal(ours.scale, `0 to 100, in ${words[describeScoring().bands.length]} bands`);
});

test('points are whole from one on, and shown to the tenth below', () => {
  assert.deepEqual([17.14, 9.71, 1.14, 0.97, 0.57, 0.04].map(shownPoints), [17, 10, 1, 1, 0.6, 0]);
});
