import { type Clause, readClause } from './clause.ts';
import { type Entry, readText } from './entries.ts';
import { toNames } from './names.ts';
import { asksYesOrNo, type Polarity, readPolarity } from './polarity.ts';
import { createSpeller } from './spell.ts';
import { foldText, type Token, toKey, toTokens } from './tokens.ts';
import { type NamedValue, toNamedValues } from './values.ts';
import { generalTerms, neutralWords, ordinaryWords, questionWords, stopWords } from './words.ts';

/** A record that a part of the question names. */
export interface Link {
  entry: Entry;
  /** 0 to 1: how surely the words mean this record. */
  strength: number;
}

/** A part of the question, tokens `from` to `to`, with the records it may name, strongest first. */
export interface Mention {
  from: number;
  to: number;
  text: string;
  links: Link[];
  /** True when the words are a general term ("context window") that may merely belong to a question on another record. */
  isGeneral: boolean;
  /** The version the question names along with it, if any: "1.0.1" in "A2A 1.0.1". */
  version: string | null;
}

export interface ValueMention extends NamedValue {
  from: number;
  to: number;
  text: string;
}

/** A question that has been read: tokens, and what they name. */
export interface Question {
  text: string;
  tokens: Token[];
  /** The corrected words, each with one space before and after it, for the patterns of intents. */
  plain: string;
  /** The same with an underscore for each word of a particular name: the "bot" of "Web Bot Auth" is no bot. */
  masked: string;
  /** Whether it asks for a property or for its opposite. */
  polarity: Polarity;
  /** Who does what, when it is a yes/no question about that. */
  clause: Clause | null;
  mentions: Mention[];
  values: ValueMention[];
  /** Names that look like one of a record and are not: another version, or a longer name. */
  nearMisses: { from: number; to: number; text: string; entry: Entry | null }[];
  corrections: { from: string; to: string }[];
}

const MAX_TOKENS = 160;
const MAX_CORRECTIONS = 16;
const MAX_NAME_TOKENS = 14;

const harmlessSuffixes = new Set(['like', 'style', 'based', 'compatible', 'compliant', 'related', 'enabled', 'ready']);

interface Span {
  from: number;
  to: number;
}

const isYear = (token: Token | undefined): boolean => token !== undefined && /^(19[89]|20[0-4])\d$/.test(token.word);

/** The run of numbers that starts at `from`, written as a version ("1.0.1"), and where it ends. */
function readVersion(tokens: readonly Token[], from: number): { version: string; to: number } | null {
  let start = from;
  if (/^(v|version|ver|revision)$/.test(tokens[start]?.word ?? '')) {
    start++;
  }
  if (!tokens[start]?.isNumber || /\S/.test(tokens[from]?.gap ?? '')) {
    return null;
  }
  let to = start + 1;
  while (to < tokens.length && tokens[to]?.isNumber && /^[.-]$/.test(tokens[to]?.gap ?? '')) {
    to++;
  }
  const version = toKey(tokens, start, to);
  return start === from && to === start + 1 && isYear(tokens[start]) ? null : { version, to };
}

/** The version in "version 12 of A2A", where `from` is the position of the name. */
function readVersionBefore(tokens: readonly Token[], from: number): { version: string; to: number } | null {
  let end = from;
  while (/^(the|of)$/.test(tokens[end - 1]?.word ?? '')) {
    end--;
  }
  let start = end;
  while (tokens[start - 1]?.isNumber) {
    start--;
  }
  const isVersion = end < from && start < end && /^(v|version|revision)$/.test(tokens[start - 1]?.word ?? '');
  return isVersion ? { version: toKey(tokens, start, end), to: from } : null;
}

/** A name must stand by itself: "MyGPTBot", "GPT-5.7" and "MCP-Guard" do not name GPTBot, GPT-5 and MCP. */
function isBounded(tokens: readonly Token[], { from, to }: Span): boolean {
  const next = tokens[to];
  const before = tokens[from]?.gap ?? ' ';
  if (from > 0 && (before === '' || /[-._]$/.test(before)) && !/^\s/.test(before)) {
    return false;
  }
  if (next === undefined || /^\s/.test(next.gap)) {
    return true;
  }
  if (next.gap === '' || (/^[-._+]$/.test(next.gap) && next.isNumber)) {
    return false;
  }
  return !/^[-_]$/.test(next.gap) || harmlessSuffixes.has(next.word);
}

export type Linker = (text: string) => Question;

/** Reads questions: corrects letters, finds the longest names, and tells near misses from names. */
export function createLinker(entries: readonly Entry[], corpusWords: ReadonlySet<string>): Linker {
  const byKey = new Map<string, Link[]>();
  const vocabulary = new Set<string>(questionWords);
  const claim = (key: string, entry: Entry, strength: number): void => {
    const links = byKey.get(key) ?? [];
    if (!links.some((link) => link.entry === entry)) {
      links.push({ entry, strength });
    }
    byKey.set(key, links);
  };
  for (const entry of entries) {
    for (const [key, name] of toNames(entry)) {
      claim(key, entry, name.strength);
      vocabulary.add(key);
      for (const token of toTokens(foldText(name.text))) {
        vocabulary.add(token.word);
      }
    }
  }
  const values = toNamedValues(entries);
  for (const key of values.keys()) {
    vocabulary.add(key);
  }
  addPrefixes(entries, byKey, claim);
  for (const links of byKey.values()) {
    links.sort((a, b) => b.strength - a.strength);
  }
  const isKnown = (word: string): boolean =>
    vocabulary.has(word) || corpusWords.has(word) || stopWords.has(word) || neutralWords.has(word);
  const speller = createSpeller(vocabulary, questionWords);

  function findLinks(tokens: readonly Token[], from: number, to: number): Link[] | undefined {
    const key = toKey(tokens, from, to);
    return byKey.get(key) ?? (key.length > 4 && key.endsWith('s') ? byKey.get(key.slice(0, -1)) : undefined);
  }

  return (text) => {
    const tokens = toTokens(foldText(text)).slice(0, MAX_TOKENS);
    const corrections: Question['corrections'] = [];
    const distances = new Map<Token, number>();
    let attempts = 0;
    for (const token of tokens) {
      if (token.isNumber || isKnown(token.word) || attempts >= MAX_CORRECTIONS) {
        continue;
      }
      attempts++;
      const correction = speller.correct(token.word);
      if (correction !== null) {
        corrections.push({ from: token.raw, to: correction.word });
        distances.set(token, correction.distance);
        token.word = correction.word;
      }
    }
    const isShouting = !/\p{Ll}/u.test(text);
    const mentions: Mention[] = [];
    const valueMentions: ValueMention[] = [];
    const nearMisses: Question['nearMisses'] = [];
    let position = 0;
    while (position < tokens.length) {
      const found = readMention(position) ?? readValue(position);
      position = found ?? position + 1;
    }
    const plain = ` ${tokens.map((token) => token.word).join(' ')} `;
    const masked = toMasked(tokens, mentions);
    const polarity = readPolarity(masked);
    const clause = asksYesOrNo(plain) ? readClause(tokens, [...mentions, ...valueMentions]) : null;
    return { text, tokens, plain, masked, polarity, clause, mentions, values: valueMentions, nearMisses, corrections };

    function addNearMiss(from: number, to: number, entry: Entry | null, text = toText(tokens.slice(from, to))): void {
      nearMisses.push({ from, to, text, entry });
    }

    /** An ordinary word is no name unless its capitals say so, and those of a first word say nothing. */
    function isOrdinary(from: number, to: number): boolean {
      const raw = tokens
        .slice(from, to)
        .map((token) => token.raw)
        .join('');
      const isCapitalised = /\p{Lu}/u.test(raw) && !(from === 0 && /^\p{Lu}\p{Ll}+$/u.test(raw));
      return ordinaryWords.has(raw.toLowerCase()) && (isShouting || !isCapitalised);
    }

    function readMention(from: number): number | null {
      for (let to = Math.min(tokens.length, from + MAX_NAME_TOKENS); to > from; to--) {
        const links = findLinks(tokens, from, to);
        if (links === undefined) {
          continue;
        }
        const span = tokens.slice(from, to);
        if (isOrdinary(from, to)) {
          continue;
        }
        if (!isBounded(tokens, { from, to })) {
          addNearMiss(from, Math.min(tokens.length, to + 1), links[0]?.entry ?? null);
          continue;
        }
        const named = readVersion(tokens, to) ?? readVersionBefore(tokens, from);
        const entry = links.find((link) => link.entry.dataset !== 'glossary')?.entry;
        let end = to;
        let version: string | null = null;
        if (named !== null && entry !== undefined) {
          if (!isCurrentVersion(entry, named.version)) {
            addNearMiss(from, Math.max(to, named.to), entry, `${toText(span)} ${named.version}`);
            return Math.max(to, named.to);
          }
          end = Math.max(to, named.to);
          version = named.version;
        } else if (entry !== undefined && readText(entry, 'current_spec_version') === toText(span)) {
          version = toText(span);
        }
        const distance = span.reduce((sum, token) => sum + (distances.get(token) ?? 0), 0);
        const factor = 0.93 ** distance;
        mentions.push({
          from,
          to: end,
          text: toText(span),
          links: [...links]
            .sort((a, b) => Number(b.entry.title === toText(span)) - Number(a.entry.title === toText(span)))
            .map((link) => ({ entry: link.entry, strength: link.strength * factor })),
          isGeneral:
            generalTerms.has(toKey(tokens, from, to)) || generalTerms.has(toKey(tokens, from, to).replace(/s$/, '')),
          version,
        });
        return end;
      }
      return null;
    }

    function readValue(from: number): number | null {
      for (let to = Math.min(tokens.length, from + 6); to > from; to--) {
        const value = isOrdinary(from, to) ? undefined : values.get(toKey(tokens, from, to));
        if (value === undefined || !isBounded(tokens, { from, to })) {
          const next = tokens[to];
          if (value?.facet === 'family' && next?.isNumber) {
            addNearMiss(from, to + 1, null);
            return to + 1;
          }
          continue;
        }
        if (value.facet === 'family' && readVersion(tokens, to) !== null) {
          addNearMiss(from, to + 1, null);
          return to + 1;
        }
        const matched = tokens
          .slice(from, to)
          .map((token) => token.raw)
          .join(' ');
        valueMentions.push({ ...value, from, to, text: matched });
        return to;
      }
      return null;
    }
  };
}

/** A run of tokens as it was asked. */
const toText = (tokens: readonly Token[]): string =>
  tokens.reduce((text, token, index) => text + (index === 0 ? '' : token.gap) + token.raw, '');

function toMasked(tokens: readonly Token[], mentions: readonly Mention[]): string {
  const words = tokens.map((token) => token.word);
  for (const { from, to, links, isGeneral } of mentions) {
    if (!isGeneral && links[0]?.entry.dataset !== 'glossary') {
      words.fill('_', from, to);
    }
  }
  return ` ${words.join(' ')} `;
}

const isCurrentVersion = (entry: Entry, version: string): boolean =>
  readText(entry, 'current_spec_version')
    .replaceAll('-', '.')
    .split(/[\s,;()v]+/)
    .includes(version);

/** The first words of a model's name mean it when they fit no other model: "Llama 3.3", but not "GPT-6". */
function addPrefixes(
  entries: readonly Entry[],
  byKey: ReadonlyMap<string, Link[]>,
  claim: (key: string, entry: Entry, strength: number) => void,
): void {
  const owners = new Map<string, Set<Entry>>();
  for (const entry of entries.filter((candidate) => candidate.dataset === 'models')) {
    const tokens = toTokens(foldText(entry.title));
    for (let to = 2; to < tokens.length; to++) {
      const key = toKey(tokens, 0, to);
      if (/\d$/.test(key) && !/^[.-]$/.test(tokens[to]?.gap ?? '')) {
        owners.set(key, (owners.get(key) ?? new Set()).add(entry));
      }
    }
  }
  for (const [key, [entry, ...others]] of owners) {
    if (entry !== undefined && others.length === 0 && !byKey.has(key)) {
      claim(key, entry, 0.8);
    }
  }
}
