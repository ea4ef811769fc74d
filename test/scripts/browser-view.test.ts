import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareTexts } from '../../scripts/support/audit/browser-view.ts';

const cases: [string, { rendered: string; served: string }, ReturnType<typeof compareTexts>][] = [
  [
    'the same text',
    { rendered: 'Wooden boats\nPrices', served: 'Prices Wooden  boats' },
    { words: 3, words_served: 3, share_served: 1, only_by_scripts: [] },
  ],
  [
    'an empty shell',
    { rendered: 'Wooden boats\nPrices', served: '' },
    { words: 3, words_served: 0, share_served: 0, only_by_scripts: ['Wooden boats', 'Prices'] },
  ],
  [
    'a word that stands there once counts once',
    { rendered: 'boats boats boats boats', served: 'Boats' },
    { words: 4, words_served: 1, share_served: 0.25, only_by_scripts: [] },
  ],
  [
    'a hint that scripts take away',
    { rendered: 'Reviews', served: 'Reviews Please switch scripts on' },
    { words: 1, words_served: 5, share_served: 1, only_by_scripts: [] },
  ],
  ['nothing at all', { rendered: '', served: '' }, { words: 0, words_served: 0, share_served: 1, only_by_scripts: [] }],
];

describe('what scripts bring', () => {
  for (const [name, { rendered, served }, expected] of cases) {
    test(name, () => assert.deepEqual(compareTexts(rendered, served), expected));
  }
});
