import MiniSearch from 'minisearch';
import { type AskableDataset, type Entry, readText, STATE, toEntries } from './entries.ts';
import { toStem, toStems } from './tokens.ts';
import { stopWords, synonyms } from './words.ts';

/** The prose of each dataset, in which passages are looked for. */
const proseFields: Readonly<Record<string, readonly string[]>> = {
  crawlers: ['purpose', 'blocking_effect', 'opt_out_mechanism', 'verify', 'note'],
  protocols: [
    'snippet',
    'one_liner',
    'core_mechanism',
    'central_problem',
    'ideal_use_case',
    'when_to_use',
    'when_not_to_use',
  ],
  models: ['summary'],
  glossary: ['definition'],
  [STATE]: ['statement'],
};

/** A field of prose with its words. */
export interface Passage {
  entry: Entry;
  field: string;
  text: string;
  stems: ReadonlySet<string>;
}

/** The records, prepared for reading questions. Built once. */
export interface AlmanacIndex {
  datasets: readonly AskableDataset[];
  entries: readonly Entry[];
  /** All words of the prose and the names, lower-case: what is spelt like this is no typo. */
  corpusWords: ReadonlySet<string>;
  of(dataset: string): readonly Entry[];
  get(dataset: string, id: string): Entry | undefined;
  /** Inverse document frequency of a stem over the records; the highest for one that never occurs. */
  weigh(stem: string): number;
  /** The stems of a record's prose, names and short fields. */
  stemsOf(entry: Entry): ReadonlySet<string>;
  /** Passages that share words with the query, best first. */
  findPassages(query: string, limit: number): Passage[];
  /** Statements of the state dataset that contain any of the stems. */
  findStatements(stems: readonly string[]): Entry[];
  /** Records whose name or prose is nearest to the query, best first. */
  findNearest(query: string, limit: number): Entry[];
}

/** One stem for words that mean the same in questions about statistics. */
export const toSearchStem = (word: string): string => toStem(synonyms.get(word) ?? word);

const toSearchStems = (text: string): string[] =>
  text
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu)
    ?.map(toSearchStem) ?? [];

const MAX_QUERY_WORDS = 24;

/** Prepares the records: words, frequencies and two inverted indexes. */
export function createAlmanacIndex(datasets: readonly AskableDataset[]): AlmanacIndex {
  const entries = toEntries(datasets);
  const byDataset = new Map<string, Entry[]>(datasets.map((dataset) => [dataset.id, []]));
  const byId = new Map<string, Entry>();
  const corpusWords = new Set<string>();
  const stems = new Map<Entry, Set<string>>();
  const frequency = new Map<string, number>();
  const passages: Passage[] = [];
  const statementsByStem = new Map<string, Entry[]>();

  for (const entry of entries) {
    byDataset.get(entry.dataset)?.push(entry);
    byId.set(`${entry.dataset}/${entry.id}`, entry);
    const prose = (proseFields[entry.dataset] ?? []).map((field) => [field, readText(entry, field)] as const);
    const words = [entry.title, ...prose.map(([, text]) => text), ...shortTexts(entry)].join(' ');
    for (const word of words.toLowerCase().match(/\p{L}+/gu) ?? []) {
      corpusWords.add(word);
    }
    const own = new Set(toStems(words));
    stems.set(entry, own);
    for (const stem of own) {
      frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    }
    for (const [field, text] of prose.filter(([, text]) => text !== '')) {
      passages.push({ entry, field, text, stems: new Set(toStems(`${entry.title} ${text}`)) });
    }
    if (entry.dataset === STATE) {
      for (const stem of new Set([...toSearchStems(words), ...own])) {
        const list = statementsByStem.get(stem);
        if (list === undefined) {
          statementsByStem.set(stem, [entry]);
        } else {
          list.push(entry);
        }
      }
    }
  }

  const search = new MiniSearch<{ id: number; title: string; text: string }>({
    fields: ['title', 'text'],
    tokenize: (text) => toStems(text).filter((stem) => !stopWords.has(stem)),
    processTerm: (term) => term,
    searchOptions: { boost: { title: 3 } },
  });
  search.addAll(passages.map(({ entry, text }, id) => ({ id, title: entry.title, text })));
  const highest = Math.log(1 + entries.length);

  const find = (query: string, limit: number): Passage[] => {
    const words = toStems(query).filter((stem) => !stopWords.has(stem) && (frequency.get(stem) ?? 0) > 0);
    const rare = words.sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0)).slice(0, MAX_QUERY_WORDS);
    return rare.length === 0
      ? []
      : search
          .search(rare.join(' '))
          .slice(0, limit)
          .flatMap(({ id }) => passages[id] ?? []);
  };

  return {
    datasets,
    entries,
    corpusWords,
    of: (dataset) => byDataset.get(dataset) ?? [],
    get: (dataset, id) => byId.get(`${dataset}/${id}`),
    weigh: (stem) => Math.min(highest, Math.log(1 + entries.length / ((frequency.get(stem) ?? 0) + 0.5))),
    stemsOf: (entry) => stems.get(entry) ?? new Set(),
    findPassages: find,
    findStatements: (queried) => [...new Set(queried.flatMap((stem) => statementsByStem.get(stem) ?? []))],
    findNearest: (query, limit) => [...new Set(find(query, limit * 4).map(({ entry }) => entry))].slice(0, limit),
  };
}

const shortFields = [
  'operator',
  'provider',
  'creator',
  'maintainer',
  'series',
  'unit',
  'scope',
  'publisher',
  'full_name',
];

function shortTexts(entry: Entry): string[] {
  const linked = entry.record.entities;
  const ids = Array.isArray(linked) ? linked.map((link: { id?: unknown }) => String(link.id)) : [];
  const slug = entry.dataset === STATE ? [entry.id.replace(/\d+/g, ' ')] : [];
  return [...shortFields.map((field) => readText(entry, field)), ...ids, ...slug];
}
