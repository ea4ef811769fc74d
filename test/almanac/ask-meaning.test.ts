import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stemsOf } from '#almanac/ask/lexicon.ts';
import { Meanings, meaningOf } from '#almanac/ask/meaning.ts';
import { learnMeanings } from '../../scripts/support/learn-meanings.ts';

const read = (text: string) => meaningOf(stemsOf(text));

/** The number of the text that is nearest to a question by what it means. */
function nearest(question: string, texts: readonly string[]): number {
  const meanings = new Meanings(texts.length);
  for (const [number, text] of texts.entries()) {
    meanings.add(number, stemsOf(text));
  }
  meanings.pack();
  const near = meanings.compare(read(question));
  return near.indexOf(Math.max(...near));
}

const texts = ['withdraw an entry of the guestbook', 'block a training crawler in robots.txt', 'price of the playbook'];

for (const [question, expected] of [
  ['delete what I wrote', 0],
  ['take back my message', 0],
  ['keep bots out so that they learn nothing from me', 1],
  ['what does the book cost', 2],
] as const) {
  it(`"${question}" means "${texts[expected]}" though it has none of its words`, () => {
    assert.equal(nearest(question, texts), expected);
  });
}

it('words that nobody knows mean nothing', () => {
  assert.ok(read('zzyzx qwfpgj').every((value) => value === 0));
});

const leading = [
  'cat purrs',
  'kitten purrs',
  'cat meows',
  'kitten meows',
  'car drives',
  'truck drives',
  'car honks',
].map((text, place) => ({ stems: text.split(' '), to: place < 4 ? 0 : 1 }));

it('words that lead to the same section point the same way', () => {
  const { size, terms, vectors } = learnMeanings([...leading, ...leading, ...leading], 2, () => {});
  const bytes = new Int8Array(Buffer.from(vectors, 'base64'));
  const of = (word: string): Int8Array => {
    const at = terms.split('|').indexOf(word) * size;
    return bytes.subarray(at, at + size);
  };
  const dot = (a: string, b: string): number => of(a).reduce((sum, value, at) => sum + value * (of(b)[at] ?? 0), 0);
  assert.ok(dot('cat', 'kitten') > 0);
  assert.ok(dot('car', 'truck') > 0);
  assert.ok(dot('cat', 'car') < dot('cat', 'kitten'));
});

it('two words that follow one another mean something of their own', () => {
  const { terms } = learnMeanings(
    [...leading, ...leading, ...leading, ...leading, ...leading, ...leading],
    2,
    () => {},
  );
  assert.ok(terms.split('|').includes('cat purrs'));
  assert.ok(!terms.split('|').includes('purrs cat'));
});

it('the same texts give the same vectors', () => {
  assert.deepEqual(
    learnMeanings(leading, 2, () => {}),
    learnMeanings(leading, 2, () => {}),
  );
});
