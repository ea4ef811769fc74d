import type { AlmanacIndex } from './almanac-index.ts';
import { type Entry, type Fact, readFact, readNote } from './entries.ts';
import type { Mention, Question } from './link.ts';
import { findCovered, matchesWords } from './patterns.ts';
import { negations, toVerdict } from './polarity.ts';
import { neutralWords, stopWords } from './words.ts';

/** What an intent makes of a question. Drafts compete: the best supported one becomes the answer. */
export interface Draft {
  intent: string;
  /** 0 to 1: how surely the question asks for this. */
  certainty: number;
  /** 0 to 1: how surely its names mean the records used. */
  strength: number;
  /** True when the pattern names the property itself, so that one word too many rarely changes what is asked. */
  isSpecific?: boolean;
  /** Positions of the tokens that this reading accounts for. */
  explained: ReadonlySet<number>;
  text: string;
  /** Each value that the text states. */
  facts: Fact[];
  notes: string[];
  /** Records that are meant but do not confirm the value. With no facts at all, the draft declines. */
  unconfirmed: Entry[];
}

/** One kind of question. `read` returns null when the question is of another kind. */
export interface Intent {
  id: string;
  read(question: Question, index: AlmanacIndex): Draft | null;
}

/** The positions of the tokens that any of the patterns accounts for, or null when none matches. */
export function matchPatterns(question: Question, patterns: readonly RegExp[]): Set<number> | null {
  const covered = patterns.flatMap((pattern) => findCovered(pattern, question.plain));
  const explained = new Set<number>();
  let offset = 1;
  question.tokens.forEach((token, position) => {
    const end = offset + token.word.length;
    if (covered.some(([from, to]) => offset < to && end > from)) {
      explained.add(position);
    }
    offset = end + 1;
  });
  return covered.length > 0 ? explained : null;
}

/** A record that the question is about, and the words that name it. */
export interface Subject {
  entry: Entry;
  strength: number;
  mention: Mention;
}

/** The records of the given datasets that the question names, particular names before general terms. */
export function findSubjects(question: Question, datasets: readonly string[]): Subject[] {
  const subjects: Subject[] = [];
  for (const mention of question.mentions) {
    const link = mention.links.find((candidate) => datasets.includes(candidate.entry.dataset));
    if (link !== undefined && !subjects.some((subject) => subject.entry === link.entry)) {
      const sharing = mention.links.filter((other) => other.entry.dataset === link.entry.dataset).length;
      subjects.push({ entry: link.entry, strength: sharing > 1 ? link.strength * 0.85 : link.strength, mention });
    }
  }
  const particular = subjects.filter((subject) => !subject.mention.isGeneral);
  return particular.length > 0 ? particular : subjects;
}

/** Adds the tokens of the mentions to those explained already. */
export function explain(explained: Iterable<number>, mentions: readonly { from: number; to: number }[]): Set<number> {
  const all = new Set(explained);
  for (const { from, to } of mentions) {
    for (let position = from; position < to; position++) {
      all.add(position);
    }
  }
  return all;
}

/** How one dataset answers an attribute question: from which fields, and in what words. */
export interface Reading {
  /** The first field decides: when it is unconfirmed, so is the answer. The others are told when they are there. */
  fields: readonly [string, ...string[]];
  /** Builds the sentence from the values of the fields, in their order; an unconfirmed one is undefined. */
  say(name: string, values: unknown[], entry: Entry, index: AlmanacIndex): string;
  /**
   * For a property that is there or not: whether it is, or null if only in part. A yes/no question about it, or about its
   * opposite, is then answered with a yes or no before the sentence.
   */
  holds?(values: unknown[]): boolean | null;
  /** Facts of other records that the sentence states besides. */
  cite?(entry: Entry, index: AlmanacIndex): Fact[];
}

export interface AttributeDefinition {
  id: string;
  patterns: readonly RegExp[];
  /** The question is of this kind only when all of these match too. */
  requires?: readonly RegExp[];
  /** The question is of another kind when this matches. */
  unless?: RegExp;
  certainty?: number;
  /** Only for names that carry a version or are one: "A2A 1.0.1", "RFC 9309". */
  isOfVersion?: boolean;
  /** What is asked for, as in "does not confirm ${what} GPTBot". */
  what: string;
  readings: Readonly<Record<string, Reading>>;
}

const MAX_SUBJECTS = 5;

/** An intent that states one property of the records a question names. */
export function defineAttribute(definition: AttributeDefinition): Intent {
  const datasets = Object.keys(definition.readings);
  return {
    id: definition.id,
    read(question, index) {
      const matched = matchPatterns(question, definition.patterns);
      const isAsked = definition.requires?.every((pattern) => matchesWords(pattern, question.plain)) ?? true;
      const { unless } = definition;
      if (matched === null || !isAsked || (unless !== undefined && matchesWords(unless, question.plain))) {
        return null;
      }
      const subjects = findSubjects(question, datasets)
        .filter(({ mention }) => !definition.isOfVersion || mention.version !== null)
        .slice(0, MAX_SUBJECTS);
      if (subjects.length === 0) {
        return null;
      }
      return readAttribute(definition, question, subjects, matched, index);
    },
  };
}

function readAttribute(
  definition: AttributeDefinition,
  question: Question,
  subjects: Subject[],
  matched: ReadonlySet<number>,
  index: AlmanacIndex,
): Draft {
  const sentences: string[] = [];
  const facts: Fact[] = [];
  const notes: string[] = [];
  const unconfirmed: Entry[] = [];
  const hasVerdict = subjects.some(({ entry }) => definition.readings[entry.dataset]?.holds !== undefined);
  const explained = explain(
    hasVerdict ? [...matched, ...(matchPatterns(question, negations) ?? [])] : matched,
    question.mentions.filter(({ links }) => subjects.some(({ entry }) => links.some((link) => link.entry === entry))),
  );
  // A word that is not understood may turn the question around: then the fact alone is told.
  const isRead = question.tokens.every(
    ({ word }, position) => explained.has(position) || stopWords.has(word) || neutralWords.has(word),
  );
  for (const { entry, mention } of subjects) {
    const reading = definition.readings[entry.dataset];
    const read = reading?.fields.map((field) => readFact(entry, field)) ?? [];
    if (reading === undefined || read[0] === null) {
      unconfirmed.push(entry);
      const note = readNote(entry, reading?.fields[0] ?? '');
      notes.push(...(note === null ? [] : [`The record notes: ${note}`]));
      continue;
    }
    const values = read.map((fact) => fact?.value);
    const verdict = isRead ? toVerdict(question, reading.holds?.(values) ?? null) : '';
    sentences.push(`${verdict}${reading.say(entry.title, values, entry, index)}`);
    facts.push(...read.filter((fact) => fact !== null), ...(reading.cite?.(entry, index) ?? []));
    notes.push(...toSharedNameNote(mention, entry));
  }
  if (unconfirmed.length > 0) {
    const names = unconfirmed.map((entry) => entry.title).join(', ');
    sentences.push(`The almanac does not confirm ${definition.what} ${names}.`);
  }
  return {
    intent: definition.id,
    certainty: definition.certainty ?? 0.95,
    isSpecific: true,
    strength: Math.min(...subjects.map((subject) => subject.strength)),
    explained,
    text: sentences.join(' '),
    facts,
    notes,
    unconfirmed,
  };
}

/** A name that several records share is said to be shared, so that the reader can see which one was meant. */
export function toSharedNameNote(mention: Mention, entry: Entry): string[] {
  const others = mention.links.filter((link) => link.entry.dataset === entry.dataset && link.entry !== entry);
  const names = others.map((link) => String(link.entry.record.full_name ?? link.entry.title));
  return others.length === 0 ? [] : [`"${mention.text}" is also used for ${names.join(', ')}.`];
}
