import { type AskedWords, createKept, type FactMatch, toFacts } from './kept.ts';
import { emptyStems } from './lexicon.ts';
import { type Meaning, meaningOf } from './meaning.ts';
import type { Form } from './postings.ts';
import { fromBytes, prepare, toBytes } from './prepared.ts';
import type { Records } from './records.ts';
import { createWeigh } from './section-words.ts';
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

/** For each place the most that one word says of it; forgotten with each word. */
class MostOfWord {
  readonly #most: Float64Array;
  readonly #places: number[] = [];

  constructor(size: number) {
    this.#most = new Float64Array(size);
  }

  keep(place: number, share: number): void {
    const known = this.#most[place] as number;
    if (known === 0) {
      this.#places.push(place);
    }
    this.#most[place] = Math.max(known, share);
  }

  /** Adds what each has to a sum, and begins anew. */
  pour(to: Float64Array, weight: number, tell: (place: number) => number = () => 1): void {
    for (const place of this.#places) {
      to[place] = (to[place] as number) + weight * (this.#most[place] as number) * tell(place);
      this.#most[place] = 0;
    }
    this.#places.length = 0;
  }
}

/** The first of a list by their scores, the best first. */
function bestOf(all: readonly Section[], scores: Float64Array | Float32Array, most: number): Section[] {
  const best: Section[] = [];
  const scoreOf = (section: Section | undefined): number => (section === undefined ? 0 : (scores[section.place] ?? 0));
  for (const section of all) {
    if (best.length < most || scoreOf(section) > scoreOf(best.at(-1))) {
      const at = best.findIndex((other) => scoreOf(section) > scoreOf(other));
      best.splice(at === -1 ? best.length : at, 0, section);
      best.length = Math.min(best.length, most);
    }
  }
  return best;
}

/** Indexes sections; `taken` is what `toBytes` of an index of the same sections gave, which saves reading them. */
export function createSectionIndex(sections: readonly Section[], records: Records, taken?: Buffer): SectionIndex {
  const facts = toFacts(sections, records);
  const prepared = (taken && fromBytes(taken, sections, facts)) ?? prepare(sections, facts);
  const { postings, titled } = prepared.words;
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

  const said = new MostOfWord(sections.length);
  const best = new MostOfWord(pages);
  const spoken = new MostOfWord(sections.length);
  const pageOf = Uint32Array.from(sections, ({ onPage }) => onPage.place);
  const has = (stem: string, of: readonly Section[]): boolean =>
    postings.count(stem, of[0]?.place, of.at(-1)?.place) > 0;

  /** 0 to 1: how much a word tells about which section of its page is meant. */
  function tell({ sections: own, title, place }: SitePage, word: Form): number {
    const share = title.has(word.form) ? OF_TITLE : 1;
    if (own.length === 1) {
      return share;
    }
    const having = titled[place]?.get(word.form) ?? postings.count(word, own[0]?.place, own.at(-1)?.place);
    return (Math.log(own.length / Math.max(1, having)) / Math.log(own.length)) * share;
  }

  function search(words: AskedWords, nearest: number): FoundSections {
    const { near, nearestOf, votesFor, eachSpeaking } = kept.search(words.all, nearest);
    const within = new Float64Array(sections.length);
    const asked = new Float64Array(sections.length);
    const ofPage = new Float64Array(pages);
    const isTouched = new Uint8Array(sections.length);
    const touched: Section[] = [];
    const touch = (place: number, by: MostOfWord, share: number): void => {
      if (isTouched[place] === 0) {
        isTouched[place] = 1;
        touched.push(sections[place] as Section);
      }
      by.keep(place, share);
      best.keep(pageOf[place] as number, share);
    };
    let whole = 0.01;
    for (const [stem, weight] of words.content) {
      whole += weight;
      const [word, ...others] = postings.formsOf(stem);
      for (const { form, worth, from, to } of [word, ...others]) {
        for (let at = from; at < to && !emptyStems.has(form); at++) {
          touch(postings.held[at] as number, said, (postings.shares[at] as number) * worth);
        }
      }
      let told = { page: -1, share: 0 };
      said.pour(within, weight, (place) => {
        const page = pageOf[place] as number;
        told = page === told.page ? told : { page, share: tell((sections[place] as Section).onPage, word) };
        return told.share;
      });
      eachSpeaking(stem, (place, share) => touch(place, spoken, share));
      spoken.pour(asked, weight);
      best.pour(ofPage, weight);
    }
    const scores = new Float64Array(sections.length);
    for (const section of touched) {
      const { place, onPage } = section;
      const ofWords = OF_PAGE * (ofPage[onPage.place] ?? 0) + (within[place] ?? 0) + (asked[place] ?? 0);
      scores[place] = (ofWords / whole + NEAR * nearestOf(section)) * (written.has(section) ? 1 : UNWRITTEN);
    }
    const asks = meaningOf(words.all.keys());
    const meant = meanings.compare(asks);
    const nearestMeant = meant.reduce((a, b) => Math.max(a, b), 0);
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
