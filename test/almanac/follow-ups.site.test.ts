import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { followUps } from '#site/almanac/follow-ups.ts';
import { siteUrl } from '../support/site-under-test.ts';

describe('what one asks next', () => {
  for (const [dataset, title] of [
    ['crawlers', 'GPTBot'],
    ['crawlers', 'ClaudeBot'],
    ['protocols', 'MCP'],
    ['protocols', 'A2A'],
    ['models', 'GPT-5.1'],
  ] as const) {
    const questions = followUps('', [{ dataset, title }]);
    it(`${title}: ${questions.length} questions`, () => assert.ok(questions.length === 3));
    for (const question of questions) {
      it(`"${question}" has an answer`, async () => {
        const response = await fetch(`${siteUrl}/api/ask?${new URLSearchParams({ q: question })}`);
        const answer = (await response.json()) as { answered: boolean; answer: string };
        assert.ok(answer.answered, answer.answer);
      });
      it(`"${question}" isn't offered to who asked it`, () =>
        assert.ok(!followUps(question, [{ dataset, title }]).includes(question)));
    }
  }

  test('a question about no record leads to none', () => {
    assert.deepEqual(followUps('weather', []), []);
    assert.deepEqual(followUps('x', [{ dataset: 'glossary', title: 'agent' }]), []);
  });
});
