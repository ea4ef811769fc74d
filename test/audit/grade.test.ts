import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certifiableFrom, gradeBands, gradeOf } from '#api/audit/grade.ts';

test('a score has one of five grades', () => {
  for (const [score, grade] of [
    [100, 'exemplary'],
    [90, 'exemplary'],
    [89, 'agent-ready (certifiable)'],
    [85, 'agent-ready (certifiable)'],
    [73, 'agent-ready (certifiable)'],
    [70, 'agent-ready (certifiable)'],
    [69, 'readable'],
    [50, 'readable'],
    [49, 'hard to use'],
    [16, 'hard to use'],
    [15, 'closed to agents'],
    [0, 'closed to agents'],
  ] as const) {
    assert.equal(gradeOf(score), grade);
  }
  for (const score of [-1, 101, 89.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => gradeOf(score), /is not an integer from 0 to 100/);
  }
});

test('what can be certified begins with a band', () => {
  assert.ok(gradeBands.some(({ from }) => from === certifiableFrom));
});
