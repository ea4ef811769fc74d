import type { PagePart } from '../pages.ts';
import type { Citation } from './answer.ts';
import type { Entry } from './entries.ts';
import { emptyStems, shareSaid, stemsOf } from './lexicon.ts';
import type { Question, Span } from './question.ts';

/** An answer as it would read, with what each sentence was taken from. */
export interface Composed {
  text: string;
  citations: Citation[];
  /** The record that was asked for and does not confirm the value. */
  unconfirmed?: Entry;
}

/** Numbers that speak for or against a candidate, by name. The names are those of the weights. */
export type Features = Readonly<Record<string, number>>;

/** What features count together. */
export function weigh(features: Features, weights: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const name in features) {
    sum += (weights[name] ?? 0) * (features[name] ?? 0);
  }
  return sum;
}

/**
 * A part of a page's section, or a field of a record, with what speaks for it to come first, by name, and how well it answers
 * compared with the others.
 */
export interface WeighedPart {
  part: PagePart;
  features: Features;
  score: number;
  /** Its sentences with what speaks for each of them. */
  sentences(): { text: string; features: Features }[];
}

const names = new Map<string, Map<string, string>>();

/** The name of a feature in two parts: "record.nearness". There are few, and many candidates have them. */
export function nameOf(group: string, name: string): string {
  const known = names.get(group)?.get(name);
  if (known !== undefined) {
    return known;
  }
  const whole = `${group}.${name}`;
  names.set(group, (names.get(group) ?? new Map<string, string>()).set(name, whole));
  return whole;
}

/** One way to answer a question: what it explains of it, what speaks for it, and how it would read. */
export interface Candidate {
  /** What it is, for the caller: "field:crawlers.operator". */
  intent: string;
  /** The record that it is about; null when it is about several, or about a page. */
  entry: Entry | null;
  /** For each word of the question, 0 to 1. */
  explained: number[];
  features: Features;
  /** What "it" means in a question that comes after this answer, where no record of the question is meant. */
  subject?: string;
  /** What came after its record, where that is what it says. */
  successor?: string;
  /** Whether it says what each of two is for, which is no opinion. */
  isChoice?: boolean;
  /** Whether it's the answer to all parts of a question together. */
  answersAll?: boolean;
  /** The parts of a page's section with what speaks for each to come first, which training learns from. */
  weighed?: readonly WeighedPart[];
  /** The answer; null when the records do not give one after all. */
  compose(): Composed | null;
}

/** A phrase as its stems. */
export type Phrase = readonly string[];

/** How many other words may come between the words of a phrase. */
const MAX_GAP = 4;

/** Of the places of each word of a phrase those that stand together, no farther apart than `most`. */
function findTogether(places: readonly (readonly number[])[], most: number): number[] | null {
  const isTogether = (found: readonly (number | undefined)[]): found is number[] =>
    !found.includes(undefined) &&
    new Set(found).size === found.length &&
    Math.max(...(found as number[])) - Math.min(...(found as number[])) <= most;
  const first = places.map(([place]) => place);
  if (isTogether(first)) {
    return first;
  }
  // "I pinned it. How long do I have?": the second "I".
  for (const from of places.some((own) => own.length > 1) ? (places[0] ?? []) : []) {
    const nearest = places.map((own) =>
      own.reduce<number | undefined>(
        (best, place) => (best === undefined || Math.abs(place - from) < Math.abs(best - from) ? place : best),
        undefined,
      ),
    );
    if (isTogether(nearest)) {
      return nearest;
    }
  }
  return null;
}

/** The positions of all phrases that are in the question outside of `taken`, and how many words the longest has. */
export function matchPhrases(
  question: Question,
  phrases: readonly Phrase[],
  taken: ReadonlySet<number> = new Set(),
): { at: Set<number>; longest: number } {
  const at = new Set<number>();
  let longest = 0;
  for (const phrase of phrases) {
    if (!phrase.every((stem) => question.at.has(stem))) {
      continue;
    }
    const places = phrase.map((stem) => question.at.get(stem)?.filter((position) => !taken.has(position)) ?? []);
    // "as of" stands together or it's none.
    const gap = phrase.length > 1 && phrase.every((stem) => emptyStems.has(stem)) ? -1 : MAX_GAP;
    const found = findTogether(places, phrase.length + gap);
    if (found === null) {
      continue;
    }
    for (const position of found) {
      at.add(position);
    }
    longest = Math.max(longest, phrase.length);
  }
  return { at, longest };
}

const LEAST_WEIGHT = 0.15;

/** What the words at some positions weigh together; a phrase of empty words weighs something too. */
export const weightAt = (question: Question, at: Iterable<number>): number =>
  [...at].reduce((sum, position) => sum + Math.max(question.words[position]?.weight ?? 0, LEAST_WEIGHT), 0);

/** Of fields those whose phrases are in the question, with where, the one that explains most first. */
export const mostAsked = <Asked extends { phrases: readonly Phrase[] }>(
  question: Question,
  fields: readonly Asked[],
  taken?: ReadonlySet<number>,
): { field: Asked; at: Set<number> }[] =>
  fields
    .map((field) => ({ field, ...matchPhrases(question, field.phrases, taken) }))
    .filter(({ at }) => at.size > 0)
    .sort((a, b) => weightAt(question, b.at) - weightAt(question, a.at));

export const nothingExplained = (question: Question): number[] => question.words.map(() => 0);

/** Raises what is explained at some positions to at least `share`. */
export function explain(explained: number[], at: Iterable<number>, share: number): void {
  for (const position of at) {
    explained[position] = Math.max(explained[position] ?? 0, share);
  }
}

export const positionsOf = ({ from, to }: Span): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** The positions of the words that a pattern matches one by one. */
export const positionsLike = (question: Question, pattern: RegExp): number[] =>
  question.words.filter(({ word }) => pattern.test(word)).map(({ position }) => position);

/** An initial ends no sentence: "M. De Rossi". */
const initial = /(?:^|\s)\p{Lu}\.\s*$/u;

/** The sentences of a text, each with the space after it. The number of an item belongs to its first sentence. */
export function sentencesOf(text: string): string[] {
  const parts = text.match(/(?:\s*\d+\.\s)?[^.!?]+(?:[.!?]+(?=\s|$)|[.!?](?=\S)[^.!?]*)*\s*|.+$/gs) ?? [text];
  for (let at = parts.length - 2; at >= 0; at--) {
    if (initial.test(parts[at] ?? '')) {
      parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
    }
  }
  return parts;
}

/** A text that begins with a label is about what it names: "Age: Each listed site …". */
const label = /^[^:.!?]{1,25}: /;

/** The label of a part, and its sentences. */
export function splitPart(text: string): { name: string; sentences: string[] } {
  const [name = ''] = label.exec(text) ?? [];
  return { name, sentences: sentencesOf(text.slice(name.length)) };
}

/** How much more a sentence has to say of the question than the first one to come before it. */
const LEAST_LEAD = 0.15;

/**
 * A text about a record in which the sentence comes first that says most of what is asked besides its name: "Is what it reads
 * used to train models?" `asked` is what the words weigh that the first sentence answers by the name of its field.
 */
export function answerFirst(
  question: Question,
  text: string,
  title: string,
  { taken, asked }: { taken: ReadonlySet<number>; asked: number },
): string {
  const [line = '', ...rest] = text.split('\n');
  const sentences = sentencesOf(line);
  const shares = sentences.map((sentence, at) => {
    const stems = new Set(stemsOf(sentence));
    return question.words.reduce(
      (sum, { stem, weight, position }) => sum + (taken.has(position) ? 0 : weight * shareSaid(stems, stem)),
      at === 0 ? asked + LEAST_LEAD : 0,
    );
  });
  const best = shares.indexOf(Math.max(...shares));
  const sentence = sentences[best]?.trim() ?? '';
  if (best <= 0 || sentence.endsWith(':')) {
    return text;
  }
  const named = sentence.includes(title)
    ? sentence
    : sentence.startsWith('It ')
      ? sentence.replace('It', title)
      : `${title}: ${sentence}`;
  const others = sentences.filter((_, at) => at !== best);
  return [`${named} ${others.join('').trim()}`, ...rest].join('\n');
}

/** Sentences one after the other; what follows lines to paste begins a paragraph, so that nothing is pasted with them. */
export const joinSentences = (texts: readonly string[]): string =>
  texts.reduce(
    (all, text, at) => (at === 0 ? text : `${all}${texts[at - 1]?.includes('\n') ? '\n\n' : ' '}${text}`),
    '',
  );

/** Short sentences and those with a pronoun say something else after another one: "No.", "It writes text." */
const leansOn = /\b(it|its|they|their)\b|^\S+(\s+\S+)?$/i;

/** A sentence that begins with what it's about: "To block GPTBot: Disallow GPTBot in robots.txt." */
const opened = /^[^:.!?]{1,60}: (.{20,})$/s;

/** The sentences of a text that another doesn't have yet, or that mean something of their own there. */
export const withoutSaid = (text: string, said: string): string[] =>
  sentencesOf(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => {
      const [, own] = opened.exec(sentence) ?? [];
      const isSaid = said.includes(own ?? sentence);
      return sentence !== '' && !(isSaid && (own !== undefined || !leansOn.test(sentence)));
    });

/** The first sentences of a text. */
export const firstSentences = (text: string, most: number): string => sentencesOf(text).slice(0, most).join('').trim();

/** How many sentences a text has in short, besides a verdict. */
const MAX_IN_SHORT = 2;
export const verdict = /^(Yes|No|In part)\./;

/** What comes first of a text that others follow, with its "yes" or "no". */
export const inShort = (text: string): string =>
  text.includes('\n') ? text : firstSentences(text, MAX_IN_SHORT + (verdict.test(text) ? 1 : 0));

/** What other sentences than the first have to have more. */
const LEAST_GAIN = 0.3;

/**
 * Of a part the consecutive sentences that have most of the question's words, those of `names` apart; the first ones where none
 * has more.
 */
export function bestSentences(
  question: Question,
  text: string,
  most: number,
  names: ReadonlySet<string> = new Set(),
): string {
  const sentences = sentencesOf(text);
  if (sentences.length <= most) {
    return text;
  }
  const shares = sentences.map((sentence) => {
    const stems = new Set(stemsOf(sentence));
    return question.words.reduce(
      (sum, { stem, weight }) => sum + (names.has(stem) ? 0 : weight * shareSaid(stems, stem)),
      0,
    );
  });
  const shareFrom = (from: number): number => shares.slice(from, from + most).reduce((sum, share) => sum + share, 0);
  const starts = sentences.slice(0, sentences.length - most + 1).map((_, from) => from);
  const from = starts.reduce((best, at) => (shareFrom(at) > shareFrom(best) + LEAST_GAIN ? at : best), 0);
  return sentences
    .slice(from, from + most)
    .join('')
    .trim();
}
