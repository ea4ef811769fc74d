import type { Askable, AskableField } from '../askable.ts';
import { type AskedField, oddsOfFields } from '../asked-fields.ts';
import { type Features, matchPhrases, nameOf, type WeighedPart, weightAt } from '../candidate.ts';
import type { Entry } from '../entries.ts';
import type { Question } from '../question.ts';
import { isSaidField } from '../said.ts';
import type { SectionMatch } from '../section-index.ts';
import type { Want } from '../wants.ts';
import type { Share } from './chosen-parts.ts';
import { type Asking, learnt, weighParts } from './weighed-parts.ts';

const MAX_PHRASE = 3;
/** The logarithm of a small likelihood as a feature: 0 for what is sure, about -1 for what isn't asked for. */
const LEAST_LIKELY = 0.003;
const OF_LOGARITHM = 6;

const oddsKept = new WeakMap<Question['words'], Map<string, ReadonlyMap<string, number>>>();

/** The same for all records of a dataset whose names have the same words of the question. */
function oddsOf(words: Question['words'], dataset: string, stems: readonly string[]): ReadonlyMap<string, number> {
  const kept = oddsKept.get(words) ?? new Map<string, ReadonlyMap<string, number>>();
  oddsKept.set(words, kept);
  const key = `${dataset} ${stems.join(' ')}`;
  const odds = kept.get(key) ?? oddsOfFields(dataset, stems);
  kept.set(key, odds);
  return odds;
}

/** How likely a question about a record asks for each of its fields, by its words besides the name. */
export function likelyFields(
  { words }: Question,
  { dataset }: Entry,
  ofName: ReadonlySet<string>,
  own?: AskedField,
): (field: string) => Features {
  const stems = [...new Set(words.map(({ stem }) => stem))].filter((stem) => !ofName.has(stem));
  const odds = own === undefined ? oddsOf(words, dataset, stems) : oddsOfFields(dataset, stems, own);
  return (field) => {
    const likely = odds.get(field) ?? 0;
    return { likely, likelihood: odds.size === 0 ? 0 : Math.log(likely + LEAST_LIKELY) / OF_LOGARITHM };
  };
}

const byName = new WeakMap<readonly AskableField[], ReadonlyMap<string, AskableField>>();

/** The fields of a dataset by their names. */
function fieldsByName(all: readonly AskableField[]): ReadonlyMap<string, AskableField> {
  const fields = byName.get(all) ?? new Map(all.map((one) => [one.field, one]));
  byName.set(all, fields);
  return fields;
}

/** All fields of a record that can be said first, with what speaks for each. */
export function weighFields(askable: Askable, asking: Asking, match: SectionMatch, shareOf: Share): WeighedPart[] {
  const { question } = asking;
  const { entry, ofHeading } = match.section;
  const { wants, words } = question;
  const taken = new Set(words.filter(({ stem }) => ofHeading.has(stem)).map(({ position }) => position));
  const fields = fieldsByName(askable.fieldsOf((entry as Entry).dataset));
  const asksFor = wants.has('who') || wants.has('when') || wants.has('where');
  const likely = likelyFields(question, entry as Entry, ofHeading);
  return weighParts(asking, match, shareOf, learnt.field, (part): Features => {
    if (!isSaidField(part)) {
      return {};
    }
    const field = fields.get(part.field);
    const { at, longest } = matchPhrases(question, field?.phrases ?? [], taken);
    const fits = [field?.words.fits ?? []].flat().some((kind) => wants.has(kind as Want));
    return {
      ...likely(part.field),
      [nameOf('field', part.field)]: 1,
      named: weightAt(question, at),
      longest: Math.min(MAX_PHRASE, longest),
      fits: fits ? 1 : 0,
      misfits: asksFor && !fits ? 1 : 0,
      defines: part.isLead && wants.has('define') ? 1 : 0,
      whether: field?.type === 'boolean' && wants.has('yesno') ? 1 : 0,
      background: part.isBackground ? 1 : 0,
    };
  });
}
