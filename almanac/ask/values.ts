import { type Entry, readText } from './entries.ts';
import { emptyWords, ordinaryWords } from './lexicon.ts';
import { foldText, toKey, toTokens } from './tokens.ts';

/** A value that questions filter by: an organisation, or a line of models such as "Claude" or "Opus". */
export interface NamedValue {
  facet: 'organisation' | 'family';
  value: string;
  /** The same organisation as other records write it: "Z.ai" and "Zhipu AI (Z.ai)". */
  spellings: readonly string[];
}

const organisationFields = ['operator', 'provider', 'creator', 'publisher'];

/** "Allen Institute for AI (Ai2)" also goes by "Ai2" and by what comes before the bracket; "Mistral AI" by "Mistral". */
function variants(name: string): string[] {
  const bracket = /\(([^)]+)\)/.exec(name)?.[1];
  const plain = name.replace(/\s*\([^)]*\)/g, '');
  return [
    name,
    plain,
    plain.replace(/[ .](AI|ai|Labs|Industries|Technologies)$/, ''),
    bracket !== undefined && /\p{Lu}/u.test(bracket) ? bracket : '',
  ];
}

/** Of "OpenAI, with Amp, Google (Jules), Cursor and Factory" each company. */
function organisationsIn(text: string): string[] {
  return text
    .replace(/\([^)]*\)/g, '')
    .split(/,|;| and | with | in the /)
    .map((part) => part.replace(/^\s*(with|the|also)\s+/, '').trim())
    .filter((part) => /^[A-Z]/.test(part) && part.split(' ').length <= 3 && !/^Unknown$|^Open source/.test(part));
}

/** Words in names of lines that say what a model is for, or how large it is, in any maker's line. */
const isKindOfModel =
  /^(audio|build|embed|embedding|flash|image|imagine|lite|live|oss|pro|realtime|research|robotics|seed|text|thinking|tts|use)$/;

/** Maps the key of each way of writing a value to that value. The first record to use a key names it. */
export function toNamedValues(entries: readonly Entry[]): Map<string, NamedValue> {
  const values = new Map<string, NamedValue>();
  const add = (text: string, facet: NamedValue['facet'], value: string): void => {
    const key = toKey(toTokens(foldText(text)));
    if (key.length < 2 || /^[\d.]+$/.test(key) || emptyWords.has(key)) {
      return;
    }
    const known = values.get(key);
    if (known === undefined) {
      values.set(key, { facet, value, spellings: [value] });
    } else if (known.facet === facet && !known.spellings.includes(value)) {
      values.set(key, { ...known, spellings: [...known.spellings, value] });
    }
  };
  const organisations = entries.flatMap((entry) =>
    organisationFields.flatMap((field) => {
      const text = readText(entry, field);
      const isOne = field === 'operator' || field === 'provider';
      return isOne && text !== 'Unknown' ? [text] : organisationsIn(text);
    }),
  );
  for (const name of new Set(organisations)) {
    for (const variant of variants(name)) {
      add(variant, 'organisation', name);
    }
  }
  for (const entry of entries) {
    const family = readText(entry, 'family');
    const [brand] = entry.title.split(/[ -]|(?<=[a-z])(?=\d)/);
    if (entry.dataset !== 'models' || family === '' || brand === undefined || brand.length < 3) {
      continue;
    }
    const word = family.split('-').at(-1) ?? '';
    for (const text of [brand, family, word]) {
      if (!ordinaryWords.has(text.toLowerCase()) && !isKindOfModel.test(text)) {
        add(text, 'family', text === brand ? brand : family);
      }
    }
  }
  return values;
}

/** Whether a record belongs to the family: by the field, or by the first word of its name. */
export function isOfFamily(entry: Entry, family: string): boolean {
  const own = readText(entry, 'family');
  const title = entry.title.toLowerCase();
  // "GPT-6" is no generation of "GPT-6.1 Sol".
  const isNumbered = /\d$/.test(family) && /^[.\d]/.test(title.slice(family.length));
  return own === family || own.startsWith(`${family}-`) || (title.startsWith(family.toLowerCase()) && !isNumbered);
}
