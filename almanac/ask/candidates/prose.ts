import type { Askable } from '../askable.ts';
import {
  type Candidate,
  type Composed,
  explain,
  type Features,
  nothingExplained,
  positionsLike,
} from '../candidate.ts';
import type { Entry } from '../entries.ts';
import { formatDate } from '../format.ts';
import { synonymsOf } from '../lexicon.ts';
import type { Passage, PassageIndex } from '../passages.ts';
import type { Question } from '../question.ts';
import { isWithinRange, readRange } from './conditions.ts';

/** How many passages are looked at for one question. */
const MAX_PASSAGES = 22;

const trendWord =
  /^(grow\w*|grew|ris\w+|rose|fall\w*|fell|chang\w+|develop\w*|trend|time|up|down|increas\w*|declin\w*|decreas\w*|drop\w*|evol\w+|history|year|more|fewer|less|going)$/;
const numberWord =
  /^(many|number|share|percentage|percent|proportion|portion|part|ratio|count|common|large|big|much|often|average|rate)$/;

const recentWord = /^(years?|now|today|nowadays|currently|recent|recently|latest|meanwhile|lately)$/;

/** What is counted, by its unit, with the words that ask for it. */
const measures: readonly { unit: RegExp; asked: RegExp }[] = [
  {
    unit: /growth|change|cut/,
    asked: /^(grow\w*|grew|ris\w+|rose|increas\w*|climb\w*|fall\w*|fell|drop\w*|chang\w+|fast\w*|up|more|fewer)$/,
  },
  { unit: /dollars/, asked: /^(money|dollars?|usd|worth|volume|value|amount|settled|paid|spent|cost\w*)$/ },
  {
    unit: /^%|points/,
    asked:
      /^(share|percent\w*|proportion|portion|part|fraction|ratio|rate|common|often|widespread|many|much|majority|half)$/,
  },
  { unit: /./, asked: /^(many|number|count|times|often|total)$/ },
];

/** What the words of a passage explain of the question, and the share of it that names the subject. */
function explainBy(question: Question, passage: Passage): { explained: number[]; headed: number } {
  const { head, hint, body } = passage;
  const explained = nothingExplained(question);
  let headed = 0;
  let total = 0;
  for (const { stem, position, weight } of question.words) {
    const isNear = (): boolean =>
      [...synonymsOf(stem)].some((form) => head.has(form) || body.has(form) || hint.has(form));
    explained[position] = head.has(stem) ? 1 : body.has(stem) ? 0.95 : hint.has(stem) ? 0.8 : isNear() ? 0.75 : 0;
    total += weight;
    headed += head.has(stem) || hint.has(stem) ? weight : 0;
  }
  return { explained, headed: total === 0 ? 0 : headed / total };
}

/** Statements of the same series, the oldest first. */
export type SeriesIndex = ReadonlyMap<string, readonly Entry[]>;

export function indexSeries(entries: readonly Entry[]): SeriesIndex {
  const series = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = entry.record['series'];
    if (typeof name === 'string') {
      series.set(name, [...(series.get(name) ?? []), entry]);
    }
  }
  for (const points of series.values()) {
    points.sort((a, b) => String(a.record['date']).localeCompare(String(b.record['date'])));
  }
  return series;
}

/** Candidates from the texts of records: definitions and purposes, statements, trends over a series. */
export function proseCandidates(
  askable: Askable,
  index: PassageIndex,
  series: SeriesIndex,
  question: Question,
): Candidate[] {
  const stems = question.words.filter(({ weight }) => weight > 0).map(({ stem }) => stem);
  const found = index.search(stems, MAX_PASSAGES);
  const ideal = question.words.reduce((sum, { weight }) => sum + weight * 0.65, 0);
  const best = found[0]?.score ?? 0;
  return found.map(({ passage, score }) => {
    const { explained, headed } = explainBy(question, passage);
    const matched = question.words.filter(({ stem, isEmpty }) => !isEmpty && passage.body.has(stem)).length;
    const inHead = [...question.at.keys()].filter((stem) => passage.head.has(stem)).length;
    const common: Features = {
      titled: passage.head.size === 0 ? 0 : inHead / passage.head.size,
      precise: matched / Math.max(4, passage.body.size),
      bm: ideal === 0 ? 0 : Math.min(1.5, score / ideal),
      top: best === 0 ? 0 : score / best,
      headed,
    };
    return passage.isStatement
      ? toStatement(askable, series, question, passage.entry, explained, common)
      : toProse(askable, question, passage, explained, common);
  });
}

function toProse(
  askable: Askable,
  question: Question,
  { entry, field, text }: Passage,
  explained: number[],
  common: Features,
): Candidate {
  const isTerm = entry.dataset === 'glossary';
  return {
    intent: `prose:${entry.dataset}.${field}`,
    entry,
    explained,
    features: {
      isProse: 1,
      ...common,
      proseGlossary: isTerm ? 1 : 0,
      termAsked: isTerm && question.wants.has('term') ? 1 : 0,
    },
    compose: () => ({
      text: text.includes(entry.title) ? text : `${entry.title}: ${text}`,
      citations: askable.records.cite(entry, [field]),
    }),
  };
}

function toStatement(
  askable: Askable,
  series: SeriesIndex,
  question: Question,
  entry: Entry,
  explained: number[],
  common: Features,
): Candidate {
  const { value, unit, date, entities } = entry.record;
  const points = series.get(String(entry.record['series'])) ?? [];
  const isDated = /\b(19|20)\d\d\b/.test(question.plain);
  const isTrend = question.wants.has('trend') && points.length > 1;
  const isNumber = typeof value === 'number';
  if (isTrend) {
    explain(explained, positionsLike(question, trendWord), 1);
  }
  if (isNumber) {
    explain(explained, positionsLike(question, numberWord), 0.9);
  }
  const measure = isNumber ? measures.find((one) => one.unit.test(String(unit))) : undefined;
  const measured = measure === undefined ? [] : positionsLike(question, measure.asked);
  explain(explained, measured, 0.9);
  explain(explained, positionsLike(question, recentWord), 0.7);
  const latest = isDated ? entry : (points.at(-1) ?? entry);
  const range = readRange(askable, question.plain);
  const linked = Array.isArray(entities) ? (entities as { id: string }[]).map(({ id }) => id) : [];
  return {
    intent: isTrend ? 'trend' : 'statement',
    entry,
    explained,
    features: {
      isStatement: 1,
      ...common,
      numeric: isNumber && question.wants.has('number') ? 1 : 0,
      event: !isNumber && (question.wants.has('when') || /happen/.test(question.plain)) ? 1 : 0,
      trend: isTrend ? 1 : 0,
      dated: range === null ? 0 : isWithinRange(String(date), range) ? 1 : -1,
      measured: measured.length > 0 ? 1 : 0,
      otherMeasure:
        measured.length === 0 && measures.some(({ asked }) => positionsLike(question, asked).length > 0) ? 1 : 0,
      recent: Math.max(0, (Number(String(date).slice(0, 4)) - 2023) / 3),
      linked: question.mentions.some(({ entries }) => entries.some((link) => linked.includes(link.entry.id))) ? 1 : 0,
    },
    compose: () =>
      isTrend ? composeTrend(askable, points) : composeStatement(askable, latest, isNumber ? points : []),
  };
}

const sayPoint = (askable: Askable, entry: Entry): string =>
  `${askable.records.format(entry, 'value') ?? ''} in ${formatDate(String(entry.record['date']).slice(0, 7))}`;

/** The first and the last figure with what lies between, and the last statement in full. */
function composeTrend(askable: Askable, points: readonly Entry[]): Composed | null {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const [start, end] = [Number(first.record['value']), Number(last.record['value'])];
  const verb = end > start ? 'rose' : end < start ? 'fell' : 'stayed the same';
  const between = points.slice(1, -1).map((point) => sayPoint(askable, point));
  const path = [`from ${sayPoint(askable, first)}`, ...between, `to ${sayPoint(askable, last)}`].join(', ');
  return {
    text: `${last.title} The figure (${String(last.record['unit'])}) ${verb} ${path}.`,
    citations: points.flatMap((point) => askable.records.cite(point, ['value', 'unit', 'date', 'statement'])),
  };
}

function composeStatement(askable: Askable, entry: Entry, points: readonly Entry[]): Composed {
  const [before] = points.filter(({ record }) => String(record['date']) < String(entry.record['date'])).slice(-1);
  const publisher = entry.record['publisher'];
  const source = typeof publisher === 'string' && !entry.title.includes(publisher) ? ` Source: ${publisher}.` : '';
  return {
    text: `${entry.title}${source}${before === undefined ? '' : ` Before that: ${sayPoint(askable, before)}.`}`,
    citations: [
      ...askable.records.cite(entry, ['statement', ...(source === '' ? [] : ['publisher'])]),
      ...(before === undefined ? [] : askable.records.cite(before, ['value', 'date'])),
    ],
  };
}
