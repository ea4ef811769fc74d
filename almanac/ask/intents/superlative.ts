import { findConditions, findNoun } from '../conditions.ts';
import { type Entry, readFact } from '../entries.ts';
import { formatList, formatNumber, formatWhen } from '../format.ts';
import { explain, type Intent, matchPatterns } from '../intent.ts';
import type { Question } from '../link.ts';

interface Measure {
  dataset: string;
  field: string;
  words: RegExp;
  /** 1 when the extreme asked for is the largest value, -1 when it is the smallest. */
  direction: 1 | -1;
  read(value: unknown): number | null;
  say(names: string, value: unknown): string;
}

const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A date as a number in the order of the calendar; the part that is not stated counts as zero. */
const toTime = (value: unknown): number | null =>
  typeof value === 'string' ? Number(value.replaceAll('-', '').padEnd(8, '0')) : null;

const toPrice = (value: unknown): number | null =>
  typeof value === 'object' && value !== null && 'input' in value ? toNumber(value.input) : null;

const isVerb = (names: string): string => (names.includes(' and ') ? 'are' : 'is');

const date = (dataset: string, field: string, direction: 1 | -1, words: RegExp, verb: string): Measure => ({
  dataset,
  field,
  words,
  direction,
  read: toTime,
  say: (names, value) =>
    `The ${direction === 1 ? 'newest' : 'oldest'} by ${verb} ${isVerb(names)} ${names}, ${formatWhen(String(value))}.`,
});

const size = (field: string, direction: 1 | -1, words: RegExp, label: string): Measure => ({
  dataset: 'models',
  field,
  words,
  direction,
  read: toNumber,
  say: (names, value) =>
    `The ${direction === 1 ? 'largest' : 'smallest'} ${label} is that of ${names}: ${formatNumber(Number(value))} tokens.`,
});

const price = (direction: 1 | -1, words: RegExp): Measure => ({
  dataset: 'models',
  field: 'pricing_usd_per_mtok',
  words,
  direction,
  read: toPrice,
  say: (names, value) =>
    `The ${direction === 1 ? 'most expensive' : 'cheapest'} by the list price of input ${isVerb(names)} ${names}: ${formatNumber(toPrice(value) ?? 0)} US dollars per million tokens.`,
});

const large = '(largest|biggest|longest|highest|most|maximum|greatest|widest|larger|bigger)';
const small = '(smallest|shortest|lowest|least|tiniest)';

const measures: readonly Measure[] = [
  size('max_output', 1, new RegExp(` ${large} (\\S+ )?(output|response)( limit| tokens| length)? `), 'output limit'),
  size('max_output', -1, new RegExp(` ${small} (\\S+ )?(output|response)( limit| tokens| length)? `), 'output limit'),
  size(
    'context_window',
    1,
    new RegExp(` ${large} (\\S+ )?(context|input|window)( window| length| size| limit)? `),
    'context window',
  ),
  size(
    'context_window',
    -1,
    new RegExp(` ${small} (\\S+ )?(context|input|window)( window| length| size| limit)? `),
    'context window',
  ),
  date(
    'models',
    'knowledge_cutoff',
    1,
    / (newest|latest|most recent|freshest) (knowledge|training)?( data)? ?(cutoff|cut off|knowledge) /,
    'knowledge cutoff',
  ),
  price(-1, / (cheapest|least expensive|lowest (price|cost)|most affordable) /),
  price(1, / (most expensive|dearest|costliest|highest (price|cost)|priciest) /),
  date(
    'models',
    'released',
    1,
    / (newest|latest|most recent|most recently (released|launched|published)|last) /,
    'release date',
  ),
  date('models', 'released', -1, / (oldest|earliest|first) /, 'release date'),
  date(
    'protocols',
    'spec_date',
    1,
    / ((most|last) recent(ly)? (updated|revised|changed)|latest (version|revision|update)|newest (version|revision)) /,
    'date of the current version',
  ),
  date(
    'protocols',
    'launch_date',
    1,
    / (newest|latest|most recent|youngest|most recently (launched|published|released)) /,
    'launch date',
  ),
  date('protocols', 'launch_date', -1, / (oldest|earliest|first) /, 'launch date'),
];

/** A dataset may be named by its noun, or models by a maker or a line alone: "the latest Claude". */
function findDataset(question: Question): string | null {
  const noun = findNoun(question)?.dataset ?? null;
  return noun ?? (question.values.length > 0 ? 'models' : null);
}

/** The newest, oldest, largest, smallest, cheapest … of a dataset, under conditions. */
export const superlative: Intent = {
  id: 'superlative',
  read(question, index) {
    const dataset = findDataset(question);
    const measure = measures.find((candidate) => candidate.dataset === dataset && candidate.words.test(question.plain));
    const hasName = question.mentions.some(
      ({ isGeneral, links }) => !isGeneral && links[0]?.entry.dataset !== 'glossary',
    );
    if (dataset === null || measure === undefined || hasName) {
      return null;
    }
    const found = findConditions(question, dataset, index);
    if (found === null) {
      return null;
    }
    const { conditions, patterns } = found;
    const kept = conditions.filter(
      (condition) => condition.field !== measure.field || / released in /.test(condition.clause),
    );
    const noun = findNoun(question)?.pattern;
    const asked = [
      / (which|what|whats|who|name|show|give) (is |are |has |have |does |do )?/,
      / (released?|launched|published|by|has|have|from|of|made|with|date|out|input|price|llm) /,
      / (by|in terms of|per|of) … (price|cost|pricing|date|tokens?|size) /,
      measure.words,
      ...(noun === undefined ? [] : [noun]),
      ...patterns,
    ];
    const candidates = index.of(dataset).filter((entry) => kept.every((condition) => condition.test(entry)));
    const winners = findExtremes(candidates, measure);
    const facts = winners.flatMap((entry) =>
      [measure.field, ...kept.map((condition) => condition.field)].flatMap((field) => readFact(entry, field) ?? []),
    );
    const names = formatList(winners.map((entry) => entry.title));
    const clauses = kept.map((condition) => condition.clause).join(', ');
    const lead = kept.length === 0 ? '' : `Among ${dataset} ${clauses}: `;
    const value = facts[0]?.value;
    return {
      intent: 'superlative',
      certainty: 0.96,
      strength: 1,
      explained: explain(matchPatterns(question, asked) ?? [], question.values),
      text:
        winners.length === 0
          ? `The almanac confirms no such value for ${dataset} ${clauses}.`
          : toLedSentence(lead, measure.say(names, value)),
      facts,
      notes: [`Records in which ${measure.field} is unconfirmed are left out.`],
      unconfirmed: [],
    };
  },
};

/** A sentence after a lead that ends in a colon goes on in lower case. */
const toLedSentence = (lead: string, sentence: string): string =>
  lead === '' ? sentence : `${lead}${sentence.replace(/^The /, 'the ')}`;

function findExtremes(entries: readonly Entry[], measure: Measure): Entry[] {
  let best: number | null = null;
  let winners: Entry[] = [];
  for (const entry of entries) {
    const value = measure.read(readFact(entry, measure.field)?.value);
    if (value === null) {
      continue;
    }
    if (best === null || (value - best) * measure.direction > 0) {
      best = value;
      winners = [entry];
    } else if (value === best) {
      winners.push(entry);
    }
  }
  return winners;
}
