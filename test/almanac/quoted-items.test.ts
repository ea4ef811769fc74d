import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Piece } from '../../site/almanac/field-view.ts';
import { lineOfItems } from '../../site/almanac/quoted-items.ts';

const item = (name: string, note: string): Piece[] => [
  'complements ',
  { href: `/protocols/${name}`, text: name },
  `: ${note}`,
];
const read = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'object' && 'text' in piece ? piece.text : piece)).join('');

const items = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'].map((name) => item(name, `Note of ${name}.`));

it('the items that the answer names come first, the rest is counted', () => {
  assert.equal(
    read(lineOfItems(items, 'It complements e5.', '/protocols/mcp')),
    'complements e5: Note of e5; complements a1: Note of a1; complements b2: Note of b2; complements c3: Note of c3; and 2 more',
  );
});

it('what is counted is a link to all of them', () => {
  assert.deepEqual(lineOfItems(items, '', '/protocols/mcp').at(-1), { href: '/protocols/mcp', text: '2 more' });
});

it('few items are shown in their order, and nothing is counted', () => {
  assert.equal(
    read(lineOfItems(items.slice(0, 2), '', '/protocols/mcp')),
    'complements a1: Note of a1; complements b2: Note of b2',
  );
});
