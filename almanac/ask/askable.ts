import type { Phrase } from './candidate.ts';
import type { Entry } from './entries.ts';
import { lazily } from './lazily.ts';
import { stemsOf } from './lexicon.ts';
import { labelOf, type Records } from './records.ts';
import { type DatasetWords, type FieldWords, vocabulary } from './vocabulary.ts';

/** A field as it can be asked for: the words of the vocabulary, type and values from the records. */
export interface AskableField {
  field: string;
  words: FieldWords & { say: string[] };
  phrases: Phrase[];
  negative: ReadonlySet<string>;
  values: { value: string; that: string | null; isOnly: boolean; phrases: Phrase[] }[];
  type: 'boolean' | 'number' | 'other';
  /** For fields whose texts are looked through: the records that have a word. */
  holding(): ReadonlyMap<string, ReadonlySet<Entry>>;
}

/** The datasets as they can be asked about. Fields that no vocabulary lists are askable by their own names. */
export interface Askable {
  datasets: readonly string[];
  records: Records;
  of(dataset: string): readonly Entry[];
  fieldsOf(dataset: string): readonly AskableField[];
  nounsOf(dataset: string): readonly Phrase[];
  /** "crawlers", "terms". */
  pluralOf(dataset: string): string;
  wordsOf(dataset: string): DatasetWords;
  /** All stems in a record. */
  stemsOf(entry: Entry): ReadonlySet<string>;
}

const noWords: DatasetWords = { nouns: [], plural: '', date: null, organisation: [], compare: [], fields: {} };

/** Values that are words of any question, and codes of countries: "keeps hammering us". */
const unsaid = /^(true|false|none|other|unknown|[A-Z]{2})$/;
/** Fields that are names or whole texts, and not asked for by themselves. */
const unasked = /^(id|name|term|statement|entity_uri|ua_examples|relationships)$/;
const MAX_VALUES = 12;

const toPhrases = (texts: readonly string[]): Phrase[] =>
  [...new Set(texts)].map((text) => stemsOf(text)).filter((phrase) => phrase.length > 0);

/** Values of a field that has few and short ones are asked for by their own names. */
function ownValues(field: string, kinds: readonly unknown[]): string[] {
  const isShort = kinds.every((value) => typeof value === 'string' && value.length < 30);
  const values = isShort ? [...new Set(kinds.map(String))] : [];
  return values.length > 1 && values.length <= MAX_VALUES && !/date|verified|evidence|^replace/.test(field)
    ? values
    : [];
}

export function createAskable(records: Records): Askable {
  const byDataset = Map.groupBy(records.entries, ({ dataset }) => dataset);
  const datasets = [...byDataset.keys()];
  const stems = new Map<Entry, Set<string>>();
  const toWords = (dataset: string): DatasetWords => vocabulary[dataset] ?? { ...noWords, plural: dataset };

  function indexWords(dataset: string, field: string): Map<string, Set<Entry>> {
    const holding = new Map<string, Set<Entry>>();
    for (const entry of byDataset.get(dataset) ?? []) {
      for (const word of records
        .format(entry, field)
        ?.toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []) {
        holding.set(word, (holding.get(word) ?? new Set()).add(entry));
      }
    }
    return holding;
  }

  function readField(dataset: string, key: string, words: FieldWords): AskableField {
    const field = words.of ?? key;
    const kinds = (byDataset.get(dataset) ?? []).flatMap((entry) => records.read(entry, field)?.value ?? []);
    const label = labelOf(field);
    const isBoolean = kinds.some((value) => typeof value === 'boolean');
    const isNumber = words.member !== undefined || kinds.some((value) => typeof value === 'number');
    const listed = Object.entries(words.values ?? {});
    const values = listed.length > 0 ? listed : ownValues(field, kinds).map((value) => [value, { ask: [] }] as const);
    return {
      field,
      words: { ...words, say: words.say ?? [`The ${label} of {name}: {${field}}.`] },
      phrases: toPhrases(words.of === undefined ? [label, ...words.ask] : words.ask),
      negative: new Set(stemsOf((words.negative ?? []).join(' '))),
      values: values.map(([value, { ask, ...more }]) => ({
        value,
        that: 'that' in more ? (more.that ?? null) : null,
        isOnly: 'only' in more && more.only === true,
        // What only writes text isn't asked for by "text" alone.
        phrases: toPhrases(unsaid.test(value) || 'only' in more ? ask : [value, ...ask]),
      })),
      holding: lazily(() => indexWords(dataset, field)),
      type: isBoolean ? 'boolean' : isNumber ? 'number' : 'other',
    };
  }
  const fields = new Map(
    datasets.map((dataset) => {
      const listed = toWords(dataset).fields;
      const present = new Set((byDataset.get(dataset) ?? []).flatMap(({ record }) => Object.keys(record)));
      const own = [...present].filter((field) => !(field in listed) && !unasked.test(field));
      const all: [string, FieldWords][] = [
        ...Object.entries(listed),
        ...own.map((field): [string, FieldWords] => [field, { ask: [] }]),
      ];
      return [
        dataset,
        all.flatMap(([field, words]) => (words.skip ? [] : [readField(dataset, field, words)])),
      ] as const;
    }),
  );
  const nouns = new Map(datasets.map((dataset) => [dataset, toPhrases(toWords(dataset).nouns)]));

  return {
    datasets,
    records,
    of: (dataset) => byDataset.get(dataset) ?? [],
    fieldsOf: (dataset) => fields.get(dataset) ?? [],
    nounsOf: (dataset) => nouns.get(dataset) ?? [],
    pluralOf: (dataset) => toWords(dataset).plural,
    wordsOf: toWords,
    stemsOf: (entry) => {
      let own = stems.get(entry);
      if (own === undefined) {
        const texts = Object.values(entry.record).map((value) =>
          typeof value === 'string' ? value : JSON.stringify(value),
        );
        own = new Set(stemsOf(texts.join(' ')));
        stems.set(entry, own);
      }
      return own;
    },
  };
}
