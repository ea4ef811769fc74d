import assert from 'node:assert/strict';
import { type Answer, MAX_QUESTION_LENGTH } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { noPages } from '#almanac/pages.ts';
import { findMisquotes } from '../support/ask-grounding.ts';

/** What holds of every answer, whatever was asked. */
export function assertShape(answer: Answer): void {
  assert.equal(typeof answer.answer, 'string');
  assert.ok(answer.answer.length > 0);
  assert.ok(answer.confidence >= 0 && answer.confidence <= 1);
  assert.ok(answer.question.length <= MAX_QUESTION_LENGTH);
  assert.ok(answer.question.isWellFormed());
  assert.ok(answer.alternatives.length <= 5);
  assert.equal(answer.answered, answer.understood_as.declined === null);
  for (const { path, title } of [...answer.grounded_in, ...answer.alternatives]) {
    assert.match(path, /^\/[a-z-]+(\/[a-z0-9.-]+)?$/);
    assert.ok(title.length > 0);
  }
  if (answer.answered) {
    assert.ok(answer.grounded_in.length > 0);
    assert.ok(answer.confidence >= 0.3);
    assert.deepEqual(findMisquotes(answer, datasets, noPages), []);
  } else {
    assert.deepEqual(answer.grounded_in, []);
    assert.ok(answer.confidence < 0.3);
  }
}

/** An answer of that shape whose text says this. */
export function assertSays(answer: Answer, said: RegExp): void {
  assertShape(answer);
  assert.match(answer.answer, said);
}
