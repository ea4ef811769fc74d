import guideDocument from './data/guides.json' with { type: 'json' };
import type { Entry } from './entries.ts';
import { lazily } from './lazily.ts';
import { emptyStems, stemOf, stemsOf, wordsOf } from './lexicon.ts';
import { type Meaning, type Meanings, meaningOf, meanOf } from './meaning.ts';
import { type Form, Postings } from './postings.ts';
import type { Records } from './records.ts';
import type { Section } from './sections.ts';

/** What is answered as it is kept: parts of a section, or fields of several records (a guide). */
export interface KeptFact {
  section: Section | null;
  /** Indexes of parts in the order in which they are said. */
  parts: readonly number[];
  refs: { entry: Entry; field: string }[];
  /** The questions that ask for it. There are tens of thousands: their stems are read of those that a question comes near to. */
  asks: readonly string[];
  /** Index of the sentence of the first part that answers them. */
  sentence: number;
  stems: () => readonly (readonly string[])[];
  /** What they mean together. */
  meaning: () => Meaning;
}

/** A fact with the question of its own that is nearest to the one that was asked. */
export interface FactMatch {
  fact: KeptFact;
  ask: readonly string[];
  /** Shares of weight that both questions have in common: of the asked one, of the kept one. */
  ofQuestion: number;
  ofAsk: number;
  /** 0 to 1: the harmonic mean of both shares. */
  nearness: number;
}

/** The words of a question: content words with their weights, and all words as kept questions are compared with. */
export interface AskedWords {
  content: ReadonlyMap<string, number>;
  all: ReadonlyMap<string, number>;
}

/** What is answered by several records. */
const guideList = guideDocument as { ask: string[]; records: string[] }[];

/** Small words that tell one kept question from another, with their weights: "how much" from "how long", "my" from "your". */
const telling = new Map<string, number>([
  ...['who', 'when', 'where', 'why', 'how', 'much', 'many', 'long', 'often', 'whose', 'which', 'free', 'cost'].map(
    (word): [string, number] => [stemOf(word), 0.3],
  ),
  ...['my', 'your', 'you', 'here', 'can', 'should', 'must', 'may', 'need', 'not', 'without', 'instead'].map(
    (word): [string, number] => [stemOf(word), 0.15],
  ),
]);
const EMPTY_WORD = 0.03;
/** What a word of conversation counts at least when sections are looked for. */
const RARE = 0.5;
/** How many questions of a section of ordinary size have to have a word for it to count half. */
const HALF = 0.6;

interface AskedWord {
  stem: string;
  weight: number;
  rarity: number;
}

const wordsAsked = new WeakMap<readonly AskedWord[], AskedWords>();

/** The words of a question as sections are looked for, each with its weight; the same for the same words. */
export function toAskedWords(words: readonly AskedWord[]): AskedWords {
  const known = wordsAsked.get(words);
  if (known !== undefined) {
    return known;
  }
  const content = new Map<string, number>();
  const all = new Map<string, number>();
  for (const { stem, weight, rarity } of words) {
    const most = Math.max(all.get(stem) ?? 0, weight, RARE * rarity, telling.get(stem) ?? EMPTY_WORD);
    all.set(stem, most);
    if (weight > 0) {
      content.set(stem, most);
    }
  }
  const asked = { content, all };
  wordsAsked.set(words, asked);
  return asked;
}

/** The stems of a question, each once. */
const stemsOfAsk = (ask: string): string[] => [...new Set(stemsOf(ask))];

/** What a fact says. */
type SaidOfFact = Pick<KeptFact, 'parts' | 'sentence'>;

/** `read` is called when the fact is first looked at: what a record says takes time to read. */
export function toFact(
  fact: Pick<KeptFact, 'section' | 'refs' | 'asks'>,
  read: () => SaidOfFact = () => ({ parts: [], sentence: 0 }),
): KeptFact {
  const said = lazily(read);
  const stems = lazily(() => fact.asks.map(stemsOfAsk));
  return {
    ...fact,
    stems,
    meaning: lazily(() => meanOf(stems().map(meaningOf))),
    get parts() {
      return said().parts;
    },
    get sentence() {
      return said().sentence;
    },
  };
}

function toGuides(records: Records): KeptFact[] {
  return guideList.flatMap(({ ask, records: paths }) => {
    const refs = paths.flatMap((path) => {
      const [, dataset = '', id = '', field = ''] = /^([\w-]+)\/(.+)\.(\w+)$/.exec(path) ?? [];
      const entry = records.get(dataset, id);
      return entry === undefined ? [] : [{ entry, field }];
    });
    return refs.length === 0 ? [] : [toFact({ section: null, refs, asks: ask })];
  });
}

/** The kept questions that share words with the asked one, until the next is asked. */
export interface KeptMatches {
  /** What is kept with a section (null: guides), each by its nearest question, the nearest first. */
  near(section: Section | null): FactMatch[];
  /** How near the nearest question is that is kept with a section. */
  nearestOf(section: Section): number;
  /** 0 to 1: how much of what near questions say together is said by those of a section. */
  votesFor(section: Section): number;
  /** Tells the place of each section whose questions speak of a word, and how much. */
  eachSpeaking(stem: string, tell: (place: number, share: number) => void): void;
}

export interface KeptIndex {
  /** Kept questions that are nearer than `nearest` (0 to 1) don't count. */
  search(words: ReadonlyMap<string, number>, nearest: number): KeptMatches;
}

/** The words of all kept questions, each question by its number, and what the words of each weigh together. */
export interface AskWords {
  postings: Postings;
  weights: Float64Array;
}

/** A word of kept questions: its stem, its number, what it weighs, and the last question that has it. */
interface KnownWord {
  stem: string;
  number: number;
  weight: number;
  last: number;
}

/** What words of kept questions weigh, which small words do a little. */
const createWeighAsked =
  (weigh: (stem: string) => number) =>
  (stem: string): number =>
    telling.get(stem) ?? (emptyStems.has(stem) ? EMPTY_WORD : weigh(stem));

/** All that questions are kept with, in the order of their numbers: sections, then guides. */
export const toFacts = (sections: readonly Section[], records: Records): KeptFact[] => [
  ...sections.flatMap(({ facts }) => facts),
  ...toGuides(records),
];

/** Reads the words of all kept questions, and adds what each of them means to its section. */
export function readAsks(facts: readonly KeptFact[], weigh: (stem: string) => number, meanings: Meanings): AskWords {
  const weighAsked = createWeighAsked(weigh);
  const postings = new Postings();
  const weights: number[] = [];
  // By words that tell nothing nobody is found.
  const known = new Map<string, KnownWord>();
  const readWord = (word: string): KnownWord => {
    const stem = stemOf(word);
    const number = telling.has(stem) || !emptyStems.has(stem) ? postings.numberOf(stem) : -1;
    const read = { stem, number, weight: weighAsked(stem), last: -1 };
    known.set(word, read);
    return read;
  };
  for (const { section, asks } of facts) {
    for (const ask of asks) {
      const number = weights.length;
      const stems: string[] = [];
      let whole = 0;
      for (const text of wordsOf(ask)) {
        const word = known.get(text) ?? readWord(text);
        if (word.last !== number) {
          word.last = number;
          whole += word.weight;
          stems.push(word.stem);
          if (word.number >= 0) {
            postings.addNumber(word.number, number);
          }
        }
      }
      weights.push(whole);
      if (section !== null) {
        meanings.add(section.place, stems);
      }
    }
  }
  postings.pack();
  // How often a question has a word tells nothing.
  postings.shares = new Float64Array();
  return { postings, weights: Float64Array.from(weights) };
}

/** How near each kept question is to the one that was asked last, and each section by its questions. */
class Nearness {
  readonly #read: AskWords;
  /** The place of the section that each is kept with; -1: a guide. */
  readonly #sectionOf: Int32Array;
  readonly #weighAsked: (stem: string) => number;
  /** Of each kept question what it has in common with the asked one, how near it is, and the last word that it has. */
  readonly ofQuestion: Float64Array;
  readonly ofAsk: Float64Array;
  readonly nearness: Float64Array;
  readonly #lastWord: Uint8Array;
  readonly #touched: Uint32Array;
  #count = 0;
  /** Of each section its nearest question, and what its near ones say together. */
  readonly nearestOf: Float64Array;
  readonly votes: Float64Array;
  allVotes = 0;

  constructor(read: AskWords, sectionOf: Int32Array, weighAsked: (stem: string) => number, sections: number) {
    const size = sectionOf.length;
    this.#read = read;
    this.#sectionOf = sectionOf;
    this.#weighAsked = weighAsked;
    this.ofQuestion = new Float64Array(size);
    this.ofAsk = new Float64Array(size);
    this.nearness = new Float64Array(size);
    this.#lastWord = new Uint8Array(size);
    this.#touched = new Uint32Array(size);
    this.nearestOf = new Float64Array(sections);
    this.votes = new Float64Array(sections);
  }

  /** Compares all kept questions with the words of one, each with its weight; those nearer than `nearest` don't count. */
  compare(words: ReadonlyMap<string, number>, nearest: number): void {
    this.#forget();
    const { weights } = this.#read;
    const { ofQuestion, ofAsk, nearness, nearestOf, votes } = this;
    const sectionOf = this.#sectionOf;
    const touched = this.#touched;
    const total = this.#add(words);
    let allVotes = 0.01;
    for (let at = 0; at < this.#count; at++) {
      const place = touched[at] as number;
      const question = (ofQuestion[place] as number) / total;
      const ask = Math.min(1, (ofAsk[place] as number) / (weights[place] as number));
      const near = (2 * question * ask) / (question + ask);
      ofQuestion[place] = question;
      ofAsk[place] = ask;
      nearness[place] = near;
      const own = sectionOf[place] as number;
      if (own >= 0 && near <= nearest) {
        nearestOf[own] = Math.max(nearestOf[own] as number, near);
        // A nearer question says much more than one that is less near: to the sixth power.
        const cube = near * near * near;
        const vote = cube * cube;
        votes[own] = (votes[own] as number) + vote;
        allVotes += vote;
      }
    }
    this.allVotes = allVotes;
  }

  #forget(): void {
    this.nearness.fill(0);
    this.#lastWord.fill(0);
    this.#count = 0;
    this.nearestOf.fill(0);
    this.votes.fill(0);
  }

  /** Adds up what the kept questions have in common with these words, and says what the words weigh. */
  #add(words: ReadonlyMap<string, number>): number {
    const { postings } = this.#read;
    const { held } = postings;
    const { ofQuestion, ofAsk } = this;
    const lastWord = this.#lastWord;
    const touched = this.#touched;
    let count = 0;
    let total = 0.01;
    let word = 0;
    let isEnough = false;
    // Small words tell apart what other words have found; they find something themselves where no other does.
    const inOrder = [...words].sort(([one], [other]) => Number(telling.has(one)) - Number(telling.has(other)));
    for (const [stem, weight] of inOrder) {
      isEnough ||= telling.has(stem) && count > 0;
      total += weight;
      word++;
      // The word itself comes first, and of those that mean the same one is enough.
      for (const { form, worth, from, to } of postings.formsOf(stem)) {
        const ofForm = from < to ? this.#weighAsked(form) * worth : 0;
        for (let at = from; at < to; at++) {
          const place = held[at] as number;
          const last = lastWord[place] as number;
          if (last !== word && !(isEnough && last === 0)) {
            if (last === 0) {
              touched[count++] = place;
              ofQuestion[place] = ofAsk[place] = 0;
            }
            lastWord[place] = word;
            ofQuestion[place] = (ofQuestion[place] as number) + weight * worth;
            ofAsk[place] = (ofAsk[place] as number) + ofForm;
          }
        }
      }
    }
    this.#count = count;
    return total;
  }
}

/** Indexes the questions that are kept with sections and guides, by their words. */
export function createKept(
  facts: readonly KeptFact[],
  sections: number,
  weigh: (stem: string) => number,
  asked: AskWords,
): KeptIndex {
  const guides = facts.filter(({ section }) => section === null);
  const firstOf = new Map<KeptFact, number>();
  const sectionOf = new Int32Array(asked.weights.length).fill(-1);
  const counts = new Uint32Array(sections);
  let number = 0;
  for (const fact of facts) {
    firstOf.set(fact, number);
    const next = number + fact.asks.length;
    if (fact.section !== null) {
      sectionOf.fill(fact.section.place, number, next);
      counts[fact.section.place] = (counts[fact.section.place] as number) + fact.asks.length;
    }
    number = next;
  }
  const { postings } = asked;
  const { held } = postings;
  const near = new Nearness(asked, sectionOf, createWeighAsked(weigh), sections);
  const { nearness, ofQuestion, ofAsk, nearestOf, votes } = near;

  /** A fact by its nearest question. */
  function toMatches(fact: KeptFact, nearest: number): FactMatch[] {
    const first = firstOf.get(fact) ?? 0;
    const last = first + fact.asks.length;
    let best = -1;
    let most = 0;
    for (let place = first; place < last; place++) {
      const own = nearness[place] as number;
      if (own > most && own <= nearest) {
        most = own;
        best = place;
      }
    }
    const ask = best === -1 ? undefined : fact.stems()[best - first];
    return ask === undefined
      ? []
      : [{ fact, ask, nearness: most, ofQuestion: ofQuestion[best] ?? 0, ofAsk: ofAsk[best] ?? 0 }];
  }

  const average = number / Math.max(1, counts.filter((count) => count > 0).length);
  // By section: the more questions it has, the less one of them tells.
  const spreads = Float64Array.from(counts, (count) => HALF * (0.5 + 0.5 * (count / average)));

  /** The questions of a section follow one another: those that have a word are counted together. */
  function tellSpeaking(
    { worth, from, to }: Form,
    nearest: number,
    tell: (place: number, share: number) => void,
  ): void {
    let count = 0;
    for (let at = from; at < to; at++) {
      const place = held[at] as number;
      const own = sectionOf[place] as number;
      count += (nearness[place] as number) <= nearest ? 1 : 0;
      if (at + 1 === to || own !== sectionOf[held[at + 1] as number]) {
        if (own >= 0 && count > 0) {
          tell(own, (worth * count) / (count + (spreads[own] as number)));
        }
        count = 0;
      }
    }
  }

  return {
    search(words, nearest) {
      near.compare(words, nearest);
      return {
        near: (section) =>
          (section === null ? guides : section.facts)
            .flatMap((fact) => toMatches(fact, nearest))
            .sort((a, b) => b.nearness - a.nearness),
        nearestOf: ({ place }) => nearestOf[place] ?? 0,
        votesFor: ({ place }) => (votes[place] ?? 0) / near.allVotes,
        eachSpeaking: (stem, tell) => {
          for (const form of postings.formsOf(stem)) {
            tellSpeaking(form, nearest, tell);
          }
        },
      };
    },
  };
}
