import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { againIn, toFieldSentences } from '#api/contract/form-problem.ts';
import { Problem } from '#api/contract/problem.ts';

describe('when a form can be sent again', () => {
  const now = new Date('2026-11-28T18:41:30Z');
  for (const [seconds, words] of [
    [1, 'in 1 second'],
    [60, 'in 60 seconds'],
    [61, 'at 18:43 UTC, in 2 minutes'],
    [2982, 'at 19:32 UTC, in 50 minutes'],
  ] as const) {
    it(`${seconds} seconds: ${words}`, () => assert.equal(againIn(seconds, now), words));
  }
});

test('the errors of fields are sentences that begin with what a person calls them', () => {
  const errors = [
    { pointer: '?q', detail: 'is empty: give a question' },
    { pointer: '/other', detail: 'comes 2 times; give it once.' },
  ];
  const problem = new Problem('invalid-query', 'Correct it.', { errors });
  assert.equal(
    toFieldSentences(problem, { q: 'The question' }),
    'The question is empty: give a question. /other comes 2 times; give it once.',
  );
  assert.equal(toFieldSentences(new Problem('invalid-query', 'Correct it.', { plain: 'Mend it.' }), {}), 'Mend it.');
});
