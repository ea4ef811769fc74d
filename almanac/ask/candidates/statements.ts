import type { Askable } from '../askable.ts';
import { type Candidate, type Composed, explain, type Features, positionsLike } from '../candidate.ts';
import type { Entry } from '../entries.ts';
import { formatDate, formatList, monthNames } from '../format.ts';
import type { Question } from '../question.ts';
import type { SaidField } from '../said.ts';
import { isWithinRange, readRange } from './conditions.ts';

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

/** How many earlier figures are told after the last one. */
const MAX_BEFORE = 3;
/** "147, and one year before?", "the latest figure and the one before". */
const earlier =
  /\b(?:(?:a|one) year (?:before|earlier|ago)|year (?:on|over) year|(?:figure|number|one|value) before|previous (?:figure|number|one|value))\b/;

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

/** What a section that is a statement says, with what else speaks for it and what is said beside it. */
export interface FoundStatement {
  entry: Entry;
  explained: number[];
  features: Features;
  /** What else is said of it: how it was counted. */
  extra: readonly SaidField[];
}

/** A statement, or the trend of its series. */
export function toStatement(
  askable: Askable,
  series: SeriesIndex,
  question: Question,
  { entry, explained, features, extra }: FoundStatement,
): Candidate {
  const { value, unit, date, entities } = entry.record;
  const points = series.get(String(entry.record['series'])) ?? [];
  const isDated = /\b(19|20)\d\d\b/.test(question.plain);
  // "December 2025 and July 2026": who names two dates wants both figures.
  const named = new Set(
    question.plain.match(new RegExp(`(?:(?:${monthNames.join('|').toLowerCase()}) )?(?:19|20)\\d\\d`, 'g')),
  );
  const isBoth = (named.size > 1 || earlier.test(question.plain)) && points.length > 1;
  const isTrend = (isBoth || question.wants.has('trend')) && points.length > 1;
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
      ...features,
      event: !isNumber && (question.wants.has('when') || /happen/.test(question.plain)) ? 1 : 0,
      trend: isTrend ? 1 : 0,
      dated: range === null ? 0 : isWithinRange(String(date), range) ? 1 : -1,
      monthMissed:
        range !== null &&
        range.point.length > 4 &&
        !points.some((point) => isWithinRange(String(point.record['date']), range)) &&
        !isWithinRange(String(date), range)
          ? 1
          : 0,
      measured: measured.length > 0 ? 1 : 0,
      otherMeasure:
        measured.length === 0 && measures.some(({ asked }) => positionsLike(question, asked).length > 0) ? 1 : 0,
      recent: Math.max(0, (Number(String(date).slice(0, 4)) - 2023) / 3),
      linked: question.mentions.some(({ entries }) => entries.some((link) => linked.includes(link.entry.id))) ? 1 : 0,
    },
    compose: () =>
      isTrend
        ? composeTrend(askable, points)
        : composeStatement(askable, latest, isNumber ? points : [], latest === entry ? extra : []),
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

function composeStatement(
  askable: Askable,
  entry: Entry,
  points: readonly Entry[],
  extra: readonly SaidField[],
): Composed {
  const before = points
    .filter(({ record }) => String(record['date']) < String(entry.record['date']))
    .slice(-MAX_BEFORE)
    .reverse();
  const publisher = entry.record['publisher'];
  const source = typeof publisher === 'string' && !entry.title.includes(publisher) ? ` Source: ${publisher}.` : '';
  const more = extra.filter(({ text }) => !source.includes(text)).map(({ text }) => ` ${text}`);
  return {
    text: `${entry.title}${source}${more.join('')}${before.length === 0 ? '' : ` Before that: ${formatList(before.map((point) => sayPoint(askable, point)))}.`}`,
    citations: [
      ...askable.records.cite(entry, [
        'statement',
        ...(source === '' ? [] : ['publisher']),
        ...extra.flatMap(({ fields }) => fields),
      ]),
      ...before.flatMap((point) => askable.records.cite(point, ['value', 'date'])),
    ],
  };
}
