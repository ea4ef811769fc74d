import MiniSearch, { type SearchResult } from 'minisearch';
import { z } from 'zod';
import { noPages, type PageContent, type PageSection } from './pages.ts';
import document from './search-fields.json' with { type: 'json' };

/**
 * Keyword search over the records of the almanac and the sections of the pages.
 *
 * How a match is ranked, from the strongest: the query is the record's id or name; it is another of its names (alias,
 * abbreviation, robots token, API id); a name begins with it; it contains a name, or is in the record's text as a
 * phrase. Within each step BM25+ decides, with fields weighted by how much they say about what a record is. Names are
 * compared without spaces and punctuation, so "gpt bot", "GPTBot" and "gpt-bot" are one name.
 *
 * A word matches the words that begin with it: from four characters on, from three if no record contains it, from two
 * if it is also the last one. A word that no record contains is taken for a typing error as well: one edit is allowed
 * from four characters on, two from eight, and two neighbouring letters may have changed places. Case, accents and the "s" of a plural don't count. The first 500 characters
 * and 12 different words of a query are used. When a word of the query is found nowhere, a match needs more than half of
 * the words: "sourdough recipe" does not find what is called a recipe.
 *
 * Not meant to do: understand questions, match synonyms that no record lists, reduce words to their roots, or search
 * code examples and sources. Records don't change while the index lives; new data means a new index.
 */

/** What can be searched: a dataset's id, its path segment and its records. */
export interface SearchableDataset {
  id: string;
  path: string;
  records: readonly { id: string }[];
}

export const RecordMatch = z.object({
  dataset: z.string().describe('Id of the dataset.'),
  id: z.string(),
  /** The record's name or term; of a statement, which has no name, the statement. */
  title: z.string(),
  score: z.number().describe('Larger is better; comparable within one answer.'),
  snippet: z.string().describe('Text of the field that fits best.'),
  matched: z.array(z.string()).describe('Fields in which words of the query were found.'),
  /** Path of the record's page, such as "/crawlers/gptbot". */
  path: z.string(),
});
export type RecordMatch = z.infer<typeof RecordMatch>;

/** A section of a page that matched. */
export const PageMatch = z.object({
  page: z.string().describe('Path of the page.'),
  title: z.string().describe('Title of the page and heading of the section.'),
  anchor: z.string().nullable().describe('Id of the heading of the section; null at the start of the page.'),
  tokens: z.int().describe('About how many tokens the section has.'),
  score: z.number(),
  snippet: z.string().describe('Text of the section that fits best.'),
  /** Page and anchor: "/developers#limits". */
  path: z.string(),
});
export type PageMatch = z.infer<typeof PageMatch>;

export type SearchMatch = RecordMatch | PageMatch;
export type SearchKind = 'record' | 'page' | 'all';

export interface SearchOptions {
  /** Most matches to return; 10 by default. */
  limit?: number;
  /** Id of the only dataset to search. */
  dataset?: string;
  /** What to search; records by default. */
  kind?: SearchKind;
  /** How many of the best matches to pass over; none by default. */
  offset?: number;
}

/** Searches what an index was made of. Records alone are the answer unless the options say otherwise. */
export interface Search {
  (query: string, options?: SearchOptions & { kind?: 'record' }): RecordMatch[];
  (query: string, options?: SearchOptions): SearchMatch[];
  /** The same, with how many match in all. */
  page(query: string, options?: SearchOptions): { matches: SearchMatch[]; total: number };
}

const maxQueryCharacters = 500;
const maxQueryTerms = 12;
const maxTermCharacters = 40;
const maxNameWords = 5;
const maxSnippetCharacters = 200;

/**
 * The fields that are searched, in groups by how much a word in them says about what the record is. The engine sees the
 * groups; a group is worth its weight.
 */
type Group = 'names' | 'otherNames' | 'attributes' | 'main' | 'prose' | 'details';
const { groups, ...words } = document as {
  groups: Record<Group, { weight: number; fields: string[] }>;
  title: string[];
  stopWords: string;
};
const groupNames = Object.keys(groups) as Group[];
const searchedFields = groupNames.flatMap((group) => groups[group].fields);
const boost = Object.fromEntries(groupNames.map((group) => [group, groups[group].weight]));
const snippetFields = [...groups.main.fields, ...groups.prose.fields, 'text'];

/** Words too common to tell records apart. They still count in names and phrases. */
const stopWords = new Set(words.stopWords.split(' '));

/** What a match of names or of the whole phrase adds to the engine's score, which lies between 0 and 10. */
const points = { letterForLetter: 1, name: 30, otherName: 20, namePrefix: 10, phrase: 5, nameInside: 8 };

const wordExpression = /[\p{L}\p{N}\p{M}]+/gu;

/** A word as it is compared: lower case, compatibility forms resolved (NFKD), without accents. */
function toTerm(word: string): string {
  if (/^[A-Za-z0-9]*$/.test(word)) {
    return word.toLowerCase();
  }
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function toTerms(text: string): string[] {
  return (text.match(wordExpression) ?? []).map(toTerm).filter((term) => term !== '');
}

/** The form under which a term is kept in the index: cut to 40 characters, and without the "s" of a plural. */
function toStem(term: string): string {
  return term.slice(0, maxTermCharacters).replace(/(?<=^.{3,}[^su])s$/u, '');
}

/** The known stem that an unknown one becomes when two of its letters change places, which is two edits to the engine; else the same. */
function unswapped(stem: string, known: ReadonlySet<string>): string {
  if (known.has(stem) || stem.length < 4 || /^\d+$/.test(stem)) {
    return stem;
  }
  const letters = [...stem];
  const swapped = letters.slice(1).map((letter, index) =>
    toStem(
      letters
        .with(index, letter)
        .with(index + 1, letters[index] ?? '')
        .join(''),
    ),
  );
  return swapped.find((each) => known.has(each)) ?? stem;
}

/** The text of a field: lists are joined; of an object its `value`, `target` or `id` counts. */
function toText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  if (Array.isArray(value)) {
    return value
      .map(toText)
      .filter((text) => text !== '')
      .join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    const entries = new Map<string, unknown>(Object.entries(value));
    return toText(entries.get('value') ?? entries.get('target') ?? entries.get('id') ?? '');
  }
  return '';
}

/** A name as it is compared: its stems without anything between them. */
const toName = (terms: readonly string[]): string => terms.map(toStem).join('');

/** The names in a field, one for each element of a list, as they are compared. */
function toNames(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value])
    .map((name) => toName(toTerms(toText(name))))
    .filter((name) => name !== '');
}

interface Indexed {
  position: number;
  /** Where it comes from: a dataset, or a section of a page. */
  source: { dataset: SearchableDataset } | { section: PageSection };
  order: number;
  id: string;
  /** The text of the searched fields that have any. */
  fields: Map<string, string>;
  /** Stems of all texts, with spaces around each one and a bar between fields, for phrases. */
  phrases: string;
  names: string[];
  /** The names and other names in each field that has any. */
  namesByField: Map<string, string[]>;
  /** Each name and other name with the field that it's in. */
  fieldByName: Map<string, string>;
}

function toIndexed(source: Indexed['source'], order: number, record: { id: string }, position: number): Indexed {
  const values = new Map<string, unknown>(Object.entries(record));
  const fields: Indexed['fields'] = new Map();
  const phrases: string[] = [];
  for (const field of searchedFields) {
    const text = toText(values.get(field));
    if (text !== '') {
      const terms = toTerms(text);
      fields.set(field, text);
      phrases.push(` ${terms.map(toStem).join(' ')} `);
    }
  }
  const fieldByName = new Map<string, string>();
  const namesByField = new Map<string, string[]>();
  for (const field of [...groups.names.fields, ...groups.otherNames.fields]) {
    const names = toNames(values.get(field));
    if (names.length > 0) {
      namesByField.set(field, names);
    }
    for (const name of names) {
      if (!fieldByName.has(name)) {
        fieldByName.set(name, field);
      }
    }
  }
  const names = groups.names.fields.flatMap((field) => namesByField.get(field) ?? []);
  const text = { fields, phrases: phrases.join('|') };
  return { position, source, order, id: record.id, ...text, names, namesByField, fieldByName };
}

const pathOf = ({ path, anchor }: PageSection): string => (anchor === null ? path : `${path}#${anchor}`);

/** The stems in a field; a name is among them in one piece too. Made for what is shown, since they would be most of the index. */
function stemsOf({ fields, namesByField }: Indexed, field: string): Set<string> {
  return new Set([...toTerms(fields.get(field) ?? ''), ...(namesByField.get(field) ?? [])].map(toStem));
}

/** A section in the form of a record: its heading is its name, the page's title another one. */
const toSectionRecord = (section: PageSection) => ({
  id: pathOf(section),
  name: section.heading,
  full_name: section.page,
  text: section.parts.map(({ text }) => text).join(' '),
});

interface Index {
  records: readonly Indexed[];
  byName: ReadonlyMap<string, readonly Named[]>;
  /** All stems of the texts. */
  stems: ReadonlySet<string>;
  engine: MiniSearch<Indexed>;
}

function createIndex(datasets: readonly SearchableDataset[], content: PageContent): Index {
  const sources = [
    ...datasets.flatMap((dataset, order) => dataset.records.map((record) => ({ source: { dataset }, order, record }))),
    ...content.sections.map((section) => ({
      source: { section },
      order: datasets.length,
      record: toSectionRecord(section),
    })),
  ];
  const records = sources.map(({ source, order, record }, position) => toIndexed(source, order, record, position));
  const byName = new Map<string, Named[]>();
  for (const record of records) {
    for (const name of record.fieldByName.keys()) {
      const named = byName.get(name) ?? [];
      named.push({ record, points: record.names.includes(name) ? points.name : points.otherName });
      byName.set(name, named);
    }
  }
  const stems = new Set<string>();
  const engine = new MiniSearch<Indexed>({
    idField: 'position',
    fields: [...groupNames],
    extractField: (record, field) => {
      const group = groupNames.find((name) => name === field);
      if (group === undefined) {
        return record.position;
      }
      const text = groups[group].fields.map((name) => record.fields.get(name) ?? '').join('\n');
      return group === 'names' ? `${text}\n${record.names.join('\n')}` : text;
    },
    tokenize: toTerms,
    processTerm: (term) => {
      const stem = stopWords.has(term) ? null : toStem(term);
      if (stem !== null) {
        stems.add(stem);
      }
      return stem;
    },
  });
  engine.addAll(records);
  return { records, byName, stems, engine };
}

type IsWanted = (record: Indexed) => boolean;

/** What has the stems, by the engine's score. */
function lookUp({ records, stems: known, engine }: Index, stems: readonly string[], isWanted: IsWanted) {
  // A short word that is in the index is more likely meant as it is; the last one may still be being typed.
  const shortestPrefix = (stem: string, isLast: boolean): number => (known.has(stem) ? 4 : isLast ? 2 : 3);
  const isTypo = (stem: string): boolean => !known.has(stem) && !/^\d+$/.test(stem);
  const found: SearchResult[] =
    stems.length === 0
      ? []
      : engine.search(stems.join(' '), {
          boost,
          prefix: (stem, index) => stem.length >= shortestPrefix(stem, index === stems.length - 1),
          fuzzy: (stem) => (stem.length >= 4 && isTypo(stem) ? (stem.length >= 8 ? 2 : 1) : false),
          tokenize: (text) => text.split(' '),
          processTerm: (stem) => stem,
        });
  return found.flatMap(({ id, terms, queryTerms, score }) => {
    const record = records[id];
    return record !== undefined && isWanted(record) ? [{ record, terms, queryTerms, score }] : [];
  });
}

/** All that a query finds, with its score. */
function findCandidates(index: Index, query: string, isWanted: IsWanted): Candidate[] {
  const words = toTerms(query.slice(0, maxQueryCharacters));
  const telling = words.filter((word) => !stopWords.has(word) && word.length <= maxTermCharacters);
  const found = new Map<number, Candidate>();
  const stems = [...new Set(telling.map(toStem).map((stem) => unswapped(stem, index.stems)))].slice(0, maxQueryTerms);
  const whole = toName(words);
  // "gpt bot" is looked up as "gptbot" too, since names are in the index without spaces.
  const joined = words.length > 1 && index.stems.has(toStem(whole)) ? [toStem(whole)] : [];
  const phrase = ` ${words.map(toStem).join(' ')} `;
  const results = lookUp(index, [...joined, ...stems], isWanted);
  const held = new Set(results.flatMap(({ queryTerms }) => queryTerms));
  const isStrange = joined.length === 0 && stems.some((stem) => !held.has(stem));
  for (const { record, terms, queryTerms, score } of results) {
    if (!(isStrange && queryTerms.length <= stems.length / 2)) {
      const hasPhrase = words.length > 1 && queryTerms.length >= stems.length && record.phrases.includes(phrase);
      const base = toBase(score) + (hasPhrase ? points.phrase : 0);
      found.set(record.position, { record, stems: terms, nameField: null, score: base });
    }
  }
  for (const { record, points: worth } of index.byName.get(whole) ?? []) {
    if (isWanted(record)) {
      const candidate = found.get(record.position) ?? { record, stems: [], nameField: null, score: 0 };
      candidate.score += worth + (isLetterForLetter(query, record) ? points.letterForLetter : 0);
      candidate.nameField = record.fieldByName.get(whole) ?? null;
      found.set(record.position, candidate);
    }
  }
  const inside = findNamesInside(words, index.byName);
  for (const candidate of found.values()) {
    const { record, nameField } = candidate;
    if (whole.length >= 2 && nameField === null && record.names.some((name) => name.startsWith(whole))) {
      candidate.score += points.namePrefix;
    }
    candidate.score += inside.get(record.position) ?? 0;
    candidate.score = Math.round(candidate.score * 1000) / 1000;
  }
  return [...found.values()];
}

/** Makes the index. Datasets and pages are searched together; their order decides between equal scores. */
export function createSearch(datasets: readonly SearchableDataset[], content: PageContent = noPages): Search {
  const index = createIndex(datasets, content);
  function search(query: string, options?: SearchOptions & { kind?: 'record' }): RecordMatch[];
  function search(query: string, options?: SearchOptions): SearchMatch[];
  function search(query: string, options: SearchOptions = {}): SearchMatch[] {
    return page(query, options).matches;
  }
  function page(
    query: string,
    { limit = 10, dataset, kind = 'record', offset = 0 }: SearchOptions = {},
  ): { matches: SearchMatch[]; total: number } {
    const isWanted = ({ source }: Indexed): boolean =>
      'dataset' in source
        ? kind !== 'page' && (dataset === undefined || source.dataset.id === dataset)
        : kind !== 'record' && dataset === undefined;
    const found = findCandidates(index, query, isWanted).sort(byRank);
    return { matches: found.slice(offset, offset + Math.max(0, limit)).map(toMatch), total: found.length };
  }
  return Object.assign(search, { page });
}

/** Tells "Command A+" from "Command A": as names without punctuation they are the same. */
function isLetterForLetter(query: string, { fields }: Indexed): boolean {
  const wanted = query.trim().toLowerCase();
  return groups.names.fields.some((field) => fields.get(field)?.toLowerCase() === wanted);
}

/** A record that has a name, and what the name is worth when it is the whole query. */
interface Named {
  record: Indexed;
  points: number;
}

interface Candidate {
  record: Indexed;
  /** The stems in the index that matched. */
  stems: readonly string[];
  /** The field with the name that equals the query, when one does. */
  nameField: string | null;
  score: number;
}

/** BM25+ has no upper bound; this brings it between 0 and 10, so that it never outweighs a matching name. */
function toBase(score: number): number {
  return (10 * score) / (score + 60);
}

function byRank(one: Candidate, other: Candidate): number {
  return other.score - one.score || one.record.order - other.record.order || (one.record.id < other.record.id ? -1 : 1);
}

/** Records whose name is a part of the query, with points by how much of the query the name covers. */
function findNamesInside(
  words: readonly string[],
  byName: ReadonlyMap<string, readonly Named[]>,
): ReadonlyMap<number, number> {
  const inside = new Map<number, number>();
  const considered = words.slice(0, maxQueryTerms);
  const countTelling = (part: readonly string[]): number => part.filter((word) => !stopWords.has(word)).length;
  const telling = countTelling(considered);
  for (let start = 0; start < considered.length; start += 1) {
    for (let end = start + 1; end <= Math.min(start + maxNameWords, considered.length); end += 1) {
      const part = considered.slice(start, end);
      const share = countTelling(part) / telling;
      if (part.length === words.length || !(share > 0)) {
        continue;
      }
      for (const { record, points: worth } of byName.get(toName(part)) ?? []) {
        const earned = points.nameInside * (worth / points.name) * share;
        inside.set(record.position, Math.max(inside.get(record.position) ?? 0, earned));
      }
    }
  }
  return inside;
}

function toMatch({ record, stems: matchedStems, nameField, score }: Candidate): SearchMatch {
  const stems = new Set(matchedStems);
  const { source, id } = record;
  const snippet = toSnippet(record, stems);
  if ('section' in source) {
    const { path, page, heading, anchor, tokens } = source.section;
    const title = heading === page ? page : `${page}: ${heading}`;
    return { page: path, title, anchor, tokens, score, snippet, path: id };
  }
  const titleField = words.title.find((field) => record.fields.has(field)) ?? 'id';
  const fields = new Set(nameField === null ? [] : [nameField]);
  for (const field of record.fields.keys()) {
    if (!stemsOf(record, field).isDisjointFrom(stems)) {
      fields.add(field);
    }
  }
  return {
    dataset: source.dataset.id,
    id,
    title: record.fields.get(titleField) ?? id,
    score,
    snippet,
    matched: [...record.fields.keys()].filter((field) => fields.has(field)),
    path: `/${source.dataset.path}/${id}`,
  };
}

interface Word {
  start: number;
  end: number;
  /** The word's stem, if it is among those that matched. */
  hit: string | null;
}

function toWords(text: string, stems: ReadonlySet<string>): Word[] {
  return [...text.matchAll(wordExpression)].map(({ 0: word, index }) => {
    const stem = toStem(toTerm(word));
    return { start: index, end: index + word.length, hit: stems.has(stem) ? stem : null };
  });
}

/** Of the record's sentences the field with most of the stems, cut to the stretch with most of them; else what it is. */
function toSnippet(record: Indexed, stems: ReadonlySet<string>): string {
  let best = { text: record.id, hits: -1 };
  for (const field of snippetFields) {
    const text = record.fields.get(field);
    const hits = text === undefined ? -1 : stemsOf(record, field).intersection(stems).size;
    if (text !== undefined && hits > best.hits) {
      best = { text, hits };
    }
  }
  const { start, end } = chooseStretch(best.text, toWords(best.text, stems));
  return `${start > 0 ? '…' : ''}${best.text.slice(start, end)}${end < best.text.length ? '…' : ''}`;
}

/** The stretch of at most 200 characters, between words, that holds most different hits; the first one of several. */
function chooseStretch(text: string, words: readonly Word[]): { start: number; end: number } {
  if (text.length <= maxSnippetCharacters) {
    return { start: 0, end: text.length };
  }
  let best = { start: 0, hits: -1 };
  for (const [index, word] of words.entries()) {
    if (index > 0 && word.hit === null) {
      continue;
    }
    // A few words before the hit give it context.
    const start = index === 0 ? 0 : (words[Math.max(0, index - 4)]?.start ?? 0);
    const hits = new Set(
      words.flatMap(({ hit, start: from, end: to }) =>
        hit !== null && from >= start && to <= start + maxSnippetCharacters ? [hit] : [],
      ),
    ).size;
    if (hits > best.hits) {
      best = { start, hits };
    }
  }
  const start = best.start === words[0]?.start ? 0 : best.start;
  const lastWord = words.findLast((word) => word.start > start && word.end <= start + maxSnippetCharacters);
  if (text.length - start <= maxSnippetCharacters) {
    return { start, end: text.length };
  }
  return { start, end: lastWord?.end ?? start + maxSnippetCharacters };
}
