import { describe, it } from 'node:test';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { assertShape } from './answer-shape.ts';
import { recordQuestions } from './record-questions.ts';

const { ask } = createAnswerer(datasets);

describe('every record', () => {
  for (const [dataset, records] of Object.entries(recordQuestions)) {
    it(`is asked for and grounded (${dataset})`, () => {
      for (const question of records.flat()) {
        assertShape(ask(question));
      }
    });
  }
});
