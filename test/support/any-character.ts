import fc from 'fast-check';

function toCodePoint(character: unknown): number {
  const codePoint = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (codePoint === undefined || String.fromCodePoint(codePoint) !== character) {
    throw new Error('No single character.');
  }
  return codePoint;
}

/**
 * Any code point but a lone surrogate, as a unit of `fc.string`: what `unit: 'binary'` gives, without the table of a million
 * code points that it makes first, which takes longer than most tests.
 */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint), toCodePoint);
