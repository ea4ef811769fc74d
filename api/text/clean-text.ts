/** Cleaned text, and what was done to it. Counts are of Unicode code points. */
export interface CleanedText {
  /** Well-formed, in NFC, at most as long as the limit; empty when nothing visible was given. */
  text: string;
  /** Length of what was given. */
  submitted: number;
  /** Length of `text`. */
  stored: number;
  /** True when visible text was cut off at the limit. */
  truncated: boolean;
  /** How many invisible characters were removed: formatting, control and private-use characters, escape sequences. */
  strippedInvisible: number;
}

/**
 * ECMA-48 escape sequences, which can rewrite what a terminal shows: control sequences, strings up to their terminator
 * (window titles, links), and two-character sequences. A string that nothing terminates loses its introducer alone.
 */
const escapeSequence =
  /(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|(?:\x1B[\]PX^_]|[\x9D\x90\x98\x9E\x9F])[^\x07\x1B\x80-\x9F]*(?:\x07|\x1B\\|\x9C)|\x1B[ -/]*[0-~]/g;

/** Line and paragraph ends of all kinds. A form sends CR LF for each line feed. */
const lineEnd = /\r\n|[\r\v\f\x85\u2028\u2029]/g;

/**
 * Pictographs joined or followed by variation selectors; where one is a sequence that Unicode recommends for interchange
 * once its variation selectors are in place, it is kept with them in place.
 */
const joinedPictographs = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?(?:\u200D\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)+`;

/** Marks that Unicode files under format characters although they are drawn, such as the Arabic number sign. */
const drawnFormat = String.raw`[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]`;

/**
 * Characters that leave no trace on the screen, as payloads and disguises use them: default ignorables (zero-width and
 * bidirectional controls, tags, variation selectors, fillers, soft hyphens), other format characters, private use,
 * noncharacters, the blank Braille pattern and control characters. The joiners are judged apart, by their neighbours.
 */
const hidden = String.raw`[[\p{DI}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\u2800\p{Cc}]--[\t\n\u200C\u200D]--${drawnFormat}]`;

/** Letters and marks of scripts in which a joiner changes how their neighbours are drawn: cursive and Indic scripts. */
const joining = String.raw`[[\p{L}\p{M}]&&[${[
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Mani', 'Rohg', 'Sogd', 'Adlm'],
  ...[
    'Deva',
    'Beng',
    'Guru',
    'Gujr',
    'Orya',
    'Taml',
    'Telu',
    'Knda',
    'Mlym',
    'Sinh',
    'Khmr',
    'Mymr',
    'Tibt',
    'Java',
    'Bali',
  ],
]
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('')}]]`;

const hiddenCharacter = new RegExp(String.raw`(${joinedPictographs})|\p{RGI_Emoji}|(${hidden})`, 'gv');
const strayJoiner = new RegExp(
  String.raw`(${joinedPictographs})|\p{RGI_Emoji}|(?<=${joining})[\u200C\u200D](?=${joining})|([\u200C\u200D])`,
  'gv',
);
const emojiOrJoined = /\p{RGI_Emoji}|([\u200D\uFE0F])/gv;
const wholeEmoji = /^\p{RGI_Emoji}$/v;

/** Marks stacked on one base character: four are enough for every orthography, more only cover the lines around. */
const stackedMarks = /(\p{M}(?:[\u200C\u200D]*\p{M}){3})(?:[\u200C\u200D]*\p{M})+/gu;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Cleans text of several lines that came from outside, such as a guestbook message. Markup is left as it is: whoever
 * shows the text escapes it. Cleaning what was cleaned changes nothing. Takes time in proportion to the input.
 *
 * In order: lone surrogates become U+FFFD; NFC; all line ends become line feeds and tabs become spaces; escape sequences,
 * invisible characters and stray joiners are removed, as are marks beyond four on one base; blank lines and spaces at
 * line ends are folded; the ends are trimmed; what is left is cut between two graphemes.
 */
export function cleanText(input: string, limit: { characters: number }): CleanedText {
  return clean(input, limit, (text) =>
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n'),
  );
}

/** Cleans text of one line, such as a name: as cleanText, and each run of white space becomes one space. */
export function cleanLine(input: string, limit: { characters: number }): CleanedText {
  return clean(input, limit, (text) => text.replace(/\s+/g, ' '));
}

function clean(input: string, { characters }: { characters: number }, fold: (text: string) => string): CleanedText {
  let strippedInvisible = 0;
  const strip = (part: string): string => {
    strippedInvisible += countCharacters(part);
    return '';
  };
  const keepEmoji = (match: string, pictographs: string | undefined, stray: string | undefined): string => {
    if (stray !== undefined) {
      return strip(stray);
    }
    if (pictographs === undefined || wholeEmoji.test(match)) {
      return match;
    }
    const qualified = toQualified(pictographs);
    return wholeEmoji.test(qualified)
      ? qualified
      : pictographs.replace(emojiOrJoined, (part: string, joiner: string | undefined) =>
          joiner === undefined ? part : strip(joiner),
        );
  };

  const visible = input
    .toWellFormed()
    .normalize('NFC')
    .replace(lineEnd, '\n')
    .replaceAll('\t', ' ')
    .replace(escapeSequence, strip)
    .replace(hiddenCharacter, keepEmoji)
    .replace(stackedMarks, '$1');
  const whole = fold(withoutStrayJoiners(visible, keepEmoji)).trim();
  const text = cut(whole, characters);
  return {
    text,
    submitted: countCharacters(input),
    stored: countCharacters(text),
    truncated: text !== whole,
    strippedInvisible,
  };
}

/**
 * Text in NFC whose joiners all join. Where a joiner between marks goes, NFC may put the marks around it into another
 * order, and give a second joiner another neighbour; four marks on a base bound how often that happens.
 */
function withoutStrayJoiners(text: string, keepEmoji: (...match: string[]) => string): string {
  const joined = text.replace(strayJoiner, keepEmoji).normalize('NFC');
  return joined === text ? text : withoutStrayJoiners(joined, keepEmoji);
}

/** Counts code points; a lone surrogate counts as one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
  }
  return count;
}

/** Puts U+FE0F after each pictograph that is text by default and has no skin tone (UTS #51, fully-qualified). */
function toQualified(pictographs: string): string {
  return pictographs
    .replaceAll('\uFE0F', '')
    .replace(/\p{Extended_Pictographic}(?!\p{Emoji_Modifier})/gu, (pictograph) =>
      /\p{Emoji_Presentation}/u.test(pictograph) ? pictograph : `${pictograph}\uFE0F`,
    );
}

function cut(text: string, characters: number): string {
  let end = 0;
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    count += countCharacters(segment);
    if (count > characters) {
      // A first grapheme longer than the limit is cut inside, since the alternative is to lose all of the text.
      const kept =
        end > 0
          ? text.slice(0, end)
          : Array.from(segment)
              .slice(0, characters)
              .join('')
              .replace(/\p{DI}/gu, '');
      return kept.replace(/(?:\u200C|\u200D|\s)+$/u, '');
    }
    end += segment.length;
  }
  return text;
}
