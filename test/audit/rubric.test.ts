import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { techniqueIds } from '#almanac/techniques.ts';
import { clauseOf } from '#api/audit/causes.ts';
import { type CheckStatus, defineCheck, type Finding, type ScoreCap } from '#api/audit/check.ts';
import { checks } from '#api/audit/checks/index.ts';
import { describeCauses, describeRubric } from '#api/audit/describe-rubric.ts';
import type { Evidence } from '#api/audit/evidence.ts';
import {
  type CheckId,
  rubricChanges,
  rubricGroups,
  rubricVersion,
  weightedChecks,
  weightingOf,
} from '#api/audit/rubric.ts';
import { meanOf, pointsOf, scoreOf } from '#api/audit/score.ts';

const root = join(import.meta.dirname, '../..');
const ids = checks.map(({ id }) => id);

describe('the list of checks', () => {
  test('ids are unique, and there are at least 45', () => {
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length >= 45, `${ids.length} checks`);
  });

  test('every technique has at least two, in the order of the catalog', () => {
    assert.deepEqual([...new Set(checks.map(({ technique }) => technique))], [...techniqueIds]);
    for (const id of techniqueIds) {
      assert.ok(checks.filter(({ technique }) => technique === id).length >= 2, id);
    }
  });

  test('every file of a check is listed, in the folder of its technique', () => {
    const files = techniqueIds.flatMap((technique) =>
      readdirSync(join(root, 'api/audit/checks', technique)).map((name) => `${technique}/${name}`),
    );
    const listed = checks.map(({ id, technique }) => `${technique}/${id}.ts`);
    assert.deepEqual(
      {
        'not in api/audit/checks/index.ts': files.filter((file) => !listed.includes(file)),
        'without a file': listed.filter((file) => !files.includes(file)),
      },
      { 'not in api/audit/checks/index.ts': [], 'without a file': [] },
    );
  });

  test('texts are sentences, and references lead to https', () => {
    for (const { id, topic, title, why, reference, contested } of checks) {
      assert.match(topic, /^[A-Za-z].{2,40}$/, id);
      assert.match(title, /^[A-Za-z].{8,70}$/, id);
      assert.match(why, /^\S.{30,}\.$/, id);
      assert.ok(contested === null || /^[A-Z].{60,}\.$/.test(contested), id);
      assert.equal(new URL(reference.url).protocol, 'https:', id);
      assert.ok(reference.title.length > 5, id);
    }
  });
});

describe('a check that fails by itself', () => {
  const broken = (fault: 'judge' | 'fix') =>
    defineCheck({
      id: 'https',
      technique: 'agent-identity',
      topic: 'A check',
      titles: { pass: 'It holds', partial: 'It holds in part', fail: 'It does not hold' },
      causes: ['no-https'],
      why: 'For the test.',
      reference: { title: 'Nothing', url: 'https://example.com/' },
      fix() {
        throw new Error('no fix');
      },
      judge() {
        if (fault === 'judge') {
          throw new Error('no judgement');
        }
        return { status: 'fail', evidence: [] };
      },
    });
  const evidence = { home: 'https://lantern.example/' } as Evidence;
  for (const [fault, reason] of [
    ['judge', /no judgement/],
    ['fix', /no fix/],
  ] as const) {
    test(`in its ${fault}: unchecked, and the reason is said`, () => {
      const found = broken(fault).judge(evidence);
      assert.equal(found.status, 'unchecked');
      assert.match(found.evidence[0]?.note ?? '', reason);
      assert.equal(found.fix, null);
    });
  }
});

describe('the rubric', () => {
  test('weighs each check, and nothing else', () => assert.deepEqual([...weightedChecks].sort(), [...ids].sort()));

  test('its groups weigh what they say, and 100 together', () => {
    const weights = Object.values(rubricGroups).map(({ weight }) => weight);
    assert.equal(
      weights.reduce((total, weight) => total + weight, 0),
      100,
    );
    for (const { name, weight, checks: weighed } of Object.values(rubricGroups)) {
      assert.equal(
        Object.values<number>(weighed).reduce((total, one) => total + one, 0),
        weight,
        name,
      );
    }
  });

  test('content without scripts weighs at least 25', () =>
    assert.ok(weightingOf('content-without-scripts').weight >= 25));

  test('the newest change is of this version, and each says what moved and why', () => {
    assert.equal(rubricChanges[0]?.version, rubricVersion);
    for (const { version, moved, why } of rubricChanges) {
      assert.match(version, /^\d{4}-\d{2}-\d{2}$/);
      assert.match(moved, /^[A-Z0-9"].{20,}\.$/);
      assert.match(why, /^[A-Z0-9"].{20,}\.$/);
    }
  });

  test('a change of checks or weights has a line in the changelog', () => {
    const file = join(root, 'test/fixtures/rubric.json');
    const now = { lines: rubricChanges.length, groups: rubricGroups };
    const { lines, groups } = JSON.parse(readFileSync(file, 'utf8')) as typeof now;
    if (isDeepStrictEqual(groups, now.groups)) {
      return;
    }
    assert.ok(
      now.lines > lines,
      'checks or weights changed: set rubricVersion, and put a line on top of rubricChanges',
    );
    assert.equal(
      process.env['UPDATE_FIXTURES'],
      '1',
      'run this with UPDATE_FIXTURES=1, which writes the new weights down',
    );
    writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  });

  test('weights are multiples of a half, so that sums are exact', () => {
    for (const id of ids) {
      assert.ok(Number.isInteger(weightingOf(id).weight * 2), `${id} weighs ${weightingOf(id).weight} in rubric.ts`);
    }
  });

  test('a check without a weight is refused', () => {
    assert.throws(() => weightingOf('no-such-check'), /"no-such-check" has no weight/);
    assert.match(rubricVersion, /^\d{4}-\d{2}-\d{2}$/);
  });

  test('it is described as it is', () => {
    const entries = describeRubric();
    assert.deepEqual(
      entries.map(({ id }) => id),
      ids,
    );
    assert.equal(
      entries.reduce((total, { weight }) => total + weight, 0),
      100,
    );
    assert.deepEqual(
      entries
        .filter(({ capability }) => capability)
        .map(({ id }) => id)
        .sort(),
      Object.keys(rubricGroups.capabilities.checks).sort(),
    );
  });
});

const finding = (check: CheckId, status: CheckStatus, cap: ScoreCap | null = null): Finding => ({
  check,
  status,
  title: check,
  cause: status === 'fail' || status === 'partial' ? 'no-https' : null,
  countedBy: null,
  evidence: [],
  fix: null,
  cap,
});

describe('causes', () => {
  test('each can clear a check, and is told in a heading, a clause, minutes and a place', () => {
    for (const { id, title, minutes, where, checks: cleared } of describeCauses()) {
      assert.ok(cleared.length > 0, id);
      assert.match(title, /^[A-Za-z].{8,70}$/, id);
      assert.match(clauseOf(id), /^[a-z].{8,70}[a-z0-9]$/i, id);
      assert.ok(Number.isInteger(minutes) && minutes > 0, id);
      assert.match(where, /^[A-Z/].{5,}/, id);
    }
  });
});

describe('the score', () => {
  test('points: all, half, none, or out of the sum', () => {
    for (const [status, points] of [
      ['pass', 3.5],
      ['partial', 1.75],
      ['fail', 0],
      ['not-applicable', null],
      ['unchecked', null],
    ] as const) {
      assert.equal(pointsOf(finding('markdown-on-request', status)), points);
    }
  });

  const table: [what: string, findings: Finding[], score: number, fullScore: number, coverage: number][] = [
    ['nothing', [], 0, 0, 0],
    ['nothing judged', [finding('openapi', 'unchecked')], 0, 0, 0],
    ['nothing applicable', [finding('openapi', 'not-applicable')], 0, 0, 0],
    ['all right', [finding('real-404', 'pass'), finding('hsts', 'pass')], 100, 100, 1],
    ['rounded down', [finding('nosniff', 'pass'), finding('language', 'fail')], 33, 33, 1],
    ['not applicable leaves the sum', [finding('nosniff', 'pass'), finding('openapi', 'not-applicable')], 100, 33, 1],
    [
      'unchecked leaves the sum, not the coverage',
      [finding('feed', 'pass'), finding('hsts', 'unchecked')],
      100,
      50,
      0.5,
    ],
    ['a cap holds', [finding('real-404', 'pass'), finding('nosniff', 'fail', 59)], 59, 59, 1],
    ['a cap lifts nothing', [finding('real-404', 'fail', 59), finding('nosniff', 'pass')], 16, 16, 1],
    [
      'what does not exist counts against the finding that says so',
      [finding('nosniff', 'pass'), { ...finding('openapi', 'not-applicable'), countedBy: 'llms-txt-valid' }],
      33,
      33,
      1,
    ],
    ['the lower cap counts', [finding('real-404', 'pass', 59), finding('nosniff', 'pass', 39)], 39, 39, 1],
  ];
  for (const [what, findings, score, fullScore, coverage] of table) {
    test(what, () => {
      const result = scoreOf(findings);
      assert.deepEqual([result.score, result.fullScore, result.coverage], [score, fullScore, coverage]);
    });
  }

  test('a mean of nothing is null', () => assert.equal(meanOf([finding('openapi', 'unchecked')]), null));
});
