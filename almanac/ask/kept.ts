import guideDocument from './data/guides.json' with { type: 'json' };
import type { Entry } from './entries.ts';
import { emptyStems, stemOf, stemsOf } from './lexicon.ts';
import { Postings, type Spoken } from './postings.ts';
import type { Records } from './records.ts';
import type { Section } from './sections.ts';

/** What is answered as it is kept: parts of a section, or fields of several records (a guide). */
export interface KeptFact {
  section: Section | null;
  /** Indexes of parts in the order in which they are said. */
  parts: readonly number[];
  refs: { entry: Entry; field: string }[];
  /** The stems of each question that asks for it, each once: there are thousands, and lists take less room than sets. */
  asks: (readonly string[])[];
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

export const guideAsks: readonly string[] = guideList.flatMap(({ ask }) => ask);

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

export const toAsks = (asks: readonly string[]): string[][] => asks.map((ask) => [...new Set(stemsOf(ask))]);

function toGuides(records: Records): KeptFact[] {
  return guideList.flatMap(({ ask, records: paths }) => {
    const refs = paths.flatMap((path) => {
      const [, dataset = '', id = '', field = ''] = /^([\w-]+)\/(.+)\.(\w+)$/.exec(path) ?? [];
      const entry = records.get(dataset, id);
      return entry === undefined ? [] : [{ entry, field }];
    });
    return refs.length === 0 ? [] : [{ section: null, parts: [], refs, asks: toAsks(ask) }];
  });
}

/** A kept question with what it's kept with. */
interface Kept {
  /** Its place among all. */
  place: number;
  fact: KeptFact;
  ask: readonly string[];
  weight: number;
}

/** The kept questions that share words with the asked one. */
export interface KeptMatches {
  /** What is kept with a section (null: guides), each by its nearest question, the nearest first. */
  near(section: Section | null): FactMatch[];
  /** How near the nearest question is that is kept with a section. */
  nearestOf(section: Section): number;
  /** Tells each section whose questions speak of a word, and how much; a section more than once where several do. */
  eachSpeaking(stem: string, tell: (section: Section, share: number) => void): void;
}

export interface KeptIndex {
  /** Kept questions that are nearer than `nearest` (0 to 1) don't count. */
  search(words: ReadonlyMap<string, number>, nearest: number): KeptMatches;
}

export function createKept(sections: readonly Section[], records: Records, weigh: (stem: string) => number): KeptIndex {
  const weighAsked = (stem: string): number => telling.get(stem) ?? (emptyStems.has(stem) ? EMPTY_WORD : weigh(stem));
  const postings = new Postings<Kept>();
  const guides = toGuides(records);
  const keptWith = new Map<KeptFact, Kept[]>();
  let size = 0;
  for (const fact of [...sections.flatMap((section) => section.facts), ...guides]) {
    const own = fact.asks.map((ask): Kept => {
      const weight = ask.reduce((sum, stem) => sum + weighAsked(stem), 0);
      return { fact, ask, weight, place: size++ };
    });
    keptWith.set(fact, own);
    for (const kept of own) {
      for (const stem of kept.ask) {
        if (telling.has(stem) || !emptyStems.has(stem)) {
          postings.add(stem, kept, 1);
        }
      }
    }
  }

  /** What each kept question has in common with the asked one, and which of them speak of which word. */
  function compare(words: ReadonlyMap<string, number>) {
    const ofQuestion = new Float64Array(size);
    const ofAsk = new Float64Array(size);
    const nearness = new Float64Array(size);
    const isTouched = new Uint8Array(size);
    const touched: Kept[] = [];
    const spokenOf = new Map<string, Spoken<Kept>>();
    let total = 0.01;
    for (const [stem, weight] of words) {
      total += weight;
      const spoken = postings.find(stem);
      spokenOf.set(stem, spoken);
      for (let at = 0; at < spoken.held.length; at++) {
        const held = spoken.held[at] as Kept;
        const share = spoken.shares[at] ?? 0;
        const { place } = held;
        if (isTouched[place] === 0) {
          isTouched[place] = 1;
          touched.push(held);
        }
        ofQuestion[place] = (ofQuestion[place] ?? 0) + weight * share;
        ofAsk[place] = (ofAsk[place] ?? 0) + weighAsked(spoken.forms[at] ?? stem) * share;
      }
    }
    for (const { place, weight } of touched) {
      const question = (ofQuestion[place] ?? 0) / total;
      const ask = Math.min(1, (ofAsk[place] ?? 0) / weight);
      ofQuestion[place] = question;
      ofAsk[place] = ask;
      nearness[place] = question + ask === 0 ? 0 : (2 * question * ask) / (question + ask);
    }
    return { ofQuestion, ofAsk, nearness, isTouched, touched, spokenOf };
  }

  return {
    search(words, nearest) {
      const { ofQuestion, ofAsk, nearness, isTouched, touched, spokenOf } = compare(words);
      const nearestOf = new Float64Array(sections.length);
      for (const { place, fact } of touched) {
        const own = nearness[place] ?? 0;
        if (fact.section !== null && own <= nearest && own > (nearestOf[fact.section.place] ?? 0)) {
          nearestOf[fact.section.place] = own;
        }
      }
      const toMatches = (fact: KeptFact): FactMatch[] => {
        const counted = (keptWith.get(fact) ?? []).filter(({ place }) => isTouched[place] === 1);
        const [first, ...others] = counted.filter(({ place }) => (nearness[place] ?? 0) <= nearest);
        if (first === undefined) {
          return [];
        }
        const nearer = (a: Kept, b: Kept): Kept => ((nearness[b.place] ?? 0) > (nearness[a.place] ?? 0) ? b : a);
        const { ask, place } = others.reduce(nearer, first);
        return [
          {
            ...{ fact, ask, nearness: nearness[place] ?? 0 },
            ...{ ofQuestion: ofQuestion[place] ?? 0, ofAsk: ofAsk[place] ?? 0 },
          },
        ];
      };
      return {
        near: (section) =>
          (section === null ? guides : section.facts).flatMap(toMatches).sort((a, b) => b.nearness - a.nearness),
        nearestOf: ({ place }) => nearestOf[place] ?? 0,
        eachSpeaking: (stem, tell) => {
          const { held, shares } = spokenOf.get(stem) ?? postings.find(stem);
          for (let at = 0; at < held.length; at++) {
            const { fact, place } = held[at] as Kept;
            if (fact.section !== null && (nearness[place] ?? 0) <= nearest) {
              tell(fact.section, shares[at] ?? 0);
            }
          }
        },
      };
    },
  };
}
