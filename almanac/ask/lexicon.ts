import document from './data/lexicon.json' with { type: 'json' };
import { toStem } from './tokens.ts';

/** The words of questions as data. Lists hold words with spaces between them; pairs are written "from=to". */
interface LexiconDocument {
  /** No content at all: "the", "please". */
  empty: string[];
  /** Little content: a question may leave them unexplained. */
  soft: string[];
  /** Conversation around a question: in many questions, about nothing of their own. */
  filler: string[];
  /** What people ask about companies, products and life that this site does not hold. */
  outside: string[];
  /** The same in several words: "share price". */
  outsidePhrases: string[];
  /** Names that are ordinary words too: they count as names only in their own capitals. */
  ordinary: string[];
  /** Each line is a group of words that mean the same when sections are looked for. */
  synonyms: string[];
  /** Several words that say one: "log in=login". */
  phrases: string[];
  irregular: string[];
}

const lexicon = document as LexiconDocument;
const toSet = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));
const toMap = (pairs: readonly string[]): ReadonlyMap<string, string> =>
  new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));

export const emptyWords = toSet(lexicon.empty);
export const softWords = toSet(lexicon.soft);
export const fillerWords = toSet(lexicon.filler);
/** What stands in a question for several words that ask for what this site doesn't hold. */
const OUTSIDE = 'offtopic';

export const outsideWords: ReadonlySet<string> = new Set([...toSet(lexicon.outside), OUTSIDE]);
export const ordinaryWords = toSet(lexicon.ordinary);
export const allSynonyms: readonly string[] = lexicon.synonyms.flatMap((group) => group.split(' '));
const irregular = toMap(lexicon.irregular.flatMap((line) => line.split(' ')));

const MAX_KEPT_STEMS = 50_000;
const stems = new Map<string, string>();

/** The stem of a lower-case word. Plurals of four letters and irregular verbs are reduced too. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    const isShortPlural = /^[a-z]{2}[a-rt-z]s$/.test(word) && word !== 'news' && word !== 'this';
    stem = toStem(irregular.get(word) ?? (isShortPlural ? word.slice(0, -1) : word));
    if (stems.size < MAX_KEPT_STEMS) {
      stems.set(word, stem);
    }
  }
  return stem;
}

/** Forgets the stems that were found; they're found again. */
export const forgetStems = (): void => stems.clear();

/** The words of a text of any length, in order and in lower case. */
export function wordsOf(text: string): string[] {
  // Most texts have nothing but ASCII, where the classes of letters and digits are short.
  const isPlain = /^[\n -~]*$/.test(text);
  const lower = (isPlain ? text : text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')).toLowerCase();
  const whole = /['’]s\b/.test(lower) ? lower.replace(/['’]s\b/g, '') : lower;
  return whole.match(isPlain ? /[a-z]+|\d+/g : /\p{L}+|\p{N}+/gu) ?? [];
}

/** Their stems. */
export const stemsOf = (text: string): string[] => wordsOf(text).map(stemOf);

export const emptyStems: ReadonlySet<string> = new Set([...emptyWords].map(stemOf));
export const fillerStems: ReadonlySet<string> = new Set([...fillerWords].map(stemOf));

const synonyms = new Map<string, Set<string>>();
for (const group of lexicon.synonyms) {
  const own = group.split(' ').map(stemOf);
  for (const stem of own) {
    synonyms.set(stem, new Set([...(synonyms.get(stem) ?? []), ...own]));
  }
}

/** A stem and those that mean the same. */
export const synonymsOf = (stem: string): ReadonlySet<string> => synonyms.get(stem) ?? new Set([stem]);

/** Whether a stem or one that means the same is among others. */
export function hasForm(stems: ReadonlySet<string>, stem: string): boolean {
  for (const form of synonyms.get(stem) ?? []) {
    if (stems.has(form)) {
      return true;
    }
  }
  return stems.has(stem);
}

/** How a word counts that only means the same as the one that was asked. */
export const MEANS_SAME = 0.7;

/** How much a text with these stems says a word: all of it, part where it says another that means the same, or nothing. */
export const shareSaid = (stems: ReadonlySet<string>, stem: string): number =>
  stems.has(stem) ? 1 : hasForm(stems, stem) ? MEANS_SAME : 0;

const phrases: ReadonlyMap<string, string> = new Map([
  ...toMap(lexicon.phrases),
  ...lexicon.outsidePhrases.map((phrase): [string, string] => [phrase, OUTSIDE]),
]);
const phrasePattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${[...phrases.keys()].join('|')})(?![\\p{L}\\p{N}_])`, 'giu');

/** What several words say in one: "log in" as "login". */
export const inOneWord = (text: string): string =>
  text.replace(phrasePattern, (phrase) => phrases.get(phrase.toLowerCase()) ?? phrase);
