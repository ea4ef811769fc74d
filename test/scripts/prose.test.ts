import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkMarkdown, checkSource, proseRules } from '../../scripts/support/prose-rules.ts';

const bad = [
  'The rules stand in the manifest.',
  'A file lies at the root.',
  'The notice is beside it.',
  'The visitor is told why.',
  'A copy is not to be had.',
  'Whoever reads this is free.',
  'It takes a second as a rule.',
  'Something else than markdown came.',
  'The site has nothing of the kind.',
  'The contents thereof are short.',
];

describe('the rules of plain English', () => {
  for (const [index, sentence] of bad.entries()) {
    it(`find fault with: ${sentence}`, () => {
      assert.equal(checkMarkdown(sentence).length, 1);
      assert.match(sentence, proseRules.find(({ pattern }) => pattern.test(sentence))?.pattern ?? /^$/, `${index}`);
    });
  }

  it('let plain sentences pass, and code', () => {
    const good = 'A month stands for all its days.\n\nUse `beside` here:\n\n```\nwhoever stands beside\n```\n';
    assert.deepEqual(checkMarkdown(good), []);
    assert.deepEqual(checkSource('// whoever\n/* stands\n beside */\nconst place = "next to it";'), []);
  });

  it('name the line', () => {
    assert.equal(checkMarkdown('One.\n\nTwo\nstands here.')[0]?.line, 4);
    assert.equal(checkSource('const a = 1;\n\nconst text = "It stands here.";')[0]?.line, 3);
  });

  it('are each tried', () => {
    const used = bad.map((sentence) => proseRules.findIndex(({ pattern }) => pattern.test(sentence)));
    assert.deepEqual(new Set(used).size, proseRules.length);
  });
});
