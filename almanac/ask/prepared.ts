import { deserialize, serialize } from 'node:v8';
import { type AskWords, type KeptFact, readAsks } from './kept.ts';
import { lazily } from './lazily.ts';
import { Meanings } from './meaning.ts';
import { Postings, type PostingsData } from './postings.ts';
import { createWeigh, readSectionWords, type SectionWords } from './section-words.ts';
import type { Section } from './sections.ts';

/** What reading all texts comes to. */
export interface Prepared {
  words: SectionWords;
  asks: AskWords;
  meanings: Meanings;
  /** All words of the texts, lower-case: what is spelt like this is no typo. */
  spelt(): ReadonlySet<string>;
  /** Those of the kept questions that have three letters. */
  speltInAsks(): ReadonlySet<string>;
}

/** The same as it's written down. */
interface PreparedData {
  /** Of what it was read: see `nameTexts`. */
  of: string;
  words: Omit<SectionWords, 'postings'> & { postings: PostingsData };
  asks: Omit<AskWords, 'postings'> & { postings: PostingsData };
  meanings: Float32Array;
  /** Words with spaces between them. */
  spelt: string;
  speltInAsks: string;
}

const toSet = (texts: readonly string[], word: RegExp): Set<string> =>
  new Set(texts.join(' ').toLowerCase().match(word));

function spellTexts(sections: readonly Section[]): Set<string> {
  const texts = sections.flatMap(({ heading, parts }) => [
    heading,
    ...parts.flatMap(({ text, isCode }) => (isCode ? [] : text)),
  ]);
  return toSet(texts, /\p{L}+/gu);
}

const spellAsks = (facts: readonly KeptFact[]): Set<string> =>
  toSet(
    facts.flatMap(({ asks }) => asks),
    /\p{L}{3,}/gu,
  );

/** Reads all texts and the questions that are kept with them. */
export function prepare(sections: readonly Section[], facts: readonly KeptFact[]): Prepared {
  const words = readSectionWords(sections);
  const meanings = new Meanings(sections.length);
  for (const { place, ofHeading, onPage } of sections) {
    meanings.add(place, ofHeading.union(onPage.title));
  }
  const asks = readAsks(facts, createWeigh(words, sections.length), meanings);
  meanings.pack();
  return {
    ...{ words, asks, meanings },
    spelt: lazily(() => spellTexts(sections)),
    speltInAsks: lazily(() => spellAsks(facts)),
  };
}

/** Tells texts from others that have been read: what they're called, and how many questions are kept with each. */
const nameTexts = (sections: readonly Section[], facts: readonly KeptFact[]): string =>
  [...sections.map(({ heading }) => heading), ...facts.map(({ asks }) => asks.length)].join('\n');

/** Writes down what was read. */
export function toBytes(
  { words, asks, meanings, spelt, speltInAsks }: Prepared,
  sections: readonly Section[],
  facts: readonly KeptFact[],
): Buffer {
  const data: PreparedData = {
    of: nameTexts(sections, facts),
    words: { ...words, postings: words.postings.toData() },
    asks: { ...asks, postings: asks.postings.toData() },
    meanings: meanings.toData(),
    spelt: [...spelt()].join(' '),
    speltInAsks: [...speltInAsks()].join(' '),
  };
  return serialize(data);
}

/** Takes what was written down; null where that is of other texts. Throws an Error for bytes that nobody wrote here. */
export function fromBytes(bytes: Buffer, sections: readonly Section[], facts: readonly KeptFact[]): Prepared | null {
  const { of, words, asks, meanings, spelt, speltInAsks } = deserialize(bytes) as PreparedData;
  return of === nameTexts(sections, facts)
    ? {
        words: { ...words, postings: new Postings(words.postings) },
        asks: { ...asks, postings: new Postings(asks.postings) },
        meanings: new Meanings(meanings),
        spelt: lazily(() => new Set(spelt.split(' '))),
        speltInAsks: lazily(() => new Set(speltInAsks.split(' '))),
      }
    : null;
}
