import foreignPairs from './data/foreign.json' with { type: 'json' };
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
  /** A question is foreign when one of these is in it. None is an English word or the name of a record. */
  markers: string[];
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
/** German, French and Spanish words, without accents, with what an English question would say. */
export const foreignWords = toMap(foreignPairs as string[]);
export const allSynonyms: readonly string[] = lexicon.synonyms.flatMap((group) => group.split(' '));
const foreignMarkers = toSet(lexicon.markers);
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

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const phrases: ReadonlyMap<string, string> = new Map([
  ...toMap(lexicon.phrases),
  ...lexicon.outsidePhrases.map((phrase): [string, string] => [phrase, OUTSIDE]),
]);
const phrasePattern = new RegExp(`\\b(${[...phrases.keys()].join('|')})\\b`, 'gi');

/** Words of other languages that an English question may hold as well. */
const shared = /^(parts?|pages?|site|halt|robot|protocol|hinter|tienen|alias|define|explique)$/;

function isForeignText(text: string): boolean {
  if (/[¿¡]/.test(text)) {
    return true;
  }
  const words = fold(text).match(/\p{L}+/gu) ?? [];
  const isMarker = (word: string): boolean => foreignMarkers.has(word);
  const known = words.filter(
    (word) => word.length > 4 && !shared.test(word) && (foreignWords.get(word) ?? word) !== word,
  );
  // One such word among English ones is a slip: "most expensive modell".
  const isSmallWord = (word: string): boolean => emptyWords.has(word) && !foreignWords.has(word);
  return words.some(isMarker) || known.length > (words.some(isSmallWord) ? 1 : 0);
}

const LEAST_PART = 5;

/** A word in English; of a German compound that no dictionary has the last part, and the first where it's known. */
function translateWord(word: string): string | undefined {
  const known = foreignWords.get(word);
  if (known !== undefined || !/^[a-z]{10,}$/.test(word)) {
    return known;
  }
  for (let at = 3; at <= word.length - LEAST_PART; at++) {
    const last = foreignWords.get(word.slice(at));
    if (last !== undefined) {
      const first = word.slice(0, at);
      return `${foreignWords.get(first) ?? foreignWords.get(first.replace(/s$/, '')) ?? first} ${last}`;
    }
  }
  return undefined;
}

/** German, French and Spanish questions word by word into English, and phrases into one word. Names stay: they are in no dictionary. */
export function translate(asked: string): { text: string; isForeign: boolean } {
  const inOne = (whole: string): string =>
    whole.replace(phrasePattern, (phrase) => phrases.get(phrase.toLowerCase()) ?? phrase);
  const text = inOne(asked.replace(/ß/g, 'ss').replace(/’/g, "'"));
  if (!isForeignText(text)) {
    return { text: inOne(asked), isForeign: false };
  }
  const english = text
    .replace(
      /(?<!\p{L})([àa] quoi ser(t|vent)|para qu[eé] sirven?|wozu dient|wofür ist)(?!\p{L})/giu,
      'what is the purpose of',
    )
    .replace(
      /(?<!\p{L})(von wem (stammt|kommt|ist|sind|wurde)|wer (hat|steckt|steht) hinter|(à|a|de) qui (appartient|est)|qui est derrière|qui a (créé|fait)|de quién (es|son)|quién (está|hay) detrás de|quién (creó|hizo))(?!\p{L})/giu,
      'who makes',
    )
    .replace(/qu'est[- ]ce qu[e'] ?/gi, 'what is ')
    .replace(/est[- ]ce qu[e'] ?/gi, 'is ')
    .replace(/-(t-)?(il|elle|ils|on)\b/gi, '')
    .replace(/\b[ldnscj]'(?=\p{L})/giu, '')
    // "Command A" is a name.
    .replace(/[\p{L}\p{M}\p{N}._-]+/gu, (word: string, at: number) =>
      at > 0 && /^[A-Z]$/.test(word) ? word : (translateWord(fold(word).replace(/\.$/, '')) ?? word),
    );
  return { text: inOne(english), isForeign: true };
}
