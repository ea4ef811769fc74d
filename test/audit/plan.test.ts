import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CauseId } from '#api/audit/causes.ts';
import type { CheckStatus, Finding } from '#api/audit/check.ts';
import { diagnosisOf } from '#api/audit/diagnosis.ts';
import { planOf } from '#api/audit/plan.ts';
import type { CheckId } from '#api/audit/rubric.ts';
import { scoreOf } from '#api/audit/score.ts';

const finding = (check: CheckId, status: CheckStatus, more: Partial<Finding> = {}): Finding => ({
  check,
  status,
  title: check,
  cause: null,
  countedBy: null,
  evidence: [],
  fix: null,
  cap: null,
  ...more,
});
const failed = (check: CheckId, cause: CauseId, more: Partial<Finding> = {}): Finding =>
  finding(check, 'fail', { cause, ...more });

const readable = finding('content-without-scripts', 'pass');
const withoutIndex = [
  readable,
  failed('llms-txt-valid', 'no-llms-txt'),
  finding('llms-txt-links', 'not-applicable', { countedBy: 'llms-txt-valid' }),
  failed('nosniff', 'response-headers'),
  finding('headings', 'partial', { cause: 'page-structure' }),
  finding('openapi', 'not-applicable'),
  finding('feed', 'unchecked'),
];

describe('the plan', () => {
  test('what costs most comes first, with what it clears and what it brings into being', () => {
    const [first] = planOf(withoutIndex);
    assert.deepEqual(
      [first?.cause, first?.findings, first?.unlocks],
      ['no-llms-txt', ['llms-txt-valid'], ['llms-txt-links']],
    );
  });

  test('its points and the score add up to 100 exactly', () => {
    const plan = planOf(withoutIndex);
    assert.equal(plan.length, 3);
    let score = scoreOf(withoutIndex).score;
    for (const step of plan) {
      score += step.points;
      assert.equal(step.score_after, score, step.cause);
    }
    assert.equal(score, 100);
  });

  test('what caps the score comes before what costs more', () => {
    const plan = planOf([
      readable,
      failed('llms-txt-valid', 'no-llms-txt'),
      failed('real-404', 'soft-404', { cap: 59 }),
      failed('agents-served', 'agents-refused', { cap: 39 }),
    ]);
    assert.deepEqual(
      plan.map(({ cause }) => cause),
      ['agents-refused', 'soft-404', 'no-llms-txt'],
    );
  });

  test('nothing to fix is an empty plan', () => assert.deepEqual(planOf([readable]), []));
});

describe('the diagnosis', () => {
  const diagnose = (findings: Finding[]): string => diagnosisOf(findings, scoreOf(findings), planOf(findings));

  test('names the two causes that cost most, with their points', () => {
    const [first, second] = planOf(withoutIndex);
    const words = diagnose(withoutIndex.filter(({ check }) => check !== 'feed'));
    assert.match(
      words,
      /^Agents can read the pages; what costs most: there is no llms\.txt \(\d+ points?\), and .+\)\.$/,
    );
    assert.ok((first?.points ?? 0) > (second?.points ?? 0));
  });

  test('says what caps the score before all else', () => {
    const words = diagnose([
      readable,
      failed('real-404', 'soft-404', { cap: 59 }),
      failed('llms-txt-valid', 'no-llms-txt'),
    ]);
    assert.equal(words, 'Missing pages answer as if they existed: until that is fixed, the score cannot pass 59.');
  });

  test('gives no score where too little could be judged', () =>
    assert.equal(
      diagnose([finding('hsts', 'pass'), finding('content-without-scripts', 'unchecked')]).replace(/\d+ %/, 'N %'),
      'Only N % of what applies could be judged, which is too little for a score.',
    ));

  test('praises where nothing is left', () =>
    assert.equal(diagnose([readable]), 'Agents can read the pages, and everything that applies is right.'));
});
