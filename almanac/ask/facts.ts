import type { PageContent, PageFact, PagePart, PageSection } from '../pages.ts';
import guideDocument from './data/guides.json' with { type: 'json' };
import type { Entry } from './entries.ts';
import { lazily } from './lazily.ts';
import { emptyStems, stemOf, stemsOf, synonymsOf } from './lexicon.ts';
import type { PassageIndex } from './passages.ts';
import type { Records } from './records.ts';

/** Something that is answered as it is kept: parts of a section of a page, or fields of several records. */
export interface KeptFact {
  section: PageSection | null;
  /** All sections of its page. */
  page: readonly PageSection[];
  parts: PagePart[];
  refs: { entry: Entry; field: string }[];
  /** The stems of each question that asks for it. */
  asks: ReadonlySet<string>[];
  /** All stems of the text, and of the page. */
  body(): ReadonlySet<string>;
  around(): ReadonlySet<string>;
  /** Names of what the page is about, each as its stems, and the first as it is. */
  names: string[][];
  name: string;
}

/** A fact with the question of its own that is nearest to the one that was asked. */
export interface FactMatch {
  fact: KeptFact;
  ask: ReadonlySet<string>;
  /** All stems of the kept questions that it was chosen from. */
  asked(): ReadonlySet<string>;
  /** Shares of weight that both questions have in common: of the asked one, of the kept one. */
  ofQuestion: number;
  ofAsk: number;
}

interface Guide {
  ask: string[];
  /** "crawlers/gptbot.purpose": what each of them says makes the answer. */
  records: string[];
}

const SYNONYM = 0.8;

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

/** What pages and guides answer, found by how near a question is to those that are kept with them. */
export interface FactIndex {
  /** Words of the kept questions, lower-case. */
  words: ReadonlySet<string>;
  /**
   * The nearest facts, best first. Kept questions that are nearer than `nearest` (0 to 1) don't count: training asks so how
   * a question fares that nobody has written down.
   */
  search(stems: ReadonlyMap<string, number>, limit: number, nearest?: number): FactMatch[];
}

/** What a word of a question weighs when kept questions are looked for. */
export const weighAsked = (stem: string, weight: number): number => Math.max(weight, telling.get(stem) ?? EMPTY_WORD);

const toUnion = (sets: readonly ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));

function toKept(content: PageContent, records: Records): KeptFact[] {
  const sectionsOf = Map.groupBy(content.sections, ({ path }) => path);
  const byPage = Map.groupBy(content.facts, ({ section }) => content.sections[section]?.path);
  const aroundPage = new Map(
    [...byPage].map(([path, facts]) => [
      path,
      lazily(() => {
        const [fact] = facts;
        const title = content.sections[fact?.section ?? -1]?.page ?? '';
        return new Set(stemsOf([title, ...(fact?.names ?? []), ...facts.flatMap(({ ask }) => ask)].join(' ')));
      }),
    ]),
  );
  const onPages = content.facts.flatMap(({ section: index, parts, ask, names }: PageFact): KeptFact[] => {
    const section = content.sections[index];
    if (section === undefined) {
      return [];
    }
    const said = parts.flatMap((part) => section.parts[part] ?? []);
    const asks = ask.map((text) => new Set(stemsOf(text)));
    return [
      {
        section,
        page: sectionsOf.get(section.path) ?? [section],
        parts: said,
        refs: [],
        asks,
        body: lazily(
          () =>
            new Set(
              stemsOf([section.heading, ...said.flatMap(({ text, isCode }) => (isCode ? [] : [text]))].join(' ')),
            ),
        ),
        around: aroundPage.get(section.path) ?? (() => new Set()),
        names: [section.page, ...names].map(stemsOf),
        name: names[0] ?? section.page,
      },
    ];
  });
  const guides = (guideDocument as Guide[]).map(({ ask, records: paths }): KeptFact => {
    const refs = paths.flatMap((path) => {
      const [, dataset = '', id = '', field = ''] = /^([\w-]+)\/(.+)\.(\w+)$/.exec(path) ?? [];
      const entry = records.get(dataset, id);
      return entry === undefined ? [] : [{ entry, field }];
    });
    const asks = ask.map((text) => new Set(stemsOf(text)));
    const body = lazily(() => new Set(refs.flatMap(({ entry, field }) => stemsOf(records.format(entry, field) ?? ''))));
    return {
      section: null,
      page: [],
      parts: [],
      refs,
      asks,
      body,
      around: lazily(() => toUnion(asks)),
      names: [],
      name: '',
    };
  });
  return [...onPages, ...guides.filter(({ refs }) => refs.length > 0)];
}

export function createFacts(content: PageContent, records: Records, index: PassageIndex): FactIndex {
  const facts = toKept(content, records).map((fact) => ({ fact, asked: lazily(() => toUnion(fact.asks)) }));
  const kept = facts.flatMap(({ fact, asked }) =>
    fact.asks.map((ask) => ({ fact, ask, asked, weight: [...ask].reduce((sum, stem) => sum + weigh(stem), 0) })),
  );
  const postings = new Map<string, number[]>();
  kept.forEach(({ ask }, position) => {
    for (const stem of ask) {
      if (telling.has(stem) || !emptyStems.has(stem)) {
        postings.set(stem, [...(postings.get(stem) ?? []), position]);
      }
    }
  });
  function weigh(stem: string): number {
    return telling.get(stem) ?? (emptyStems.has(stem) ? EMPTY_WORD : index.weigh(stem));
  }

  return {
    words: new Set(
      [
        ...content.facts.flatMap(({ ask, names }) => [...ask, ...names]),
        ...(guideDocument as Guide[]).flatMap(({ ask }) => ask),
      ]
        .join(' ')
        .toLowerCase()
        .match(/\p{L}{3,}/gu) ?? [],
    ),
    search(stems, limit, nearest = 1) {
      const shared = new Map<number, { question: number; ask: number }>();
      let total = 0;
      for (const [stem, weight] of stems) {
        total += weight;
        const seen = new Set<number>();
        for (const form of [stem, ...synonymsOf(stem)]) {
          const part = form === stem ? 1 : SYNONYM;
          for (const position of postings.get(form) ?? []) {
            if (!seen.has(position)) {
              seen.add(position);
              const sum = shared.get(position) ?? { question: 0, ask: 0 };
              sum.question += weight * part;
              sum.ask += weigh(form) * part;
              shared.set(position, sum);
            }
          }
        }
      }
      const best = new Map<KeptFact, FactMatch>();
      const left = new Map<KeptFact, ReadonlySet<string>[]>();
      for (const [position, { question, ask: ofKept }] of shared) {
        const { fact, ask, asked, weight } = kept[position] ?? {};
        if (fact !== undefined && ask !== undefined && asked !== undefined && weight !== undefined) {
          const match = {
            fact,
            ask,
            asked: nearest < 1 ? lazily(() => toUnion(left.get(fact) ?? [])) : asked,
            ofQuestion: question / Math.max(total, 0.01),
            ofAsk: Math.min(1, ofKept / weight),
          };
          if (nearest < 1) {
            if (toNearness(match) > nearest) {
              continue;
            }
            left.set(fact, [...(left.get(fact) ?? []), ask]);
          }
          const known = best.get(fact);
          if (known === undefined || toNearness(match) > toNearness(known)) {
            best.set(fact, match);
          }
        }
      }
      return [...best.values()].sort((a, b) => toNearness(b) - toNearness(a)).slice(0, limit);
    },
  };
}

/** 0 to 1: the harmonic mean of both shares. */
export const toNearness = ({ ofQuestion, ofAsk }: FactMatch): number =>
  ofQuestion + ofAsk === 0 ? 0 : (2 * ofQuestion * ofAsk) / (ofQuestion + ofAsk);
