import guideDocument from './data/guides.json' with { type: 'json' };
import type { Entry } from './entries.ts';
import { emptyStems, stemOf, stemsOf } from './lexicon.ts';
import { addPosting, findPostings, type Postings } from './postings.ts';
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

/** The words of a question as sections are looked for, each with its weight. */
export function toAskedWords(words: readonly { stem: string; weight: number; rarity: number }[]): AskedWords {
  const content = new Map<string, number>();
  const all = new Map<string, number>();
  for (const { stem, weight, rarity } of words) {
    const most = Math.max(all.get(stem) ?? 0, weight, RARE * rarity, telling.get(stem) ?? EMPTY_WORD);
    all.set(stem, most);
    if (weight > 0) {
      content.set(stem, most);
    }
  }
  return { content, all };
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
  fact: KeptFact;
  ask: readonly string[];
  weight: number;
}

/** The kept questions that share words with the asked one. */
export interface KeptMatches {
  /** For each section (null: guides) what is kept with it, each by its nearest question, the nearest first. */
  near: ReadonlyMap<Section | null, FactMatch[]>;
  /** For each section how much its questions speak of a word. */
  speakOf(stem: string): ReadonlyMap<Section, number>;
}

export interface KeptIndex {
  /** Kept questions that are nearer than `nearest` (0 to 1) don't count. */
  search(words: ReadonlyMap<string, number>, nearest: number): KeptMatches;
}

export function createKept(sections: readonly Section[], records: Records, weigh: (stem: string) => number): KeptIndex {
  const weighAsked = (stem: string): number => telling.get(stem) ?? (emptyStems.has(stem) ? EMPTY_WORD : weigh(stem));
  const postings: Postings<Kept> = new Map();
  for (const fact of [...sections.flatMap((section) => section.facts), ...toGuides(records)]) {
    for (const ask of fact.asks) {
      const kept: Kept = { fact, ask, weight: ask.reduce((sum, stem) => sum + weighAsked(stem), 0) };
      for (const stem of ask) {
        if (telling.has(stem) || !emptyStems.has(stem)) {
          addPosting(postings, stem, kept, 1);
        }
      }
    }
  }

  function compare(words: ReadonlyMap<string, number>): Map<Kept, FactMatch> {
    const shared = new Map<Kept, { question: number; ask: number }>();
    let total = 0.01;
    for (const [stem, weight] of words) {
      total += weight;
      for (const [kept, { share, form }] of findPostings(postings, stem)) {
        const sum = shared.get(kept) ?? { question: 0, ask: 0 };
        sum.question += weight * share;
        sum.ask += weighAsked(form) * share;
        shared.set(kept, sum);
      }
    }
    const matches = new Map<Kept, FactMatch>();
    for (const [kept, { question, ask }] of shared) {
      const ofQuestion = question / total;
      const ofAsk = Math.min(1, ask / kept.weight);
      const nearness = ofQuestion + ofAsk === 0 ? 0 : (2 * ofQuestion * ofAsk) / (ofQuestion + ofAsk);
      matches.set(kept, { fact: kept.fact, ask: kept.ask, ofQuestion, ofAsk, nearness });
    }
    return matches;
  }

  return {
    search(words, nearest) {
      const matches = compare(words);
      const best = new Map<KeptFact, FactMatch>();
      for (const match of matches.values()) {
        if (match.nearness <= nearest && match.nearness > (best.get(match.fact)?.nearness ?? -1)) {
          best.set(match.fact, match);
        }
      }
      const sorted = [...best.values()].sort((a, b) => b.nearness - a.nearness);
      return {
        near: Map.groupBy(sorted, ({ fact }) => fact.section),
        speakOf: (stem) => {
          const spoken = new Map<Section, number>();
          for (const [kept, { share }] of findPostings(postings, stem)) {
            const { section } = kept.fact;
            if (section !== null && (matches.get(kept)?.nearness ?? 1) <= nearest) {
              spoken.set(section, Math.max(spoken.get(section) ?? 0, share));
            }
          }
          return spoken;
        },
      };
    },
  };
}
