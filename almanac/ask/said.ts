import type { PagePart } from '../pages.ts';
import type { Askable, AskableField } from './askable.ts';
import { type Entry, isStatement } from './entries.ts';
import { fillSentence } from './records.ts';

/** A field of a record as a sentence. */
export interface SaidField extends PagePart {
  field: string;
  /** All fields that the sentence rests on. */
  fields: string[];
  isLead: boolean;
  /** Told after what else is told of the record. */
  isBackground: boolean;
  /** Said only where it is asked for by name: lists of names and addresses have the words of many questions. */
  isAside: boolean;
}

/** Fields that are no answer to anything but their own name. */
const asides = /^(sources|conflicts|last_verified|code_example|releases|sdks|see_also|aliases|also_known_as|rel:.*)$/;

const saidOf = new WeakMap<Entry, SaidField[]>();

export const isSaidField = (part: PagePart): part is SaidField => 'fields' in part;

/** A field as a sentence; nothing where it isn't confirmed. */
function sayField(askable: Askable, entry: Entry, { field, words }: AskableField): SaidField[] {
  const isLead = words.lead === true;
  const isBackground = words.background === true;
  if (words.unless !== undefined && askable.records.read(entry, words.unless) !== null) {
    return [];
  }
  const templates = field === 'note' ? ['{note}'] : words.say.slice(0, words.sentences ?? 1);
  // The name of a statement is the whole of it.
  const sayable = isStatement(entry) ? templates.filter((template) => !template.includes('{name}')) : templates;
  const sentences = sayable.flatMap((template) => fillSentence(askable.records, entry, field, template) ?? []);
  const text = sentences.map((sentence) => sentence.text).join(' ');
  const fields = sentences.flatMap((sentence) => sentence.fields);
  return text === ''
    ? []
    : [{ text, quote: text, fields, field, isLead, isBackground, isAside: asides.test(field), isCode: false }];
}

/** What a record says, field by field. A statement says itself first. */
export function sayFields(askable: Askable, entry: Entry): SaidField[] {
  const known = saidOf.get(entry);
  if (known !== undefined) {
    return known;
  }
  const said = askable.fieldsOf(entry.dataset).flatMap((field) => sayField(askable, entry, field));
  const { title } = entry;
  const whole = { text: title, quote: title, field: 'statement', fields: ['statement'], isLead: true };
  const all = isStatement(entry) ? [{ ...whole, isBackground: false, isAside: false, isCode: false }, ...said] : said;
  saidOf.set(entry, all);
  return all;
}

/** Where in what a record says a field is; its relations are several sentences. */
export const placesOf = (parts: readonly PagePart[], field: string): number[] =>
  parts.flatMap((part, at) =>
    isSaidField(part) && (part.field === field || (field === 'relationships' && part.field.startsWith('rel:')))
      ? [at]
      : [],
  );

/** What a record is, with its note. */
export const sayWhole = (askable: Askable, entry: Entry): SaidField[] =>
  askable
    .fieldsOf(entry.dataset)
    .filter(({ field, words }) => words.lead === true || field === 'note')
    .flatMap((field) => sayField(askable, entry, field));
