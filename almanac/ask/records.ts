import type { RecordCitation } from './answer.ts';
import { type Entry, type Fact, readFact } from './entries.ts';
import { formatDate, formatList, formatNumber, formatWhen } from './format.ts';
import { vocabulary } from './vocabulary.ts';

/**
 * Reads values of records by path and puts them into words. A path is a field, a member of it (`pricing.input`), or a
 * relation: `rel:governs` from the record, `rel:built_on-of` towards it.
 */
export interface Records {
  entries: readonly Entry[];
  get(dataset: string, id: string): Entry | undefined;
  /** The value at a path; null when it is unconfirmed. */
  read(entry: Entry, path: string): Fact | null;
  /** The value as it is said in a sentence; null when it is unconfirmed. */
  format(entry: Entry, path: string): string | null;
  /** The records that a path leads to: successors, relations. */
  follow(entry: Entry, path: string): Entry[];
  /** One citation for each field that the paths name, with the field's value as it is. */
  cite(entry: Entry, paths: readonly string[]): RecordCitation[];
}

interface Relation {
  predicate: string;
  target: string;
  note: string;
}

const relationPath = /^rel:(.+?)(-of)?$/;
/** Relations that hold both ways, whichever of the records states them, and are asked for so. */
const mutual: ReadonlySet<string> = new Set(['competes_with']);
const MAX_LISTED = 8;

const relationsOf = (entry: Entry): Relation[] => (entry.record['relationships'] ?? []) as Relation[];

/** What a record notes of its relation to another. */
export function noteOf(from: Entry, path: string, to: Entry): string | undefined {
  const [, predicate] = relationPath.exec(path) ?? [];
  return relationsOf(from).find((link) => link.predicate === predicate && link.target === to.id)?.note;
}

const labels = new Map(
  Object.values(vocabulary).flatMap(({ fields }) => Object.entries(fields).map(([field, { label }]) => [field, label])),
);

/** The words for a field's name: "context window", "JWKS URL". */
export function labelOf(path: string): string {
  const [field = '', member = ''] = path.split('.');
  const label = labels.get(field)?.replace('{member} ', member === '' ? '' : `${member} `);
  return label ?? nameOf(path);
}

const nameOf = (path: string): string =>
  path
    .replace(/^rel:/, '')
    .replace(/-of$/, '')
    .replace(/[_.]/g, ' ')
    .replace(/\b(url|api|ip|dns|ua|id|jwks)\b/g, (word) => word.toUpperCase());

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** "FR" as "France", "US" as "the United States". */
function sayCountry(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
  return /^United|^Netherlands/.test(name) ? `the ${name}` : name;
}

/** The field of a record as it is; of its relations those of one kind. */
function citeOwn(entry: Entry, field: string, predicate?: string): RecordCitation[] {
  const { dataset, id, title, path } = entry;
  const raw = readFact(entry, field)?.value;
  const value =
    predicate === undefined || !Array.isArray(raw) ? raw : raw.filter((link: Relation) => link.predicate === predicate);
  const quote = typeof value === 'string' ? value : JSON.stringify(value);
  return value === undefined || (predicate !== undefined && quote === '[]')
    ? []
    : [{ dataset, id, title, path, fields: [field], quote }];
}

export function createRecords(entries: readonly Entry[]): Records {
  const byId = new Map(entries.map((entry) => [`${entry.dataset}/${entry.id}`, entry]));
  const reverse = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const { predicate, target } of relationsOf(entry)) {
      const key = `${predicate} ${target}`;
      reverse.set(key, [...(reverse.get(key) ?? []), entry]);
    }
  }
  const get = (dataset: string, id: string): Entry | undefined => byId.get(`${dataset}/${id}`);

  function follow(entry: Entry, path: string): Entry[] {
    const relation = path.startsWith('rel:') ? relationPath.exec(path) : null;
    if (relation !== null) {
      const [, predicate = '', isReverse] = relation;
      const towards = reverse.get(`${predicate} ${entry.id}`) ?? [];
      const own = relationsOf(entry)
        .filter((link) => link.predicate === predicate)
        .flatMap(({ target }) => get(entry.dataset, target) ?? []);
      return isReverse !== undefined ? towards : mutual.has(predicate) ? [...new Set([...own, ...towards])] : own;
    }
    return [readFact(entry, path)?.value].flat().flatMap((id) => get(entry.dataset, String(id)) ?? []);
  }

  function read(entry: Entry, path: string): Fact | null {
    if (path.startsWith('rel:')) {
      const titles = follow(entry, path).map(({ title }) => title);
      return titles.length === 0 ? null : { entry, field: 'relationships', value: titles, caveat: null };
    }
    if (!path.includes('.')) {
      return readFact(entry, path);
    }
    const [field = '', member = ''] = path.split('.');
    const fact = readFact(entry, field);
    if (fact === null) {
      return null;
    }
    const value = (fact.value as Readonly<Record<string, unknown>>)[member];
    return value === null || value === undefined ? null : { ...fact, value };
  }

  function say(entry: Entry, path: string, value: unknown): string {
    if (Array.isArray(value)) {
      const items = value.map((item) => say(entry, path, item));
      return items.length > MAX_LISTED
        ? `${items.slice(0, MAX_LISTED).join(', ')} and ${items.length - MAX_LISTED} more`
        : formatList(items);
    }
    if (typeof value === 'object' && value !== null) {
      return sayObject(entry, path, value as Readonly<Record<string, unknown>>);
    }
    if (typeof value === 'number') {
      return path === 'year' ? String(value) : formatNumber(value);
    }
    if (typeof value === 'boolean') {
      return value ? 'yes' : 'no';
    }
    const text = String(value);
    if (path === 'operator_country') {
      return sayCountry(text);
    }
    if (/^(replace[sd]|replaced_by|see_also)/.test(path)) {
      return get(entry.dataset, text)?.title ?? text;
    }
    return /^\d{4}-\d{2}(-\d{2})?$/.test(text) && path !== 'current_spec_version' ? formatDate(text) : text;
  }

  function sayObject(entry: Entry, path: string, object: Readonly<Record<string, unknown>>): string {
    if ('prefixes' in object) {
      return say(entry, path, object['prefixes']);
    }
    if ('title' in object && 'url' in object) {
      return `${String(object['title'])} (${String(object['url'])})`;
    }
    if ('input' in object && 'output' in object) {
      const [above, input, output] = ['above', 'input', 'output'].map((key) => formatNumber(Number(object[key])));
      const when = 'above' in object ? ` in prompts of more than ${above} tokens` : '';
      return `${input} for input and ${output} for output${when}`;
    }
    if (Array.isArray(object['values'])) {
      const sides = (object['values'] as { value: unknown; source: string }[]).map(
        (side) => `${String(side.value)} (${side.source})`,
      );
      return `on ${labelOf(String(object['field']))}, ${sides.join(' against ')}.`;
    }
    return 'value' in object
      ? say(entry, path, object['value'])
      : Object.entries(object)
          .filter(([, value]) => typeof value !== 'object')
          .map(([key, value]) => `${labelOf(key)} ${String(value)}`)
          .join(', ');
  }

  function cite(entry: Entry, paths: readonly string[]): RecordCitation[] {
    return [...new Set(paths)].flatMap((wanted) => {
      const [, predicate, isReverse] = relationPath.exec(wanted) ?? [];
      if (predicate === undefined) {
        return citeOwn(entry, wanted.split('.')[0] ?? wanted);
      }
      // What points here is stated by the records that point.
      const isFromOthers = isReverse !== undefined || mutual.has(predicate);
      const others = isFromOthers ? (reverse.get(`${predicate} ${entry.id}`) ?? []).slice(0, MAX_LISTED) : [];
      return [
        ...(isReverse === undefined ? citeOwn(entry, 'relationships', predicate) : []),
        ...others.flatMap((other) => citeOwn(other, 'relationships', predicate)),
      ];
    });
  }

  return {
    entries,
    get,
    read,
    follow,
    cite,
    format: (entry, path) => {
      const value = read(entry, path)?.value;
      return value === undefined || (Array.isArray(value) && value.length === 0) ? null : say(entry, path, value);
    },
  };
}

/** How many things a list has; the addresses of a crawler are one in an object. */
export const countOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : ((value as { prefixes?: unknown[] } | undefined)?.prefixes?.length ?? 0);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The name of a record as a sentence begins with it: a term that is no name has a capital there. */
export const nameFirst = ({ title, dataset }: Entry): string =>
  dataset === 'glossary' && /^[a-z][a-z -]+( \(.+\))?$/.test(title)
    ? title.charAt(0).toUpperCase() + title.slice(1)
    : title;

/** "A service that …" and "Fetches …" as sentences about their record. What is plural or no such text follows the name. */
function withSubject(entry: Entry, text: string): string {
  const { title, dataset } = entry;
  const name = nameFirst(entry);
  const isWord = name !== title;
  const isPlural = dataset === 'glossary' && /[^siu]s$/.test(title);
  // "An MCP extension is …" is a sentence of its own.
  if (
    text
      .toLowerCase()
      .replace(/^(an?|the) /, '')
      .startsWith(title.toLowerCase())
  ) {
    return text;
  }
  if (/^(An?|The|One) /.test(text) && !isPlural) {
    return `${name} is ${lowerFirst(text)}`;
  }
  if (/^(?!Its |This |As )[A-Z][a-z]*s [a-z]/.test(text) && dataset !== 'glossary') {
    return `${name} ${lowerFirst(text)}`;
  }
  return (isWord ? text.startsWith(title) : text.includes(title)) ? text : `${title}: ${text}`;
}

/** Either of two texts, which may have values of their own: "{status=retired:{name} was retired|…}". */
const byValue = /\{(\w+)=(\w+):((?:[^{}|]|\{[^{}]*\})*)\|((?:[^{}|]|\{[^{}]*\})*)\}/;

/** Fills one sentence of the vocabulary; null when a value in it is unconfirmed. Lists the fields that it rests on. */
export function fillSentence(
  records: Records,
  entry: Entry,
  field: string,
  template: string,
): { text: string; fields: string[] } | null {
  if (records.read(entry, field) === null && template.includes(`{${field}}`)) {
    return null;
  }
  const fields: string[] = [];
  let isWhole = true;
  const missing = (): string => {
    isWhole = false;
    return '';
  };
  const text = template
    .replace(/\{yes:([^|}]*)\|([^|}]*)(?:\|([^}]*))?\}/, (_, yes: string, no: string, part?: string) => {
      const value = records.read(entry, field)?.value;
      fields.push(field);
      return value === undefined ? missing() : value === 'partial' ? (part ?? yes) : value ? yes : no;
    })
    .replace(byValue, (_, path: string, value: string, is: string, isNot: string) => {
      fields.push(path);
      return records.read(entry, path)?.value === value ? is : isNot;
    })
    .replace(/\{means:([^}]+)\}/g, (_, path: string) => {
      fields.push(path);
      const value = String(records.read(entry, path)?.value);
      return vocabulary[entry.dataset]?.fields[path]?.means?.[value] ?? missing();
    })
    .replace(/\{(on:|as:|count:)?([^}]+)\}/g, (_, as: string | undefined, path: string) => {
      if (path === 'name') {
        return entry.title;
      }
      const value = records.format(entry, path);
      if (value === null) {
        return missing();
      }
      fields.push(path);
      if (as === 'count:') {
        return String(countOf(records.read(entry, path)?.value));
      }
      const text = value.replace(/(?<=.)\.$/, '');
      return as === undefined
        ? text
        : as === 'as:'
          ? withSubject(entry, text)
          : formatWhen(String(records.read(entry, path)?.value));
    });
  return isWhole ? { text: /[.!?:]$|\n/.test(text) ? text : `${text}.`, fields } : null;
}
