import german from './data/foreign/de.json' with { type: 'json' };
import spanish from './data/foreign/es.json' with { type: 'json' };
import french from './data/foreign/fr.json' with { type: 'json' };
import { isEnglish } from './english.ts';
import { lazily } from './lazily.ts';
import { emptyWords, inOneWord } from './lexicon.ts';

/** What is known of a language. Words and phrases are written as "Wort=word"; what means nothing in English has no other side. */
export interface Dictionary {
  /** Small words by which it's known. Some are parts of names ("Big Sur AI"): among English small words one is none. */
  markers: string;
  phrases: string[];
  words: string[];
}

/** A phrase as its words, and what an English question would say. */
interface ForeignPhrase {
  words: readonly string[];
  english: string;
}

interface Language {
  markers: ReadonlySet<string>;
  words: ReadonlyMap<string, string>;
  /** By their first word, the longest first. */
  phrases: ReadonlyMap<string, readonly ForeignPhrase[]>;
  /** What a form that isn't in the dictionary may stand for, the likeliest first. */
  formsOf(word: string): string[];
  /** Whether a word before an apostrophe says nothing by itself. */
  isElided(word: string): boolean;
  /** Whether capitals inside a sentence are those of names. */
  hasNames: boolean;
  /** Whether words are made of others. */
  hasCompounds: boolean;
}

/** A word, with the points and hyphens inside it: "robots.txt", "EU-Recht". */
const word = /[\p{L}\p{M}\p{N}_]+(?:[._-]+[\p{L}\p{M}\p{N}_]+)*/gu;

/** A word in lower case and without accents. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();

/** A word as people type it who have no umlauts or accents: "für" as "fuer" and "fur". */
const spellings = (text: string): [german: string, plain: string] => [
  fold(text.replace(/[äöü]/g, (letter) => `${letter}e`)),
  fold(text),
];

const sidesOf = (pair: string): [own: string, english: string] => {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
};

function readLanguage(
  { markers, words, phrases }: Dictionary,
  rules: Partial<Pick<Language, 'formsOf' | 'isElided' | 'hasNames' | 'hasCompounds'>>,
): Language {
  const pairs = words.map(sidesOf);
  const plain = pairs.flatMap(([own, english]) => spellings(own).map((spelling) => [spelling, english] as const));
  const said = phrases
    .map(sidesOf)
    .flatMap(([own, english]) => {
      const phrase = own.match(word) ?? [];
      return [0, 1].map((way) => ({ words: phrase.map((one) => spellings(one)[way] ?? ''), english }));
    })
    .sort((a, b) => b.words.length - a.words.length);
  return {
    markers: new Set(markers.split(' ')),
    // With its own accents a word means one thing, and another without: "qué" and "que".
    words: new Map([...plain.toReversed(), ...pairs]),
    phrases: Map.groupBy(said, ({ words: [first = ''] }) => first),
    formsOf: () => [],
    isElided: () => false,
    hasNames: true,
    hasCompounds: false,
    ...rules,
  };
}

const languages = lazily((): readonly Language[] => [
  readLanguage(german as Dictionary, { hasNames: false, hasCompounds: true }),
  readLanguage(french as Dictionary, {
    // "existe-t-il"
    formsOf: (own) => [own.replace(/-(t-)?(il|elle|ils|elles|on|vous|nous|je|tu|ce)$/, '')],
    isElided: (own) => /^([ldnscjmt]|qu|lorsqu|puisqu)$/.test(own),
  }),
  readLanguage(spanish as Dictionary, {
    // "registrarme", "publicarlos"
    formsOf: (own) => [own.replace(/(?<=[aei]r|[ae]ndo)(me|te|se|nos|os|le|les|lo|la|los|las){1,2}$/, '')],
  }),
]);

/** The language of a question; null for English. */
function languageOf(text: string): Language | null {
  const raw = text.toLowerCase().match(word) ?? [];
  const words = raw.map(fold);
  const [best] = languages()
    .map((language) => {
      const isMarker = (one: string, at: number): boolean =>
        language.markers.has(raw[at] ?? '') || language.markers.has(one);
      const marked = new Set(words.filter(isMarker)).size;
      const known = words.filter(
        (one, at) =>
          /^[a-z]{5,}$/.test(one) && (one !== raw[at] || !isEnglish(one)) && (language.words.get(one) ?? one) !== one,
      ).length;
      // One such word among English ones is a slip or a name: "most expensive modell", "Big Sur AI".
      const small = words.filter((one) => emptyWords.has(one) && !language.words.has(one)).length;
      const all = words.filter((one) => language.words.has(one)).length;
      return { language, isForeign: marked + known > small, score: 2 * marked + known + all / (1 + words.length) };
    })
    .filter(({ isForeign }) => isForeign)
    .sort((a, b) => b.score - a.score);
  return best?.language ?? (/[¿¡]/.test(text) ? (languages()[2] ?? null) : null);
}

const LEAST_COMPOUND = 10;
const LEAST_PART = 5;

/** A German compound that no dictionary has by its last part, and its first where it's known. */
function translateCompound({ words }: Language, own: string): string | undefined {
  for (let at = 3; own.length >= LEAST_COMPOUND && at <= own.length - LEAST_PART; at++) {
    const last = words.get(own.slice(at));
    if (last !== undefined) {
      const first = own.slice(0, at);
      return `${[first, `${first}e`, first.replace(/s$/, '')].flatMap((one) => words.get(one) ?? [])[0] ?? first} ${last}`;
    }
  }
  return undefined;
}

function translateWord(language: Language, raw: string): string | undefined {
  const own = fold(raw);
  const [known] = [raw.toLowerCase(), own, ...language.formsOf(own)].flatMap((form) => language.words.get(form) ?? []);
  const isCompound = language.hasCompounds && /^[a-z]+$/.test(own);
  return known ?? (isCompound ? translateCompound(language, own) : translateHyphenated(language, raw));
}

/** "EU-Recht", "Agenten-Endpunkt": each part, where all are words or abbreviations. */
function translateHyphenated({ words }: Language, raw: string): string | undefined {
  const parts = raw.split('-').map((part) => words.get(fold(part)) ?? (/^\p{Lu}{2,}$/u.test(part) ? part : undefined));
  return parts.length < 2 || parts.includes(undefined) ? undefined : parts.join(' ');
}

/** A word of a question with the place where it stands. */
interface Token {
  raw: string;
  own: string;
  at: number;
}

/**
 * Whether a word is one of a name: capitals that a name has ("ANS"), or what stands next to another word of one or to a number
 * ("gpt-6 luna", "mistral large").
 */
function isOfName(
  { words, markers }: Language,
  tokens: readonly Token[],
  at: number,
  names: ReadonlySet<string>,
): boolean {
  const token = tokens[at];
  if (token === undefined || token.own.length < 3 || !names.has(token.own) || markers.has(token.own)) {
    return false;
  }
  const isSure = (other: Token | undefined): boolean =>
    other !== undefined && (/\d/.test(other.own) || (names.has(other.own) && !words.has(other.own)));
  return /^\p{Lu}{2,}$/u.test(token.raw) || isSure(tokens[at - 1]) || isSure(tokens[at + 1]);
}

/** A text word by word; `names` are the words of names, which stay. */
function toEnglish(language: Language, text: string, names: ReadonlySet<string>): string {
  const tokens: Token[] = [...text.matchAll(word)].map((match) => ({
    raw: match[0],
    at: match.index,
    own: fold(match[0]),
  }));
  const gapAfter = (index: number): string => {
    const token = tokens[index];
    return token === undefined ? '' : text.slice(token.at + token.raw.length, tokens[index + 1]?.at);
  };
  const isAt = (index: number, { words }: ForeignPhrase): boolean =>
    words.every(
      (one, place) =>
        tokens[index + place]?.own === one && (place === 0 || /^[\s']*$/.test(gapAfter(index + place - 1))),
    );
  let english = text.slice(0, tokens[0]?.at);
  for (let index = 0; index < tokens.length; index++) {
    const { raw, own } = tokens[index] as Token;
    const phrase = language.phrases.get(own)?.find((one) => isAt(index, one));
    // "quelqu'un"
    const joined = gapAfter(index) === "'" ? language.words.get(`${own}'${tokens[index + 1]?.own}`) : undefined;
    if (phrase !== undefined || joined !== undefined) {
      index += (phrase?.words.length ?? 2) - 1;
      english += (phrase?.english ?? joined ?? '') + gapAfter(index).replace(/^'/, ' ');
    } else if (!(gapAfter(index).startsWith("'") && language.isElided(own))) {
      // "Command A" is a name, and "Large" in "Mistral Large" where nouns have no capitals.
      const isInside = index > 0 && /^[\s'-]*$/.test(gapAfter(index - 1));
      const isCapital = isInside && (language.hasNames ? /^\p{Lu}(?!\p{Lu}+$)/u : /^[A-Z]$/).test(raw);
      const isName = isCapital || isOfName(language, tokens, index, names);
      english += (isName ? raw : (translateWord(language, raw) ?? raw)) + gapAfter(index);
    }
  }
  return english;
}

/** German, French and Spanish questions word by word into English, without the words of `names`, and English phrases into one word. */
export function translate(asked: string, names: ReadonlySet<string> = new Set()): { text: string; isForeign: boolean } {
  const text = inOneWord(asked.replaceAll('’', "'"));
  const language = languageOf(text);
  return language === null
    ? { text: inOneWord(asked), isForeign: false }
    : { text: inOneWord(toEnglish(language, text, names)), isForeign: true };
}
