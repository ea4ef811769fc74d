import { type AskedWords, createKept, type FactMatch, type KeptMatches, toFacts } from './kept.ts';
import { emptyStems } from './lexicon.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import type { Form } from './postings.ts';
import { fromBytes, prepare, toBytes } from './prepared.ts';
import type { Records } from './records.ts';
import { createWeigh, type SectionWords } from './section-words.ts';
import type { Section, SitePage } from './sections.ts';

/** A section with what speaks for it, each as a share of the weight of the question's words. */
export interface SectionMatch {
  section: Section;
  /** By the words of the page, wherever they are on it. */
  ofPage: number;
  /** By the words of the section that the page doesn't share among its sections. */
  within: number;
  /** By the words of all questions that are kept with it. */
  asked: number;
  /** 0 to 1: by all kept questions that the question is near to. */
  votes: number;
  /** -1 to 1: how near what its questions mean is to the question, and how much nearer than the nearest of all, 0 or less. */
  meaning: number;
  behind: number;
  /** What the question means. */
  asks: Meaning;
  /** What is kept with it that the question is near to, the nearest first. */
  near: FactMatch[];
}

export interface SectionIndex {
  /**
   * The sections that have most of the words, each with its weight, best first, and the nearest guides. Kept questions that
   * are nearer than `nearest` (0 to 1) don't count: training asks so how a question fares that nobody has written down.
   */
  search(words: AskedWords, nearest?: number): FoundSections;
  /** Whether one of the sections has a stem, or the title of their page; they follow one another. */
  has(stem: string, sections: readonly Section[]): boolean;
  /** 0 to 1: how much a stem says; 1 when no section has it. */
  weigh(stem: string): number;
  /** All words of the texts, lower-case: what is spelt like this is no typo. */
  words(): ReadonlySet<string>;
  /** Those of the questions that are kept with them. */
  wordsOfAsks(): ReadonlySet<string>;
  /** What reading the texts came to, for the next to take. */
  toBytes(): Buffer;
}

/** What was found in sections of pages, in records, and among the guides. */
export interface FoundSections {
  sections: SectionMatch[];
  records: SectionMatch[];
  guides: FactMatch[];
}

/** How many sections of pages, and how many records, are found for one question by their words, and how many by what they mean. */
const MAX_SECTIONS = 4;
const MAX_MEANT = 2;
/** How much a word of the title tells about which section is meant. */
const OF_TITLE = 0.3;
/** How a section counts that nobody has written questions for. */
const UNWRITTEN = 0.6;
const WRITTEN_ASKS = 3;
const OF_PAGE = 1.4;
const NEAR = 2.5;
const MAX_GUIDES = 2;

/** For each place the most that one word says of it. */
interface MostOfWord {
  places: Uint32Array;
  shares: Float64Array;
}

/** Adds what a word says of each place to a sum. */
function pour({ places, shares }: MostOfWord, to: Float64Array, weight: number): void {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    to[place] = (to[place] as number) + weight * (shares[at] as number);
  }
}

/** Gathers the most that is said of each place. */
class Gathered {
  readonly #most: Float64Array;
  readonly #places: Uint32Array;
  #count = 0;

  constructor(size: number) {
    this.#most = new Float64Array(size);
    this.#places = new Uint32Array(size);
  }

  raise(place: number, share: number): void {
    const known = this.#most[place] as number;
    if (known === 0) {
      this.#places[this.#count++] = place;
    }
    this.#most[place] = Math.max(known, share);
  }

  /** What was gathered, in the order in which it was found; begins anew. */
  take(): MostOfWord {
    const places = this.#places.slice(0, this.#count);
    const shares = new Float64Array(places.length);
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      shares[at] = this.#most[place] as number;
      this.#most[place] = 0;
    }
    this.#count = 0;
    return { places, shares };
  }
}

/** What one word says of sections by their texts, and by the questions that are kept with them, and of pages by both. */
interface SaidOfWord {
  within: MostOfWord;
  asked: MostOfWord;
  ofPage: MostOfWord;
}

const sizeOf = ({ within, asked, ofPage }: SaidOfWord): number =>
  within.places.length + asked.places.length + ofPage.places.length;

/** How many places are kept of the words that were asked last. Words with few are soon read again, and lists take room themselves. */
const MAX_KEPT_PLACES = 80_000;
const LEAST_KEPT_PLACES = 200;

/** What words say, which is the same in all questions: that of those that were asked last is kept. */
class SaidOfWords {
  readonly #sections: readonly Section[];
  readonly #words: SectionWords;
  readonly #pageOf: Uint32Array;
  readonly #said: Gathered;
  readonly #ofPage: Gathered;
  readonly #kept = new Map<string, SaidOfWord>();
  #size = 0;

  constructor(sections: readonly Section[], words: SectionWords, pages: number) {
    this.#sections = sections;
    this.#words = words;
    this.#pageOf = Uint32Array.from(sections, ({ onPage }) => onPage.place);
    this.#said = new Gathered(sections.length);
    this.#ofPage = new Gathered(pages);
  }

  /** Where near questions don't count, those that do are others for each question. */
  of(stem: string, matches: KeptMatches, nearest: number): SaidOfWord {
    const known = nearest === 1 ? this.#kept.get(stem) : undefined;
    const said = known ?? this.#read(stem, matches);
    if (nearest === 1 && sizeOf(said) >= LEAST_KEPT_PLACES) {
      this.#keep(stem, said, known === undefined);
    }
    return said;
  }

  #keep(stem: string, said: SaidOfWord, isNew: boolean): void {
    this.#size += isNew ? sizeOf(said) : 0;
    this.#kept.delete(stem);
    this.#kept.set(stem, said);
    for (const [oldest, one] of this.#kept) {
      if (this.#size <= MAX_KEPT_PLACES) {
        break;
      }
      this.#kept.delete(oldest);
      this.#size -= sizeOf(one);
    }
  }

  #read(stem: string, { eachSpeaking }: KeptMatches): SaidOfWord {
    const { held, shares } = this.#words.postings;
    const raise = (place: number, share: number): void => {
      this.#said.raise(place, share);
      this.#ofPage.raise(this.#pageOf[place] as number, share);
    };
    const [word, ...others] = this.#words.postings.formsOf(stem);
    for (const { form, worth, from, to } of [word, ...others]) {
      for (let at = from; at < to && !emptyStems.has(form); at++) {
        raise(held[at] as number, (shares[at] as number) * worth);
      }
    }
    const within = this.#said.take();
    let told = { page: -1, share: 0 };
    for (let at = 0; at < within.places.length; at++) {
      const { onPage } = this.#sections[within.places[at] as number] as Section;
      told = onPage.place === told.page ? told : { page: onPage.place, share: this.#tell(onPage, word) };
      within.shares[at] = (within.shares[at] as number) * told.share;
    }
    eachSpeaking(stem, raise);
    return { within, asked: this.#said.take(), ofPage: this.#ofPage.take() };
  }

  /** 0 to 1: how much a word tells about which section of its page is meant. */
  #tell({ sections: own, title, place }: SitePage, word: Form): number {
    const share = title.has(word.form) ? OF_TITLE : 1;
    if (own.length === 1) {
      return share;
    }
    const having =
      this.#words.titled[place]?.get(word.form) ?? this.#words.postings.count(word, own[0]?.place, own.at(-1)?.place);
    return (Math.log(own.length / Math.max(1, having)) / Math.log(own.length)) * share;
  }
}

/** The first of a list by their scores, the best first. */
function bestOf(all: readonly Section[], scores: Float64Array | Float32Array, most: number): Section[] {
  const best: Section[] = [];
  const scoreOf = (section: Section | undefined): number => (section === undefined ? 0 : (scores[section.place] ?? 0));
  let least = 0;
  for (const section of all) {
    const score = scores[section.place] ?? 0;
    if (best.length < most || score > least) {
      const at = best.findIndex((other) => score > scoreOf(other));
      best.splice(at === -1 ? best.length : at, 0, section);
      best.length = Math.min(best.length, most);
      least = scoreOf(best.at(-1));
    }
  }
  return best;
}

/** Indexes sections; `taken` is what `toBytes` of an index of the same sections gave, which saves reading them. */
export function createSectionIndex(sections: readonly Section[], records: Records, taken?: Buffer): SectionIndex {
  const facts = toFacts(sections, records);
  const prepared = (taken && fromBytes(taken, sections, facts)) ?? prepare(sections, facts);
  const { postings } = prepared.words;
  const { meanings } = prepared;
  const weigh = createWeigh(prepared.words, sections.length);
  const kept = createKept(facts, sections.length, weigh, prepared.asks);
  const pages = Math.max(0, ...sections.map(({ onPage }) => onPage.place + 1));
  const written = new Set(sections.filter((section) => section.facts.some(({ asks }) => asks.length >= WRITTEN_ASKS)));

  const { ofSite: allOfSite = [], ofRecords: allRecords = [] } = Object.groupBy(sections, ({ entry }) =>
    entry === null ? 'ofSite' : 'ofRecords',
  );

  /** A refusal looks for what is near once more. */
  const searched = new WeakMap<AskedWords, FoundSections>();

  const said = new SaidOfWords(sections, prepared.words, pages);
  const has = (stem: string, of: readonly Section[]): boolean =>
    postings.count(stem, of[0]?.place, of.at(-1)?.place) > 0;

  function search(words: AskedWords, nearest: number): FoundSections {
    const matches = kept.search(words.all, nearest);
    const { near, nearestOf, votesFor } = matches;
    const within = new Float64Array(sections.length);
    const asked = new Float64Array(sections.length);
    const ofPage = new Float64Array(pages);
    const isTouched = new Uint8Array(sections.length);
    const touched: Section[] = [];
    const touch = ({ places }: MostOfWord): void => {
      for (const place of places) {
        if (isTouched[place] === 0) {
          isTouched[place] = 1;
          touched.push(sections[place] as Section);
        }
      }
    };
    let whole = 0.01;
    for (const [stem, weight] of words.content) {
      whole += weight;
      const ofWord = said.of(stem, matches, nearest);
      touch(ofWord.within);
      touch(ofWord.asked);
      pour(ofWord.within, within, weight);
      pour(ofWord.asked, asked, weight);
      pour(ofWord.ofPage, ofPage, weight);
    }
    const scores = new Float64Array(sections.length);
    for (const section of touched) {
      const { place, onPage } = section;
      const ofWords = OF_PAGE * (ofPage[onPage.place] ?? 0) + (within[place] ?? 0) + (asked[place] ?? 0);
      scores[place] = (ofWords / whole + NEAR * nearestOf(section)) * (written.has(section) ? 1 : UNWRITTEN);
    }
    const asks = meaningOf(words.all.keys());
    const meant = meanings.compare(asks);
    let nearestMeant = 0;
    for (const one of meant) {
      nearestMeant = Math.max(nearestMeant, one);
    }
    const toMatch = (section: Section): SectionMatch => ({
      section,
      ofPage: (ofPage[section.onPage.place] ?? 0) / whole,
      within: (within[section.place] ?? 0) / whole,
      asked: (asked[section.place] ?? 0) / whole,
      votes: votesFor(section),
      meaning: meant[section.place] ?? 0,
      behind: (meant[section.place] ?? 0) - nearestMeant,
      asks,
      near: near(section),
    });
    const { ofSite = [], ofRecords = [] } = Object.groupBy(touched, ({ entry }) =>
      entry === null ? 'ofSite' : 'ofRecords',
    );
    const find = (of: readonly Section[], all: readonly Section[]): SectionMatch[] =>
      [...new Set([...bestOf(of, scores, MAX_SECTIONS), ...bestOf(all, meant, MAX_MEANT)])].map(toMatch);
    return {
      sections: find(ofSite, allOfSite),
      records: find(ofRecords, allRecords),
      guides: near(null).slice(0, MAX_GUIDES),
    };
  }

  return {
    weigh,
    has,
    words: prepared.spelt,
    wordsOfAsks: prepared.speltInAsks,
    toBytes: () => toBytes(prepared, sections, facts),
    search(words, nearest = 1) {
      const known = nearest === 1 ? searched.get(words) : undefined;
      const found = known ?? search(words, nearest);
      if (nearest === 1) {
        searched.set(words, found);
      }
      return found;
    },
  };
}
