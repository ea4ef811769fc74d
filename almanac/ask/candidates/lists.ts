import type { RecordCitation } from '../answer.ts';
import type { Askable } from '../askable.ts';
import {
  type Candidate,
  type Composed,
  explain,
  type Features,
  matchPhrases,
  mostAsked,
  nothingExplained,
  positionsLike,
  positionsOf,
} from '../candidate.ts';
import { type Entry, isStatement, readText } from '../entries.ts';
import { formatList } from '../format.ts';
import { hasForm, stemsOf } from '../lexicon.ts';
import type { Question } from '../question.ts';
import { labelOf } from '../records.ts';
import { type Degree, degrees } from '../vocabulary.ts';
import { type Condition, numberFields, readConditions, toSide } from './conditions.ts';
import { fieldCandidates, MAX_GROUP, severalOf } from './fields.ts';

/** How many names a list gives before it says how many more there are. */
const MAX_NAMES = 12;
/** And where all are asked for. */
const MAX_ALL_NAMES = 40;
/** How much of a name that a list has among others it explains. */
const KNOWN = 0.9;
/** How many are named of those that share the first place. */
const MAX_TIES = 6;

/** Records of one dataset that fit the conditions of the question, and what of the question that explains. */
interface Selection {
  dataset: string;
  all: readonly Entry[];
  matching: readonly Entry[];
  conditions: readonly Condition[];
  /** The conditions of the question, where no record fits all of them. */
  unmet: readonly Condition[];
  explained: readonly number[];
  features: Features;
  /** Whether the question asks for the records themselves, and not only for something about them. */
  isAsked: boolean;
}

const capitalise = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** "models of OpenAI that read images", and the fields that decide it. */
const describe = (askable: Askable, { dataset, conditions }: Selection): string =>
  [askable.pluralOf(dataset), ...conditions.map(({ that }) => that)].join(' ');

/** Lists, counts and superlatives over each dataset, with the conditions that the question names. */
export function listCandidates(askable: Askable, question: Question): Candidate[] {
  return askable.datasets.flatMap((dataset) => {
    const selection = select(askable, question, dataset);
    if (selection === null) {
      return [];
    }
    const most = selection.isAsked ? mostCandidates(askable, question, selection) : [];
    return [
      ...most,
      ...(selection.isAsked ? nameCandidates(askable, question, selection) : []),
      // "The most expensive model of OpenAI" is one of them, and not a field of each.
      ...(most.length > 0 ? [] : groupCandidates(askable, question, selection)),
    ];
  });
}

/** The words of names say nothing else: "Agentic Commerce Protocol" is no list of protocols. */
const inNames = ({ mentions }: Question): Set<number> =>
  new Set(
    mentions
      .filter(({ entries, from, to }) => entries.some(({ entry }) => entry.dataset !== 'glossary') && to - from > 1)
      .flatMap(positionsOf),
  );

function select(askable: Askable, question: Question, dataset: string): Selection | null {
  const named = inNames(question);
  const noun = matchPhrases(question, askable.nounsOf(dataset), named);
  const all = askable.of(dataset);
  const asked = readConditions(askable, question, dataset, new Set([...noun.at, ...named]), noun.at);
  const conditions = relax(all, asked, askable.wordsOf(dataset).organisation);
  const isAsked =
    degrees.some(({ cue }) => cue.test(question.plain)) ||
    ['list', 'count'].some((want) => question.wants.has(want as 'list'));
  const isFilter = /^[\w\s.-]+=/.test(question.text);
  const isWorded = askable.nounsOf(dataset).length > 0 && dataset !== 'glossary';
  const { date, organisation } = askable.wordsOf(dataset);
  // "a user-triggered fetcher" is a term, and no crawlers that fit a condition.
  const at = [...noun.at, ...conditions.flatMap((condition) => [...condition.at])];
  const isTerm = question.mentions.some(({ from, to }) => at.every((position) => position >= from && position < to));
  const isDated = conditions.length > 1 && conditions.some(({ field }) => field === date);
  const isNamed = conditions.some(({ field }) => organisation.includes(field));
  // "Something under MIT with at least a million tokens": nothing else has both.
  const isSized = conditions.length > 1 && conditions.some(({ isNumber }) => isNumber === true);
  const isLine = conditions.some(({ field }) => field === 'family');
  // "The biggest context window": only models have one.
  const isOrdered =
    isWorded &&
    degrees.some(({ cue, field }) => field === null && cue.test(question.plain)) &&
    mostAsked(question, numberFields(askable, dataset)).length > 0;
  const isList =
    noun.at.size > 0 || isOrdered || (isWorded && conditions.length > 0 && (isAsked || isFilter || isDated || isSized));
  if ((!isList && !(isWorded && (isNamed || isLine))) || (isTerm && !isAsked && question.wants.has('define'))) {
    return null;
  }
  const explained = nothingExplained(question);
  explain(explained, noun.at, 1);
  for (const { at } of conditions) {
    explain(explained, at, 1);
  }
  // Terms are listed by their subject, and only where they're asked for: "the word for …" is one.
  if (dataset === 'glossary' && !(isAsked && /\b(terms|concepts|definitions|words)\b/.test(question.plain))) {
    return null;
  }
  // "How many are free?" is asked of models only where they're named.
  if (noun.at.size === 0 && conditions.length === 1 && conditions[0]?.isFree === true) {
    return null;
  }
  // Of statements there are too many for a list: only what is dated is listed.
  if (all.some(isStatement) && !conditions.some(({ field }) => field === date)) {
    return null;
  }
  return {
    dataset,
    all,
    matching: all.filter((entry) => conditions.every(({ test }) => test(entry))),
    conditions,
    unmet: asked.length > 1 && !all.some((entry) => asked.every(({ test }) => test(entry))) ? asked : [],
    explained,
    isAsked: isList,
    features: {
      conditions: Math.min(3, conditions.length),
      noun: matchPhrases(question, askable.nounsOf(dataset)).at.size > 0 ? 1 : 0,
      named: question.mentions.some(({ entries }) => entries[0]?.entry.dataset === dataset) ? 1 : 0,
    },
  };
}

/**
 * Conditions that records fit together: where none does, all but the one that leaves the most records, and at last that of
 * the organisation alone. The others leave their words open.
 */
function relax(
  all: readonly Entry[],
  conditions: readonly Condition[],
  organisation: readonly string[],
): readonly Condition[] {
  const count = (some: readonly Condition[]): number =>
    all.filter((entry) => some.every(({ test }) => test(entry))).length;
  const named = conditions.filter(({ field }) => organisation.includes(field));
  if (named.length === 0 || count(conditions) > 0) {
    return conditions;
  }
  const [best] = conditions
    .filter((condition) => !named.includes(condition))
    .map((left) => conditions.filter((condition) => condition !== left))
    .map((rest) => ({ rest, size: count(rest) }))
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size);
  return best?.rest ?? named;
}

/** Dates besides the one by which a dataset has its newest record. */
const otherDate = /^(knowledge_cutoff|retired_on|draft_expires|spec_date)$/;

/** The path that a superlative orders by. */
function toOrder(
  askable: Askable,
  question: Question,
  dataset: string,
  degree: Degree,
): { path: string; at: Set<number> } | null {
  const { date, fields } = askable.wordsOf(dataset);
  // "the most recent knowledge cutoff": the date that is named, and not the dataset's own.
  const dates = askable.fieldsOf(dataset).filter(({ field }) => otherDate.test(field));
  const [dated] = degree.field === 'date' ? mostAsked(question, dates) : [];
  if (dated !== undefined) {
    return { path: dated.field.field, at: dated.at };
  }
  if (degree.field !== null) {
    const path = degree.field === 'date' ? date : toSide(question.plain, degree.field);
    const isHeld = path !== null && askable.of(dataset).some((entry) => askable.records.read(entry, path) !== null);
    return path === null || !isHeld ? null : { path, at: new Set() };
  }
  const [asked] = mostAsked(question, numberFields(askable, dataset));
  if (asked === undefined) {
    const usual = Object.entries(fields).find(([, { unit }]) => unit !== undefined);
    return usual === undefined ? null : { path: usual[0], at: new Set() };
  }
  const { member } = asked.field.words;
  const { field } = asked.field;
  return { path: member === undefined ? field : toSide(question.plain, `${field}.${member}`), at: asked.at };
}

/** "The most honest model" isn't the one with the largest window. */
function isMostOfOther(question: Question, { explained }: Selection, at: ReadonlySet<number>): boolean {
  const [most] = positionsLike(question, /^(most|least)$/);
  const next = most === undefined ? undefined : question.words[most + 1];
  return (
    next !== undefined &&
    !next.isEmpty &&
    explained[next.position] !== 1 &&
    !at.has(next.position) &&
    !degrees.some(({ cue }) => cue.test(`${question.words[next.position - 1]?.word} ${next.word}`) && !cue.test('most'))
  );
}

function topCandidates(askable: Askable, question: Question, selection: Selection): Candidate[] {
  const { dataset, matching } = selection;
  const degree = degrees.find(({ cue }) => cue.test(question.plain));
  const order = degree === undefined ? null : toOrder(askable, question, dataset, degree);
  if (degree === undefined || order === null || isMostOfOther(question, selection, order.at)) {
    return [];
  }
  // What is no longer sold has no price to compare, unless the question is about that.
  const isSold = ({ record }: Entry): boolean => !('status' in record) || record.status !== 'retired';
  const ordered = askable.wordsOf(dataset).fields[order.path.split('.')[0] ?? ''];
  const isOfToday = ordered?.current === true && selection.conditions.every(({ field }) => field !== 'status');
  const ranked = matching
    .filter((entry) => !isOfToday || isSold(entry))
    .flatMap((entry) => {
      const value = askable.records.read(entry, order.path)?.value;
      return typeof value === 'number' || typeof value === 'string' ? [{ entry, value }] : [];
    })
    .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (degree.top ? -1 : 1));
  const [first] = ranked;
  if (first === undefined) {
    return [];
  }
  const explained = [...selection.explained];
  explain(explained, positionsLike(question, /^(most|least|expensive|recent|recently|price)$/), 1);
  explain(
    explained,
    question.words.filter(({ word }) => degree.cue.test(word)).map(({ position }) => position),
    1,
  );
  explain(explained, order.at, 1);
  const ties = ranked.filter(({ value }) => value === first.value).map(({ entry }) => entry);
  const compose = (): Composed =>
    composeTop(
      askable,
      selection,
      degree,
      order.path,
      ties,
      ranked.slice(ties.length).map(({ entry }) => entry),
    );
  const top: Candidate = {
    intent: `top:${dataset}.${order.path}`,
    entry: null,
    explained,
    features: { isTop: 1, ...selection.features },
    subject: first.entry.title,
    compose,
  };
  return [top, ...(ties.length === 1 ? askOf(askable, question, first.entry, explained, compose()) : [])];
}

/** "How much does the newest model of OpenAI cost?": what was found is asked about in its turn. */
function askOf(
  askable: Askable,
  question: Question,
  entry: Entry,
  explained: readonly number[],
  via: Composed,
): Candidate[] {
  const taken = new Set(explained.flatMap((share, position) => (share === 1 ? [position] : [])));
  return fieldCandidates(askable, question, { entry, strength: 0.9, taken, isFirst: true, via });
}

/** What is the most of its kind; where makers are asked for and no number is, who has the most. */
function mostCandidates(askable: Askable, question: Question, selection: Selection): Candidate[] {
  const makers = makerCandidates(askable, question, selection);
  const isByNumber = mostAsked(question, numberFields(askable, selection.dataset)).length > 0;
  return makers.length > 0 && !isByNumber ? makers : [...topCandidates(askable, question, selection), ...makers];
}

/** "Which maker has the most models?", "Whose models fill most of your catalogue?": who has how many, the most first. */
function makerCandidates(askable: Askable, question: Question, selection: Selection): Candidate[] {
  const { dataset, conditions, matching } = selection;
  const { organisation } = askable.wordsOf(dataset);
  const [field] = askable.fieldsOf(dataset).filter((one) => organisation.includes(one.field));
  const asked = field === undefined ? new Set<number>() : matchPhrases(question, field.phrases).at;
  const most = positionsLike(question, /^(most|largest)$/);
  const nouns = matchPhrases(question, askable.nounsOf(dataset)).at;
  // "the most crawlers", and not "the crawler with the most requests".
  const isOfNoun = most.some((position) => [1, 2, 3].some((gap) => nouns.has(position + gap)));
  const isAsked =
    most.length > 0 &&
    (/\bwhose\b/.test(question.plain) || (isOfNoun && (question.wants.has('who') || asked.size > 0)));
  if (!isAsked || field === undefined || conditions.some((condition) => organisation.includes(condition.field))) {
    return [];
  }
  const makers = [...Map.groupBy(matching, (entry) => askable.records.format(entry, field.field) ?? '')]
    .filter(([maker]) => maker !== '' && maker !== 'Unknown')
    .sort(([, some], [, others]) => others.length - some.length);
  const explained = [...selection.explained];
  explain(explained, [...asked, ...most, ...positionsLike(question, /^(who|whose|which|many|how)$/)], 1);
  const [first, ...rest] = makers;
  const next = rest.slice(0, 3).map(([maker, some]) => `${maker} (${some.length})`);
  return first === undefined
    ? []
    : [
        {
          intent: `makers:${dataset}`,
          entry: null,
          explained,
          features: { ...selection.features, isTop: 1 },
          compose: () => ({
            text: `The almanac has ${first[1].length} ${describe(askable, selection)} of ${first[0]} (of ${matching.length}), the most of all. Next: ${formatList(next)}.`,
            citations: [
              citeWhole(askable, selection),
              ...makers
                .slice(0, 4)
                .flatMap(([, [entry]]) => (entry === undefined ? [] : askable.records.cite(entry, [field.field]))),
            ],
          }),
        },
      ];
}

function composeTop(
  askable: Askable,
  selection: Selection,
  degree: Degree,
  path: string,
  ties: readonly Entry[],
  rest: readonly Entry[],
): Composed {
  const { records } = askable;
  const { dataset, conditions } = selection;
  const words = askable.wordsOf(dataset);
  const field = words.fields[path.split('.')[0] ?? ''];
  const unit = field?.unit === undefined ? '' : ` ${field.unit}`;
  const [first] = ties;
  const left = ties.length - MAX_TIES;
  const names = formatList([
    ...ties.slice(0, MAX_TIES).map(({ title }) => title),
    ...(left > 0 ? [`${left} more`] : []),
  ]);
  const among = describe(askable, selection);
  const value = first === undefined ? '' : `${records.format(first, path) ?? ''}${unit}`;
  const isDate = path === words.date;
  const kind = isDate
    ? degree.top
      ? 'newest'
      : 'oldest'
    : degree.field === null
      ? `${degree.top ? 'largest' : 'smallest'} ${labelOf(path)}`
      : degree.field === 'date'
        ? `${degree.top ? 'latest' : 'earliest'} ${labelOf(path)}`
        : degree.top
          ? 'most expensive'
          : 'cheapest';
  const text =
    isDate || (degree.field !== null && degree.field !== 'date')
      ? `The ${kind} of the ${among}: ${names} (${value}).`
      : `The ${kind} among the ${among}: ${names}, with ${value}.`;
  const next = rest.slice(0, 2).map((entry) => `${entry.title} (${records.format(entry, path) ?? ''})`);
  const cited = [path, ...conditions.map((condition) => condition.field)];
  return {
    text: `${text}${next.length === 0 ? '' : ` Next: ${formatList(next)}.`}`,
    citations: [...ties.slice(0, MAX_TIES), ...rest.slice(0, 2)].flatMap((entry) => records.cite(entry, cited)),
  };
}

/**
 * One field of the records of an organisation, or of a short line of models: "How do I stop Meta from training on my
 * site?", "Is gpt-oss under MIT?"
 */
function groupCandidates(askable: Askable, question: Question, selection: Selection): Candidate[] {
  const { dataset, conditions, explained } = selection;
  const { organisation } = askable.wordsOf(dataset);
  const matching = selection.matching.filter(({ record }) => record['status'] !== 'retired');
  // Where one of them is named, the others aren't meant.
  const isNamed = question.mentions.some((mention) => mention.entries.some(({ entry }) => matching.includes(entry)));
  const isLine = matching.length <= MAX_GROUP && conditions.some(({ field }) => field === 'family');
  if (isNamed || !(isLine || conditions.some(({ field }) => organisation.includes(field)))) {
    return [];
  }
  const taken = new Set(explained.flatMap((share, position) => (share === 1 ? [position] : [])));
  const features = { isGroup: 1, conditions: Math.min(3, conditions.length) };
  return [
    ...meantCandidates(askable, question, selection),
    ...severalOf(
      askable,
      question,
      inOrder(askable, { ...selection, matching }).slice(0, MAX_GROUP),
      taken,
      features,
    ).filter(
      (candidate) =>
        (!asksWhether(question) || candidate.features['boolean'] === 1) &&
        !selection.unmet.some(({ field }) => candidate.intent.endsWith(`.${field}`)),
    ),
  ];
}

/** How much more of the question's words the record that is meant has to have than any other of the group. */
const LEAST_LEAD = 0.12;
/** And how much of them. */
const LEAST_SHARE = 0.3;

/** "The shopping crawler of Google" is one of many: the one whose name, kind and purpose have most of the other words. */
function meantCandidates(askable: Askable, question: Question, { dataset, all, conditions }: Selection): Candidate[] {
  const { organisation } = askable.wordsOf(dataset);
  const own = conditions.filter(({ field }) => organisation.includes(field));
  const noun = matchPhrases(question, askable.nounsOf(dataset));
  const taken = new Set([...noun.at, ...own.flatMap(({ at }) => [...at]), ...inNames(question)]);
  const [first, second] = all
    .filter((entry) => entry.record['status'] !== 'retired' && own.every(({ test }) => test(entry)))
    .map((entry) => {
      const lead = askable.fieldsOf(dataset).find(({ words }) => words.lead === true)?.field ?? '';
      const texts = [entry.title, readText(entry, 'bot_type'), askable.records.format(entry, lead)];
      const stems = new Set(stemsOf(texts.join(' ')));
      const said = question.words.filter(({ stem, position }) => !taken.has(position) && hasForm(stems, stem));
      return { entry, said, score: said.reduce((sum, { weight }) => sum + weight, 0) };
    })
    .sort((a, b) => b.score - a.score);
  const open = question.words.filter(({ position }) => !taken.has(position));
  const least = LEAST_SHARE * open.reduce((sum, { weight }) => sum + weight, 0);
  if (first === undefined || second === undefined || first.score < Math.max(least, second.score + LEAST_LEAD)) {
    return [];
  }
  const found = taken.union(new Set(first.said.map(({ position }) => position)));
  const subject = { entry: first.entry, strength: 0.85, taken: found, isFirst: true, via: null };
  const lead = askable.fieldsOf(dataset).find(({ words }) => words.lead === true)?.field;
  // What a record is, is asked for by its name: "AI summaries" asks for the summary of none.
  const isAsked = ({ intent }: Candidate): boolean => intent !== `field:${dataset}.${lead}`;
  return fieldCandidates(askable, question, subject)
    .filter(isAsked)
    .map((candidate) => ({
      ...candidate,
      features: { ...candidate.features, isMeant: 1 },
      subject: first.entry.title,
    }));
}

/** "Does Cloudflare block AI crawlers?" asks whether, and not which or how. */
const asksWhether = ({ wants, plain }: Question): boolean =>
  wants.has('yesno') &&
  !wants.has('howto') &&
  !/\b(have|has|any|there|which|list|offers?|sells?|ships?|provides?)\b/.test(plain);

/** What is said of a list besides: "Which others does X send out? I only know GPTBot." */
const others = /^(other|others|else|besides|different|various|know|only|send|sends)$/;

/** A record that the question names is one of those that a list has. */
function explainKnown(question: Question, { matching, conditions }: Selection, explained: number[]): void {
  const known = question.mentions.filter(({ entries }) => entries.some(({ entry }) => matching.includes(entry)));
  if (known.length > 0 && conditions.length > 0 && question.wants.has('list')) {
    explain(explained, [...known.flatMap(positionsOf), ...positionsLike(question, others)], KNOWN);
  }
}

/** Names and numbers of records: "Crawlers that sign their requests: …", "The almanac has 12 …". */
function nameCandidates(askable: Askable, question: Question, selection: Selection): Candidate[] {
  const { dataset, conditions, matching } = selection;
  const explained = [...selection.explained];
  explain(explained, positionsLike(question, /^(many|number|count|list|all|total|almanac|exist|available)$/), 1);
  explainKnown(question, selection, explained);
  const isCount = question.wants.has('count');
  const [only] = matching.length === 1 ? matching : [];
  const toCandidate = (kind: 'list' | 'count', features: Features): Candidate => ({
    intent: `${kind}:${dataset}`,
    entry: null,
    explained,
    features: { ...selection.features, ...features, many: matching.length > 40 ? 1 : 0 },
    // "… and do they follow robots.txt?"
    ...(matching.length > MAX_GROUP ? {} : { subject: formatList(matching.map(({ title }) => title)) }),
    compose: () => composeNames(askable, selection, kind === 'count', mostNames(question)),
  });
  const isListed = !isCount && !asksWhether(question) && (conditions.length > 0 || question.wants.has('list'));
  // Who asks for models of Anthropic that make images isn't served with those that make none.
  const none = noneCandidates(askable, selection);
  if (none.length > 0 && !isCount) {
    return none;
  }
  const list = isListed ? toCandidate('list', { isList: 1, listAsked: question.wants.has('list') ? 1 : 0 }) : null;
  const via = only === undefined ? null : composeNames(askable, selection, false, MAX_NAMES);
  return [
    ...none,
    ...(isCount ? [toCandidate('count', { isCount: 1 })] : []),
    ...(list === null ? [] : [list]),
    // The only one that fits is asked about in its turn.
    ...(list === null || only === undefined || via === null ? [] : askOf(askable, question, only, explained, via)),
  ];
}

/** "Does Anthropic have a model that makes images?": where records of the organisation are held and none fits, that is the answer. */
function noneCandidates(askable: Askable, selection: Selection): Candidate[] {
  const { organisation } = askable.wordsOf(selection.dataset);
  const { unmet } = selection;
  if (unmet.filter(({ field }) => organisation.includes(field)).length !== 1) {
    return [];
  }
  const explained = [...selection.explained];
  for (const { at } of unmet) {
    explain(explained, at, 1);
  }
  return [
    {
      intent: `none:${selection.dataset}`,
      entry: null,
      explained,
      features: { ...selection.features, isNone: 1 },
      compose: () => ({
        text: `The almanac has no ${describe(askable, { ...selection, conditions: unmet })}.`,
        citations: [citeWhole(askable, selection)],
      }),
    },
  ];
}

/** What is in use comes before what has ended, and with dates the newest first. */
function inOrder(askable: Askable, { dataset, matching }: Selection): Entry[] {
  const { date } = askable.wordsOf(dataset);
  const isLive = ({ record }: Entry): number => Number(record['status'] === 'active' || record['status'] === 'current');
  const dateOf = ({ record }: Entry): string => (date === null ? '' : String(record[date] ?? ''));
  return [...matching].sort((a, b) => isLive(b) - isLive(a) || dateOf(b).localeCompare(dateOf(a)));
}

/** How many are counted the other way, and of how many nothing is known: "how many follow robots.txt, and how many don't?" */
function sayRest({ records, fieldsOf }: Askable, { dataset, all, conditions, matching }: Selection): string {
  const [only] = conditions;
  const field = fieldsOf(dataset).find((one) => one.field === only?.field);
  if (conditions.length !== 1 || field?.type !== 'boolean') {
    return '';
  }
  const others = all.filter((entry) => !matching.includes(entry));
  const counted = [...Map.groupBy(others, (entry) => records.read(entry, field.field)?.value ?? null)].map(
    ([value, some]) => {
      const word = value === null ? 'not confirmed' : value === true ? 'yes' : value === false ? 'no' : 'in part';
      return `${word} for ${some.length}`;
    },
  );
  return counted.length === 0 ? '' : ` Of the others it's ${formatList(counted.sort())}.`;
}

const wholeList =
  /\b(all of (them|these|those)|(complete|full|whole|entire) list|every (one|single)|each of them|list all|name all)\b/;

/** How many names a list gives: who asks for all of them gets more. */
const mostNames = ({ plain }: Question): number => (wholeList.test(plain) ? MAX_ALL_NAMES : MAX_NAMES);

/** "The almanac has 6 crawlers of OpenAI", and of one: "Of crawlers of DuckDuckGo that … the almanac has one". */
const sayCount = (count: number, described: string): string =>
  count === 1 ? `Of ${described} the almanac has one` : `The almanac has ${count} ${described}`;

function composeNames(askable: Askable, selection: Selection, isCount: boolean, most: number): Composed | null {
  const { all, matching, conditions } = selection;
  if (matching.length === 0) {
    return null;
  }
  const described = describe(askable, selection);
  const ofAll = citeWhole(askable, selection);
  if (conditions.length === 0) {
    return { text: `The almanac has ${all.length} ${described}.`, citations: [ofAll] };
  }
  const ordered = inOrder(askable, selection);
  const shown = ordered.slice(0, most);
  const more = ordered.length - shown.length;
  const names = formatList([...shown.map(({ title }) => title), ...(more > 0 ? [`${more} more`] : [])]);
  const isStatements = shown.some(isStatement);
  const text = isStatements
    ? shown
        .slice(0, 5)
        .map(({ title }) => title)
        .join(' ')
    : isCount || more > 0
      ? `${sayCount(matching.length, described)}${matching.length < all.length ? ` (of ${all.length})` : ''}: ${names}.`
      : `${capitalise(described)}: ${names}.`;
  const rest = isCount ? sayRest(askable, selection) : '';
  const fields = conditions.map(({ field }) => field);
  const cited = shown
    .slice(0, isStatements ? 5 : most)
    .flatMap((entry) => askable.records.cite(entry, isStatements ? ['statement', ...fields] : fields));
  return { text: `${text}${rest}`, citations: isCount || more > 0 ? [ofAll, ...cited] : cited };
}

/** A dataset by the number of its records: "/crawlers" of "/crawlers/gptbot". */
const citeWhole = (askable: Askable, { dataset, all: [first], all }: Selection): RecordCitation => ({
  dataset,
  id: dataset,
  title: capitalise(askable.pluralOf(dataset)),
  path: first?.path.slice(0, first.path.indexOf('/', 1)) ?? '/almanac',
  fields: ['id'],
  quote: String(all.length),
});
