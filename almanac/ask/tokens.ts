/** A run of letters or of digits in a question. */
export interface Token {
  /** As asked, in its own case. */
  raw: string;
  /** Lower-case, and corrected once the speller has seen it. */
  word: string;
  isNumber: boolean;
  /** The text between this token and the one before: '' when they touch. */
  gap: string;
  /** Offsets in the folded text. */
  start: number;
  end: number;
}

export const MAX_QUESTION_LENGTH = 500;

/** What there may be to fold: most names have nothing of it. */
const folded = /[^\n -~]|['`]|nt\b|\b(a|one) |cannot|\$(?!\d)/i;

/** Compatibility forms, accents and invisible characters are folded away, so that look-alike spellings meet. */
export function foldText(text: string): string {
  const start = text.slice(0, MAX_QUESTION_LENGTH);
  if (!folded.test(start)) {
    return start;
  }
  return start
    .toWellFormed()
    .normalize('NFKD')
    .slice(0, MAX_QUESTION_LENGTH * 2)
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/[«»“”„]/g, '"')
    .replace(/\b(what|who|where|when|how|which|that|it)'s\b/gi, '$1 is')
    .replace(/\b(can't|cannot)\b/gi, 'can not')
    .replace(/\bwon't\b/gi, 'will not')
    .replace(/\bain't\b/gi, 'is not')
    .replace(/(?:n't|(?<=\b(?:do|does|did|is|are|was|were|has|have|could|would|should))nt)\b/gi, ' not')
    .replace(/\b(a|one) (?=(thousand|million|billion)\b)/gi, '1 ')
    .replace(/'s\b/gi, '')
    .replace(/\$ ?(?=\/|\bper\b)/gi, ' dollars ')
    .replace(/[‐-―−]/g, '-');
}

/** Letters and digits are split from each other, so that "GPT4o", "GPT-4o" and "gpt 4 o" give the same tokens. */
export function toTokens(folded: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  for (const match of folded.matchAll(/\p{L}+|\p{N}+|(?<=\p{L})\+/gu)) {
    const raw = match[0];
    const end = match.index + raw.length;
    const word = raw === '+' ? 'plus' : raw.toLowerCase();
    const gap = tokens.length === 0 ? ' ' : folded.slice(last, match.index);
    tokens.push({ raw, word, isNumber: /^\p{N}/u.test(raw), gap, start: match.index, end });
    last = end;
  }
  return tokens;
}

/** A run of tokens as it was asked. */
export const rawText = (tokens: readonly Token[]): string =>
  tokens.reduce((all, { gap, raw }, index) => all + (index === 0 ? '' : gap) + raw, '');

/** The key of a run of tokens: its words without gaps, a dot between two numbers. "GPT-4.1" gives "gpt4.1". */
export function toKey(tokens: readonly Token[], from = 0, to = tokens.length): string {
  let key = '';
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token !== undefined) {
      key += index > from && token.isNumber && tokens[index - 1]?.isNumber ? `.${token.word}` : token.word;
    }
  }
  return key;
}

/** What a word ends in that has an ending to go. */
const ending = /[degnrs]$|([bmpt])\1$/;

/** A rough stem: plural, -ing and -ed endings go, and British and American spellings meet. */
export function toStem(word: string): string {
  if (!ending.test(word)) {
    return word;
  }
  let stem = word.replace(/is(e|es|ed|ing|ation)$/, 'iz$1').replace(/our(s?)$/, 'or$1');
  if (stem.length > 4) {
    stem = stem
      .replace(/ies$/, 'y')
      .replace(/(ss|sh|ch|x)es$/, '$1')
      .replace(/([^s])s$/, '$1');
  }
  if (stem.length > 4) {
    stem = stem
      .replace(/(?<=\p{L}{3})(ing|ed)$/u, '')
      .replace(/([bdgmnprt])\1$/, '$1')
      .replace(/e$/, '');
  }
  return stem.length > 7 ? stem.replace(/(at)?(ion|or|er)$/, '$1') : stem;
}
