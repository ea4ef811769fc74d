import { isEnglish } from './english.ts';
import type { Entry } from './entries.ts';
import { lazily } from './lazily.ts';
import {
  allSynonyms,
  emptyWords,
  fillerStems,
  fillerWords,
  ordinaryWords,
  outsideWords,
  softWords,
  stemOf,
} from './lexicon.ts';
import { toNames } from './names.ts';
import type { SectionIndex } from './section-index.ts';
import { createSpeller } from './spell.ts';
import { foldText, rawText, type Token, toKey, toTokens } from './tokens.ts';
import { translate } from './translate.ts';
import { type NamedValue, toNamedValues } from './values.ts';
import { degrees, vocabulary } from './vocabulary.ts';
import { readWants, type Want } from './wants.ts';

/** A word of a question with what it weighs. */
export interface Word extends Token {
  stem: string;
  position: number;
  /** 0 for words without content, up to 1 for rare ones. */
  weight: number;
  /** 0 to 1: how rare it is, even where it counts little because many questions about nothing here have it. */
  rarity: number;
  isEmpty: boolean;
  /** "B" in "tier B". */
  isLetter: boolean;
  /** Asks for what the site does not hold, unless a candidate explains it. */
  isOutside: boolean;
}

/** A stretch of words, from the first to the one before `to`. */
export interface Span {
  from: number;
  to: number;
}

/** A name in the question with the records that have it, the surest first. */
export interface Mention extends Span {
  entries: { entry: Entry; strength: number }[];
}

/** A question as it was read: its words, the names and values in it, and what kind of answer it wants. */
export interface Question {
  /** As it was asked. */
  text: string;
  words: Word[];
  /** Where each stem is. */
  at: ReadonlyMap<string, readonly number[]>;
  /** Corrected, translated, lower-case, single spaces. */
  plain: string;
  mentions: Mention[];
  values: (NamedValue & Span)[];
  /** "GPT-7": made like the name of a record, and the name of none. */
  nearMisses: { text: string; entry: Entry | null }[];
  corrections: { from: string; to: string }[];
  /** "FooBot": made like a name, and near to none. */
  unknownNames: string[];
  isForeign: boolean;
  wants: ReadonlySet<Want>;
  /** 0 to 2: how many of its words belong to this subject alone. */
  domain: number;
}

/** What a letter after it tells apart. */
const lettered = /^(tier|seal|grade|class|level)s?$/;
/** And what the letter weighs. */
const LETTER = 0.5;
const MAX_WORDS = 120;
const MAX_CORRECTED_WORDS = 40;
const MAX_NAME_WORDS = 10;
const EXACT = 0.01;
/** Shorter words aren't corrected. */
const MIN_WORD = 4;
/** From this weight on no text of the site has a word. */
const UNKNOWN = 0.99;

/** Words by which a question is about the subject of this site even when it names no record. */
const domainWords =
  /\b(crawlers?|bots?|robots|llms|agents?|guestbook|audit|almanac|playbook|directory|withdrawal|porchlight|mcp|markdown|webmcp|twin|badge|openapi|json|llm|accessibility|scraping|scrapers?|idempotency)\b/g;

type NameIndex = ReadonlyMap<string, Mention['entries']>;

/**
 * Every name of every record, by the key that questions are looked up with, the words in those names, and the lines of
 * models with the names that belong to each: "deepseekr" with "deepseekr1". "GPT-6" names a generation: several models begin so.
 */
function indexNames(entries: readonly Entry[]): {
  byKey: NameIndex;
  words: Set<string>;
  lines: ReadonlyMap<string, string[]>;
  generations: ReadonlyMap<string, string>;
} {
  const byKey = new Map<string, Mention['entries']>();
  const words = new Set<string>();
  for (const entry of entries) {
    for (const [key, { text, strength }] of toNames(entry)) {
      const links = byKey.get(key) ?? [];
      if (!links.some((link) => link.entry === entry)) {
        links.push({ entry, strength });
      }
      byKey.set(key, links);
      words.add(key);
      for (const { word } of toTokens(foldText(text))) {
        words.add(word);
      }
    }
  }
  // "Llama 3.3" and "Qwen3.5 122B" mean the model when no other begins so.
  const prefixes = new Map<string, Set<Entry>>();
  const lines = new Map<string, string[]>();
  const generations = new Map<string, string>();
  for (const entry of entries.filter(({ dataset }) => dataset === 'models')) {
    const tokens = toTokens(foldText(entry.title));
    const first = tokens.findIndex(({ isNumber }) => isNumber);
    if (first > 1) {
      const line = toKey(tokens, 0, first);
      lines.set(line, [...(lines.get(line) ?? []), toKey(tokens)]);
    }
    for (let to = 2; to < tokens.length; to++) {
      const isSize = tokens[to - 1]?.word === 'b' && tokens[to - 1]?.gap === '' && tokens[to - 2]?.isNumber === true;
      if (isSize || (tokens[to - 1]?.isNumber && !/^[.-]$/.test(tokens[to]?.gap ?? ''))) {
        const key = toKey(tokens, 0, to);
        prefixes.set(key, (prefixes.get(key) ?? new Set()).add(entry));
        generations.set(key, foldText(entry.title).slice(0, tokens[to - 1]?.end));
      }
    }
  }
  for (const [key, [entry, ...others]] of prefixes) {
    if (entry !== undefined && others.length === 0 && !byKey.has(key)) {
      byKey.set(key, [{ entry, strength: 0.85 }]);
    }
  }
  for (const [key, own] of prefixes) {
    if (own.size < 2 || byKey.has(key)) {
      generations.delete(key);
    }
  }
  return { byKey, words, lines, generations };
}

const wordsOf = (texts: readonly string[]): string[] =>
  texts
    .join(' ')
    .toLowerCase()
    .match(/\p{L}{3,}/gu) ?? [];

/** A year after a name is no version of it. */
const isYear = (word: string): boolean => /^(19|20)\d\d$/.test(word);

/** Whether a version, by its numbers, is one that the record tells of. */
function isHeldVersion(
  { title, record: { current_spec_version, releases, ua_full, note } }: Entry,
  numbers: readonly Word[],
): boolean {
  const held = JSON.stringify([title, current_spec_version, releases, ua_full, note]);
  return new RegExp(`(?<![\\d.-])${numbers.map(({ word }) => word).join('[.-]')}(?![\\d-])`).test(held);
}

/** "version 9 of A2A", "A2A version 9": a name with a version that no text of the record has. */
function findOtherVersion(words: readonly Word[], entry: Entry, { from, to }: Span): Span | null {
  const readNumbers = (at: number): number =>
    words.findIndex(({ isNumber, gap }, next) => next >= at && !(isNumber && (next === at || /^[.-]$/.test(gap))));
  if (/^(version|v|release|revision)$/.test(words[to]?.word ?? '')) {
    const next = readNumbers(to + 1);
    const end = next === -1 ? words.length : next;
    const numbers = words.slice(to + 1, end);
    const isVersion = numbers.length > 1 || numbers.some(({ word }) => !isYear(word));
    return !isVersion || isHeldVersion(entry, numbers) ? null : { from, to: end };
  }
  const of = from - (words[from - 1]?.word === 'the' ? 2 : 1);
  const start = words.findLastIndex(({ isNumber }, at) => at < of && !isNumber);
  const isVersion = words[of]?.word === 'of' && words[start]?.word === 'version' && start < of - 1;
  return isVersion && !isHeldVersion(entry, words.slice(start + 1, of)) ? { from: start, to } : null;
}

/** Whether words that make a name are the ordinary ones that they look like. */
function isOrdinary(words: readonly Word[], from: number, to: number): boolean {
  const raw = words
    .slice(from, to)
    .map((word) => word.raw)
    .join('');
  const isCapital = /\p{Lu}/u.test(raw) && !(from === 0 && /^\p{Lu}\p{Ll}+$/u.test(raw));
  const lower = raw.toLowerCase();
  // "and I" is no name.
  if (to - from > 1 && words.slice(from, to).every(({ isEmpty }) => isEmpty)) {
    return true;
  }
  return (ordinaryWords.has(lower) || emptyWords.has(lower)) && !isCapital;
}

/** Finds names and values in the words of one question. */
function linkNames(
  words: readonly Word[],
  { byKey, lines, generations }: Omit<ReturnType<typeof indexNames>, 'words'>,
  values: ReadonlyMap<string, NamedValue>,
) {
  const mentions: Mention[] = [];
  const found: Question['values'] = [];
  const nearMisses: Question['nearMisses'] = [];
  const textOf = (from: number, to: number): string => rawText(words.slice(from, to));

  function isBounded(from: number, to: number): boolean {
    const next = words[to];
    const before = words[from]?.gap ?? ' ';
    if (from > 0 && /^[.-]?$/.test(before)) {
      return false;
    }
    return (
      next === undefined ||
      /^[\s,;:?!()/"'*]/.test(next.gap) ||
      /^[.]\s/.test(next.gap) ||
      (/^[-.=]$/.test(next.gap) && !next.isNumber && !/^\p{Lu}/u.test(next.raw))
    );
  }
  /** "MCP 3": the version belongs to the name, and is a near miss when the record does not have it. */
  function readVersion(entry: Entry | undefined, from: number, to: number): number {
    const next = words[to];
    const isVersion = next?.isNumber === true && next.gap === ' ' && !isYear(next.word);
    if (!isVersion || entry === undefined || entry.dataset === 'glossary') {
      return to;
    }
    const after = words.findIndex(({ isNumber, gap }, at) => at > to && !(isNumber && /^[.-]$/.test(gap)));
    const end = after === -1 ? words.length : after;
    // "Mistral's Devstral Medium 1.0": with the number it's a name too.
    const isName = range(from, to).some((start) => byKey.has(toKey(words, start, end)));
    if (!isName && !isHeldVersion(entry, words.slice(to, end))) {
      nearMisses.push({ text: textOf(from, end), entry });
    }
    return end;
  }
  function readName(from: number): number | null {
    for (let to = Math.min(words.length, from + MAX_NAME_WORDS); to > from; to--) {
      const key = toKey(words, from, to);
      const plural = key.length > 3 && key.endsWith('s') ? byKey.get(key.slice(0, -1)) : undefined;
      const links = byKey.get(key) ?? plural;
      const generation = generations.get(key);
      if (generation !== undefined && isBounded(from, to)) {
        found.push({ facet: 'family', value: generation, spellings: [generation], from, to });
        return to;
      }
      if (links === undefined || isOrdinary(words, from, to)) {
        continue;
      }
      // "agent protocols" are protocols of agents, and "Agent Protocol" is one.
      const isCommon = !byKey.has(key) && to - from > 1 && !/\p{Lu}/u.test(textOf(from, to));
      if (isCommon && links.every(({ entry }) => entry.dataset !== 'glossary')) {
        continue;
      }
      const [first] = links;
      if (!isBounded(from, to)) {
        if (words[to]?.isNumber) {
          nearMisses.push({ text: textOf(from, to + 1), entry: first?.entry ?? null });
        }
        continue;
      }
      const end = readVersion(first?.entry, from, to);
      const other = first === undefined ? null : findOtherVersion(words, first.entry, { from, to });
      if (first !== undefined && other !== null) {
        nearMisses.push({ text: textOf(other.from, other.to), entry: first.entry });
      }
      // "PerplexityUser" and "Perplexity-User" are two records: the name as it is written is the surest.
      const written = textOf(from, to);
      const entries = links.map(({ entry, strength }) => ({
        entry,
        strength: strength + (entry.title === written ? EXACT : 0),
      }));
      mentions.push({ from, to: end, entries: entries.sort((a, b) => b.strength - a.strength) });
      return end;
    }
    return null;
  }
  /** "DeepSeek R3": made like a model's name, and no model of that line has the number. */
  function readLine(from: number): number | null {
    const to = words.findIndex(({ isNumber }, at) => at > from && isNumber);
    const key = toKey(words, from, to + 1);
    const line = to < from + 2 ? undefined : lines.get(toKey(words, from, to));
    if (line === undefined || isYear(words[to]?.word ?? '') || line.some((name) => name.startsWith(key))) {
      return null;
    }
    nearMisses.push({ text: textOf(from, to + 1), entry: null });
    return to + 1;
  }
  function readValue(from: number): number | null {
    for (let to = Math.min(words.length, from + 5); to > from; to--) {
      const key = toKey(words, from, to);
      // "duckduckgos bot"
      const owner = key.length > 5 && key.endsWith('s') ? values.get(key.slice(0, -1)) : undefined;
      const value = isOrdinary(words, from, to) ? undefined : (values.get(key) ?? owner);
      const next = words[to];
      // "GPT-9" is made like the models of a line, and none of them.
      if (value?.facet === 'family' && next?.isNumber && !isYear(next.word)) {
        nearMisses.push({ text: textOf(from, to + 1), entry: null });
      }
      if (value === undefined || !isBounded(from, to)) {
        continue;
      }
      found.push({ ...value, from, to });
      return to;
    }
    return null;
  }
  for (let from = 0; from < words.length; ) {
    from = readName(from) ?? readLine(from) ?? readValue(from) ?? from + 1;
  }
  return { mentions, values: found, nearMisses };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/**
 * "Agent Handshake Protocol": made like the name of a protocol or crawler, in capitals, and the name of none. "MJ12bot": so is
 * a run of letters and digits that ends like a crawler.
 */
function findStrangers(words: readonly Word[], covered: ReadonlySet<number>): string[] {
  const isCapital = (at: number): boolean => /^\p{Lu}/u.test(words[at]?.raw ?? '') && words[at]?.gap !== '. ';
  return words.flatMap(({ raw, position }) => {
    if (covered.has(position)) {
      return [];
    }
    let from = position;
    while (from > 0 && words[from]?.gap === '') {
      from--;
    }
    if (/^(bot|crawler|spider)$/i.test(raw) && words.slice(from, position).some(({ isNumber }) => isNumber)) {
      return [rawText(words.slice(from, position + 1))];
    }
    from = position;
    while (from > 1 && isCapital(from - 1)) {
      from--;
    }
    const isName = /^(Protocol|Standard|Framework|Crawler|Bot)$/.test(raw) && from < position;
    return isName ? [rawText(words.slice(from, position + 1))] : [];
  });
}

/** Words of User-Agent strings that every browser sends. */
const browserWord =
  /^(mozilla|windows|nt|win64|wow64|macintosh|intel|mac|os|linux|x11|x64|x86|64|android|iphone|cpu|applewebkit|khtml|like|gecko|chrome|chromium|safari|mobile|version|compatible|https?|www|com)$/;

/** The words of a User-Agent string that tell nothing: what every browser sends, and the version after a name. */
function findAgentWords(tokens: readonly Token[]): Set<number> {
  // `"GET /pricing HTTP/1.1" 200 …`: of a line of a log only the names count.
  const get = tokens.findIndex(({ raw }) => /^(GET|POST|HEAD)$/.test(raw));
  const http = tokens.findIndex(({ word, raw }, at) => at > get && (word === 'http' || raw === 'HTTP'));
  const isLine = get !== -1 && http !== -1;
  const isString = isLine || tokens.some(({ word }, at) => word === 'mozilla' && tokens[at + 1]?.gap === '/');
  const found = new Set<number>();
  for (const [at, { word, isNumber, gap }] of tokens.entries()) {
    const isVersion = isNumber && at > 0 && gap === '/' && tokens[at - 1]?.isNumber === false;
    const isFurther = isNumber && gap === '.' && found.has(at - 1);
    const isOfLine = isLine && at >= get && at <= http;
    if (isVersion || isFurther || isOfLine || (isString && (isNumber || browserWord.test(word)))) {
      found.add(at);
    }
  }
  return found;
}

/** What a word of a question weighs, by the word before it, and whether it belongs to the setting or another language. */
function weighWord(
  token: Token,
  { index, headings }: { index: Pick<SectionIndex, 'weigh'>; headings: ReadonlySet<string> },
  {
    before,
    isSetting,
    isForeign,
    isOfAgent,
  }: { before: string; isSetting: boolean; isForeign: boolean; isOfAgent: boolean },
): Pick<Word, 'stem' | 'isEmpty' | 'isLetter' | 'weight' | 'rarity' | 'isOutside'> {
  const stem = stemOf(token.word);
  // "tier B", "a D next to an entry"; "A" and "I" by themselves are words.
  const isLetter = /^[a-z]$/.test(token.word) && (lettered.test(before) || /^[B-HJ-Z]$/.test(token.raw));
  const isEmpty =
    !isLetter && (isOfAgent || emptyWords.has(token.word) || (token.word.length === 1 && !token.isNumber));
  const base = isEmpty ? 0 : isLetter ? LETTER : token.isNumber ? (isYear(token.word) ? 0.5 : 0.7) : index.weigh(stem);
  const isSoft = softWords.has(token.word) || fillerStems.has(stem);
  // What stayed untranslated is likely as ordinary as the words around it.
  const isUntranslated = isForeign && base > UNKNOWN;
  // A short word that no text has is a slip, unless it's written as a name: "teh", and not "IIS".
  const isSlip = base > UNKNOWN && token.raw.length < MIN_WORD && !/\p{Lu}/u.test(token.raw);
  const weight =
    base * (isSoft ? 0.3 : isUntranslated ? 0.5 : isSlip ? 0.2 : 1) * (isSetting && !headings.has(stem) ? 0.4 : 1);
  return { stem, isEmpty, isLetter, weight, rarity: base, isOutside: outsideWords.has(token.word) };
}

/** A day at the end of a name. */
const dayAtEnd = /[-@]20\d\d-?[01]\d-?[0-3]\d(?!\w)/g;

/** "claude-sonnet-4-5-20250929", "gpt-4o-2024-08-06": the day at the end of an API name pins an edition of the same model. */
const withoutEdition = (text: string): string =>
  text.replace(dayAtEnd, (day, at: number) => {
    const name =
      text
        .slice(0, at)
        .split(/[^\w.-]/)
        .at(-1) ?? '';
    return /^[a-z].*-/i.test(name) && /\d/.test(name) ? '' : day;
  });

/** Makes the reader of questions; `called` are names of what pages are about, `headings` the words of headings. */
export function createReader(
  entries: readonly Entry[],
  index: Pick<SectionIndex, 'weigh' | 'words' | 'wordsOfAsks'>,
  called: readonly string[],
  headings: ReadonlySet<string>,
): (asked: string) => Question {
  const { words: nameWords, ...names } = indexNames(entries);
  const values = toNamedValues(entries);
  for (const key of values.keys()) {
    nameWords.add(key);
  }
  const fieldWords = Object.values(vocabulary).flatMap(({ nouns, fields }) => [
    ...nouns,
    ...Object.values(fields).flatMap(({ ask }) => ask),
  ]);
  const degreeWords = degrees.map(({ cue }) => cue.source.replace(/[\\b()?]/g, ' '));
  const attributeWords = lazily(
    () => new Set([...index.wordsOfAsks(), ...wordsOf([...fieldWords, ...allSynonyms, ...degreeWords, ...called])]),
  );
  const known = lazily(() => [
    ...[nameWords, attributeWords(), index.words(), emptyWords, softWords, fillerWords, outsideWords],
  ]);
  const speller = lazily(() =>
    createSpeller(
      known().flatMap((set) => [...set]),
      new Set([...attributeWords(), ...nameWords, ...emptyWords]),
    ),
  );

  /** Corrects the tokens in place. */
  function correct(
    tokens: readonly Token[],
    asked: string,
    isForeign: boolean,
  ): Pick<Question, 'corrections' | 'unknownNames'> {
    const corrections: Question['corrections'] = [];
    const unknownNames: string[] = [];
    for (const token of tokens.slice(0, MAX_CORRECTED_WORDS)) {
      // "duckduckgos" is no misspelt DuckDuckBot; "acces" is one of "access", and no singular.
      const singular = token.word.replace(/(?<=...)s$/, '');
      const plural = token.word.replace(/(?<!s)$/, 's');
      if (token.isNumber || known().some((words) => [token.word, singular, plural].some((form) => words.has(form)))) {
        continue;
      }
      if (/\p{Lu}.*\p{Lu}/u.test(token.raw) && !/^\p{Lu}+$/u.test(asked) && token.raw.length < 6) {
        continue;
      }
      const found = speller().correct(token.word);
      // "grapes" are no misspelt "grades"; "lama" may be a name with a letter left out.
      const near = found !== null && isEnglish(token.word) && !found.isVariant ? null : found;
      // "FooBot" is made like a name: no typo of another.
      // What no dictionary has of another language is no misspelt name: "trage" and "Trae".
      const isOther = isForeign && near !== null && nameWords.has(near.word);
      if (near !== null && !isOther && !(/(bot|crawler|spider)$/i.test(token.raw) && near.distance > 1)) {
        corrections.push({ from: token.raw, to: near.word });
        token.word = near.word;
      } else if (
        /^\p{Lu}.*(bot|crawler|spider|protocol)$/iu.test(token.raw) ||
        /^\p{Lu}\p{Ll}+\p{Lu}/u.test(token.raw)
      ) {
        unknownNames.push(token.raw);
      }
    }
    return { corrections, unknownNames };
  }

  return (asked) => {
    const { text, isForeign } = translate(asked, nameWords);
    const folded = foldText(withoutEdition(text));
    const tokens = toTokens(folded).slice(0, MAX_WORDS);
    const spelt = correct(tokens, asked, isForeign);
    // A statement before the question is the setting: its words may stay open.
    const setting = Math.max(0, ...Array.from(folded.matchAll(/[.!:;]\s+(?=\S.*\?)/gs), ({ index: at }) => at));
    const inAgents = findAgentWords(tokens);
    const words = tokens.map((token, position) => ({
      ...token,
      position,
      ...weighWord(
        token,
        { index, headings },
        {
          before: tokens[position - 1]?.word ?? '',
          isSetting: token.start < setting,
          isForeign,
          isOfAgent: inAgents.has(position),
        },
      ),
    }));
    const plain = words.map(({ word }) => word).join(' ');
    const links = linkNames(words, names, values);
    const covered = new Set([...links.mentions, ...links.values].flatMap(({ from, to }) => range(from, to)));
    const strangers = findStrangers(words, covered);
    const named = links.mentions.filter(({ entries: records }) =>
      records.some(({ entry, strength }) => entry.dataset !== 'models' && strength > 0.5),
    ).length;
    const own = (plain.match(domainWords) ?? []).length;
    const organisations = links.values.filter(({ facet }) => facet === 'organisation').length;
    return {
      text: asked,
      words,
      at: Map.groupBy(
        words.map(({ position }) => position),
        (position) => words[position]?.stem ?? '',
      ),
      plain,
      ...links,
      ...spelt,
      unknownNames: [...spelt.unknownNames, ...strangers],
      isForeign,
      wants: readWants(plain),
      domain: Math.min(2, named + 0.5 * (own + organisations)),
    };
  };
}
