import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { toAnswerBlocks } from '#site/almanac/answer-blocks.ts';

const { ask } = createAnswerer(datasets);

const cases: [question: string, kinds: string[], code: RegExp | null][] = [
  ['How do I block GPTBot?', ['text', 'code', 'text'], /^User-agent: GPTBot\nDisallow: \/$/],
  ['How do I allow GPTBot in robots.txt?', ['text', 'code'], /^User-agent: GPTBot\nAllow: \/$/],
  [
    'How do I block GPTBot and ClaudeBot?',
    ['text', 'code', 'text', 'text', 'code', 'text'],
    /^User-agent: \w+\nDisallow: \/$/,
  ],
  ['MCP code example', ['text', 'code'], /\n/],
  ['Who governs MCP?', ['text'], null],
  ['What is the price of GPT-9?', ['text'], null],
];
for (const [question, kinds, code] of cases) {
  it(`"${question}" is answered with ${kinds.join(', ')}`, () => {
    const { answer, grounded_in } = ask(question);
    const blocks = toAnswerBlocks(answer, grounded_in);
    assert.deepEqual(
      blocks.map(({ isCode }) => (isCode ? 'code' : 'text')),
      kinds,
    );
    for (const { text, isCode } of blocks) {
      assert.ok(answer.includes(text));
      assert.ok(isCode || !text.includes('\n'));
      assert.ok(!isCode || code?.test(text.trim()), text);
    }
  });
}

it('a comparison is a paragraph a line', () => {
  const { answer, grounded_in } = ask('What is the difference between A2A and MCP?');
  const blocks = toAnswerBlocks(answer, grounded_in);
  assert.deepEqual(
    blocks.map(({ text }) => text),
    answer.split('\n'),
  );
  assert.ok(blocks.length > 1 && blocks.every(({ isCode }) => !isCode));
});

it('a line to paste is code, and what says where it belongs is text', () => {
  const answer =
    'Recipes, Rails: Register the type.\nmime_types.rb:\nMime::Type.register "text/markdown", :md\nElsewhere: More.';
  const quotes = ['Register the type.', 'mime_types.rb:', 'Mime::Type.register "text/markdown", :md', 'More.'];
  assert.deepEqual(
    toAnswerBlocks(
      answer,
      quotes.map((quote) => ({ quote })),
    ).map(({ isCode }) => isCode),
    [false, false, true, false],
  );
});

it('of any text no word is lost', () => {
  for (const text of ['', '\n\n\n', 'a\n\n\nb', 'User-agent: ', 'User-agent: a', '\nUser-agent: a\nDisallow: /\n\nb']) {
    const blocks = toAnswerBlocks(text, [
      { fields: ['robots_snippet'], quote: '' },
      { fields: ['code_example'], quote: 'not in it' },
    ]);
    assert.deepEqual(
      blocks.flatMap((block) => block.text.split(/\s+/)).filter(Boolean),
      text.split(/\s+/).filter(Boolean),
    );
  }
});
