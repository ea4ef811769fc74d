import { describe, it } from 'node:test';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { assertShape } from './answer-shape.ts';
import { recordQuestions } from './record-questions.ts';

const { ask } = createAnswerer(datasets);

// Every record with each of its questions is in ask-records.slow.test.ts.
describe('every fourth record, with one of its questions after another', () => {
  for (const [dataset, records] of Object.entries(recordQuestions)) {
    it(`is asked for and grounded (${dataset})`, () => {
      const asked = records.filter((_, index) => index % 4 === 0);
      for (const [turn, questions] of asked.entries()) {
        assertShape(ask(questions[turn % questions.length] ?? ''));
      }
    });
  }
});
