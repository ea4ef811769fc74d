import type { Entry } from './entries.ts';
import { lazily } from './lazily.ts';
import { emptyStems, stemsOf, synonymsOf } from './lexicon.ts';
import type { Records } from './records.ts';
import type { Section } from './sections.ts';
import { vocabulary } from './vocabulary.ts';

/** A text of a record that can be an answer by itself: a field of prose, or a statement. */
export interface Passage {
  entry: Entry;
  field: string;
  text: string;
  isStatement: boolean;
  /** Stems of its name, of what it is about and of its text. */
  head: ReadonlySet<string>;
  hint: ReadonlySet<string>;
  body: ReadonlySet<string>;
  length: number;
}

export interface PassageIndex {
  /** All words of the texts, lower-case: what is spelt like this is no typo. */
  words(): ReadonlySet<string>;
  /** 0 to 1: how much a stem says; 1 when no passage has it. */
  weigh(stem: string): number;
  /** Passages that share stems with the question, best first (BM25 over the three parts). */
  search(stems: readonly string[], limit: number): { passage: Passage; score: number }[];
}

const proseFields: Readonly<Record<string, readonly string[]>> = {
  crawlers: ['purpose', 'blocking_effect', 'opt_out_mechanism', 'note'],
  protocols: ['snippet', 'central_problem', 'core_mechanism', 'ideal_use_case'],
  models: ['summary'],
  glossary: ['definition'],
};

const WEIGHTS = { head: 2.2, hint: 1.2, body: 1 };

/** How a word counts that only means the same as the one that was asked. */
const SYNONYM = 0.6;

/** What a statement is about besides its own words: what is measured, of whom, by whom. */
function toHint(entry: Entry, records: Records): string {
  const { series, scope, unit, topic, publisher, entities } = entry.record;
  const links = Array.isArray(entities) ? (entities as { dataset: string; id: string }[]) : [];
  const named = links.map(({ dataset, id }) => records.get(dataset, id)?.title ?? id);
  return [series, scope, unit, topic, publisher, entry.id, ...named].join(' ').replace(/[\d-]+/g, ' ');
}

/** Builds the index; words are taken from the sections of pages too. */
export function createPassages(records: Records, sections: readonly Section[]): PassageIndex {
  const passages: Passage[] = [];
  const texts: string[] = [];
  const frequency = new Map<string, number>();
  const count = (stems: ReadonlySet<string>): void => {
    for (const stem of stems) {
      frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    }
  };
  const add = (entry: Entry, field: string, text: string, head: string, hint: string, isStatement: boolean): void => {
    const body = stemsOf(text);
    texts.push(head, text);
    const sets = { head: new Set(stemsOf(head)), hint: new Set(stemsOf(hint)), body: new Set(body) };
    passages.push({ entry, field, text, isStatement, ...sets, length: body.length });
    count(new Set([...sets.head, ...sets.hint, ...sets.body]));
  };
  for (const entry of records.entries) {
    for (const field of proseFields[entry.dataset] ?? []) {
      const text = records.format(entry, field);
      if (text !== null) {
        const hint = (vocabulary[entry.dataset]?.fields[field]?.ask ?? []).join(' ');
        add(entry, field, text, entry.title, hint, false);
      }
    }
    if (typeof entry.record['statement'] === 'string') {
      add(entry, 'statement', entry.title, '', toHint(entry, records), true);
    }
  }
  for (const { heading, parts, stems } of sections) {
    texts.push(heading, ...parts.flatMap(({ text, isCode }) => (isCode ? [] : [text])));
    count(stems);
  }

  const average = passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length);
  const postings = new Map<string, [index: number, weight: number][]>();
  passages.forEach(({ head, hint, body, length }, index) => {
    for (const stem of new Set([...head, ...hint, ...body])) {
      if (emptyStems.has(stem)) {
        continue;
      }
      const weight =
        (head.has(stem) ? WEIGHTS.head : 0) +
        (hint.has(stem) ? WEIGHTS.hint : 0) +
        (body.has(stem) ? WEIGHTS.body / (0.6 + 0.4 * (length / average)) : 0);
      const list = postings.get(stem);
      if (list === undefined) {
        postings.set(stem, [[index, weight]]);
      } else {
        list.push([index, weight]);
      }
    }
  });
  const total = passages.length + sections.length;
  const weigh = (stem: string): number =>
    Math.log(1 + total / ((frequency.get(stem) ?? 0) + 0.5)) / Math.log(1 + total / 0.5);

  return {
    words: lazily(
      () =>
        new Set(
          texts
            .join(' ')
            .toLowerCase()
            .match(/\p{L}+/gu),
        ),
    ),
    weigh,
    search(stems, limit) {
      const scores = new Map<number, number>();
      for (const stem of new Set(stems)) {
        const best = new Map<number, number>();
        for (const form of synonymsOf(stem)) {
          const weight = weigh(form) * (form === stem ? 1 : SYNONYM);
          for (const [index, frequency] of postings.get(form) ?? []) {
            best.set(index, Math.max(best.get(index) ?? 0, (weight * frequency) / (frequency + 1.2)));
          }
        }
        for (const [index, value] of best) {
          scores.set(index, (scores.get(index) ?? 0) + value);
        }
      }
      return [...scores]
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, limit)
        .flatMap(([index, score]) => (passages[index] === undefined ? [] : { passage: passages[index], score }));
    },
  };
}
