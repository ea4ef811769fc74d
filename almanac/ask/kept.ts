import guideDocument from './data/guides.json' with { type: 'json' };
import type { Entry } from './entries.ts';
import { emptyStems, stemOf, stemsOf } from './lexicon.ts';
import { Postings } from './postings.ts';
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

export const toAsks = (asks: readonly string[]): string[][] =>
  asks.map((ask) => stemsOf(ask).filter((stem, at, all) => all.indexOf(stem) === at));

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

/** The kept questions that share words with the asked one, until the next is asked. */
export interface KeptMatches {
  /** What is kept with a section (null: guides), each by its nearest question, the nearest first. */
  near(section: Section | null): FactMatch[];
  /** How near the nearest question is that is kept with a section. */
  nearestOf(section: Section): number;
  /** Tells the place of each section whose questions speak of a word, and how much; more than once where several do. */
  eachSpeaking(stem: string, tell: (place: number, share: number) => void): void;
}

export interface KeptIndex {
  /** Kept questions that are nearer than `nearest` (0 to 1) don't count. */
  search(words: ReadonlyMap<string, number>, nearest: number): KeptMatches;
}

export function createKept(sections: readonly Section[], records: Records, weigh: (stem: string) => number): KeptIndex {
  const weighed = new Map<string, number>([...[...emptyStems].map((stem) => [stem, EMPTY_WORD] as const), ...telling]);
  const weighAsked = (stem: string): number => {
    let weight = weighed.get(stem);
    if (weight === undefined) {
      weight = weigh(stem);
      weighed.set(stem, weight);
    }
    return weight;
  };
  const postings = new Postings();
  const guides = toGuides(records);
  /** By the number of each kept question: the place of the section that it's kept with, and what it weighs. */
  const sectionOf: number[] = [];
  const weights: number[] = [];
  const firstOf = new Map<KeptFact, number>();
  for (const fact of [...sections.flatMap((section) => section.facts), ...guides]) {
    firstOf.set(fact, sectionOf.length);
    for (const ask of fact.asks) {
      for (const stem of ask) {
        if (telling.has(stem) || !emptyStems.has(stem)) {
          postings.add(stem, sectionOf.length);
        }
      }
      weights.push(ask.reduce((sum, stem) => sum + weighAsked(stem), 0));
      sectionOf.push(fact.section?.place ?? -1);
    }
  }
  postings.pack();
  const { held } = postings;
  // Of each kept question what it has in common with the asked one, how near it is, and the last word that it has.
  const ofQuestion = new Float64Array(sectionOf.length);
  const ofAsk = new Float64Array(sectionOf.length);
  const nearness = new Float64Array(sectionOf.length);
  const lastWord = new Uint8Array(sectionOf.length);
  const nearestOf = new Float64Array(sections.length);
  const touched: number[] = [];

  function compare(words: ReadonlyMap<string, number>, nearest: number): void {
    for (const place of touched) {
      ofQuestion[place] = ofAsk[place] = nearness[place] = lastWord[place] = 0;
    }
    touched.length = 0;
    nearestOf.fill(0);
    let total = 0.01;
    let word = 0;
    for (const [stem, weight] of words) {
      total += weight;
      word++;
      // The word itself comes first, and of those that mean the same one is enough.
      for (const { form, worth, from, to } of postings.formsOf(stem)) {
        const ofForm = from < to ? weighAsked(form) * worth : 0;
        for (let at = from; at < to; at++) {
          const place = held[at] as number;
          if (lastWord[place] !== word) {
            if (lastWord[place] === 0) {
              touched.push(place);
            }
            lastWord[place] = word;
            ofQuestion[place] = (ofQuestion[place] as number) + weight * worth;
            ofAsk[place] = (ofAsk[place] as number) + ofForm;
          }
        }
      }
    }
    for (const place of touched) {
      const question = (ofQuestion[place] as number) / total;
      const ask = Math.min(1, (ofAsk[place] as number) / (weights[place] as number));
      const near = (2 * question * ask) / (question + ask);
      ofQuestion[place] = question;
      ofAsk[place] = ask;
      nearness[place] = near;
      const own = sectionOf[place] as number;
      if (own >= 0 && near <= nearest && near > (nearestOf[own] as number)) {
        nearestOf[own] = near;
      }
    }
  }

  /** A fact by its nearest question. */
  function toMatches(fact: KeptFact, nearest: number): FactMatch[] {
    const first = firstOf.get(fact) ?? 0;
    let best = -1;
    for (let place = first; place < first + fact.asks.length; place++) {
      const near = nearness[place] as number;
      if (near > (nearness[best] ?? 0) && near <= nearest) {
        best = place;
      }
    }
    const ask = fact.asks[best - first];
    return ask === undefined
      ? []
      : [
          {
            ...{ fact, ask, nearness: nearness[best] ?? 0 },
            ...{ ofQuestion: ofQuestion[best] ?? 0, ofAsk: ofAsk[best] ?? 0 },
          },
        ];
  }

  return {
    search(words, nearest) {
      compare(words, nearest);
      return {
        near: (section) =>
          (section === null ? guides : section.facts)
            .flatMap((fact) => toMatches(fact, nearest))
            .sort((a, b) => b.nearness - a.nearness),
        nearestOf: ({ place }) => nearestOf[place] ?? 0,
        eachSpeaking: (stem, tell) => {
          for (const { worth, from, to } of postings.formsOf(stem)) {
            for (let at = from; at < to; at++) {
              const place = held[at] as number;
              const own = sectionOf[place] as number;
              if (own >= 0 && (nearness[place] as number) <= nearest) {
                tell(own, worth);
              }
            }
          }
        },
      };
    },
  };
}
