import { type Entry, readText, readTexts } from './entries.ts';
import { foldText, toKey, toTokens } from './tokens.ts';

/** From this strength on a name is one of the record's own. */
export const OWN_NAME = 0.9;

/** A name under which a record is asked for. Strength says how surely it means this record: 1 for its own name. */
export interface Name {
  text: string;
  strength: number;
}

const own = (texts: string[]): Name[] => texts.map((text) => ({ text, strength: 1 }));
const other = (texts: string[], strength: number): Name[] => texts.map((text) => ({ text, strength }));

const withoutBrackets = (text: string): string => text.replace(/\s*\([^)]*\)/g, '').trim();

/** "Agent Skill (SKILL.md)" goes by the name of its file too. */
const inBrackets = (text: string): string => /\((\S+\.\w+)\)/.exec(text)?.[1] ?? '';

/** "RFC 9421: HTTP Message Signatures" also goes by either half. */
const halves = (text: string): string[] => [text, withoutBrackets(text), ...text.split(/:\s+/)];

/** People drop the maker ("Nova Premier"), the line ("Opus 5.5") and the last word ("Llama 3.3 70B"). */
function modelNames(entry: Entry): Name[] {
  const name = entry.title;
  const provider = readText(entry, 'provider').split(' ')[0] ?? '';
  const short = name.startsWith(`${provider} `) ? name.slice(provider.length + 1) : name;
  const swapped = short.replace(/^(Claude) (\w+) ([\d.]+)$/, '$1 $3 $2');
  const variants = [
    short,
    swapped,
    `${provider} ${name}`,
    name.replace(/[ -](Instruct|IT|Preview)$/, ''),
    ...[short, swapped].map((text) => text.replace(/^Claude /, '')),
  ];
  return [...own([name, entry.id, readText(entry, 'api_id')]), ...other(variants, 0.95)];
}

const namesOf: Record<string, (entry: Entry) => Name[]> = {
  crawlers: (entry) => [
    ...own([entry.title, entry.id, withoutBrackets(entry.title)]),
    ...other([...readTexts(entry, 'aliases'), readText(entry, 'robots_token'), readText(entry, 'ua_substring')], 0.9),
  ],
  protocols: (entry) => [
    ...own([entry.title, entry.id, ...halves(readText(entry, 'full_name'))]),
    ...other([readText(entry, 'abbreviation'), ...readTexts(entry, 'also_known_as').flatMap(halves)], 0.9),
  ],
  models: modelNames,
  glossary: (entry) => [
    ...own([entry.title, entry.id, withoutBrackets(entry.title), readText(entry, 'abbreviation_of')]),
    ...other([...readTexts(entry, 'aliases').flatMap(halves), inBrackets(entry.title)], 0.95),
  ],
};

const read = new WeakMap<Entry, ReadonlyMap<string, Name>>();

/** All names of a record, keyed as questions are (`toKey`), each with its strength. Statements have no names. */
export function toNames(entry: Entry): ReadonlyMap<string, Name> {
  const known = read.get(entry);
  if (known !== undefined) {
    return known;
  }
  const names = new Map<string, Name>();
  for (const name of namesOf[entry.dataset]?.(entry) ?? []) {
    const key = toKey(toTokens(foldText(name.text)));
    if (key.length >= 2 && !/^[\d.]+$/.test(key) && (names.get(key)?.strength ?? 0) < name.strength) {
      names.set(key, name);
    }
  }
  read.set(entry, names);
  return names;
}
