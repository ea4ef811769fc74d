import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEntries } from '#almanac/ask/entries.ts';
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

describe('what a record is', () => {
  it('is said where nothing but its name is asked for, of 98 in 100', () => {
    const named = toEntries(datasets).filter(({ dataset }) => dataset in recordQuestions);
    const missed = named.filter(({ title, id }) => {
      const { answered, grounded_in } = ask(`what is ${title}`);
      return !answered || !grounded_in.some(({ path }) => path.endsWith(`/${id}`));
    });
    assert.ok(named.length > 1000);
    assert.ok(missed.length <= named.length / 50, missed.map(({ title }) => title).join(', '));
  });
});

/** The first sentence of an answer. */
const firstOf = (question: string): string => ask(question).answer.split(/(?<=[.:]) |\n/)[0] ?? '';

describe('what is asked of a record in words that no field is named by', () => {
  for (const [question, expected] of [
    ['What should an agent write to turn Devin away?', /^Disallow Devin/],
    [
      'We run AdSense. What happens to the ads if we turn away Mediapartners-Google?',
      /^Blocking Mediapartners-Google:/,
    ],
    ['turning away claudebot cost', /^Blocking ClaudeBot:/],
    ['how do I recognise CCBot', /^To verify CCBot:/],
    ['What licence has NLWeb?', /MIT/],
  ] as const) {
    it(question, () => {
      assert.match(firstOf(question), expected);
    });
  }

  it('is told what the record is where nothing in the question asks for a field', () => {
    assert.match(firstOf('since when does OAI-SearchBot exist'), /OpenAI/);
  });
});
