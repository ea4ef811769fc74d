import { toSearchStem } from '../almanac-index.ts';
import { saysClause } from '../clause.ts';
import { type Entry, readText, STATE } from '../entries.ts';
import type { Intent } from '../intent.ts';
import type { Question } from '../link.ts';
import { reversesAlike } from '../polarity.ts';
import { toStem } from '../tokens.ts';
import { stopWords } from '../words.ts';

/** Words of a question about a quantity that a statement answers by having a value. */
const quantity =
  /^(share|proportion|fraction|percentag|percentage|statistic|number|growth|grow|grew|many|much|percent|statistics?|stats|figure|rate|ratio|trend|count|recent|latest|currently|current|total|average|increase[ds]?|fast)$/;
const asksForQuantity =
  / (how (many|much|often|fast|big|large)|share|percent|percentage|proportion|fraction|number of|growth|ratio|statistics?|stats|figures?|trend|rate|count) /;
const asksForEvent = / (when|did|date|who|was|has|have|what happened|happened|history|since) /;

const monthNames = /^(January|February|March|April|May|June|July|August|September|October|November|December)$/;

/** A statement must hold this part of the weighted words of the question. */
const MIN_COVERAGE = 0.62;

/** A word that stands beside the statement (publisher, scope, linked records) and not in it. */
const WEIGHT_BESIDE = 0.8;
const SERIES_BONUS = 0.02;

/** How many words may stand between who acts and the verb: "Cloudflare began to block". */
const MAX_BETWEEN = 3;

interface Ranked {
  entry: Entry;
  coverage: number;
  /** The coverage, with a little more for a measurement that is repeated. */
  rank: number;
  count: number;
}

interface Query {
  words: { position: number; stems: string[]; weight: number }[];
  year: string | null;
  /** Months that the question names, capitalised. */
  months: string[];
  wantsShare: boolean;
  question: Question;
  /** Positions of names of records, by the word for what they are: GPTBot is a crawler. */
  kinds: ReadonlyMap<number, string>;
}

/** Dated statements: a share, a count, a growth, an event. Of a series the latest is told, and the one before it. */
export const statistics: Intent = {
  id: 'statistics',
  read(question, index) {
    const wantsQuantity = asksForQuantity.test(question.plain);
    const wantsEvent = asksForEvent.test(question.plain);
    const query = toQuery(question, index.weigh);
    if (query.words.length === 0 || query.words.length > 40) {
      return null;
    }
    const ranked = index
      .findStatements(query.words.flatMap(({ stems }) => stems))
      .flatMap((entry) => rank(entry, query, index.stemsOf(entry), wantsQuantity) ?? []);
    const [best] = ranked.sort(
      (a, b) => b.rank - a.rank || readText(b.entry, 'date').localeCompare(readText(a.entry, 'date')),
    );
    if (best === undefined) {
      return null;
    }
    const held = index.stemsOf(best.entry);
    const said = readSaid(best.entry);
    const explained = query.words.filter(
      ({ position, stems }) =>
        stems.some((stem) => held.has(stem) || said.has(stem)) || isOfKind(position, query, said),
    );
    const asked = question.tokens.flatMap(({ word }, position) =>
      (wantsQuantity && quantity.test(toStem(word))) || quantity.test(word) ? [position] : [],
    );
    const earlier = findEarlier(best.entry, index.of(STATE));
    return {
      intent: wantsQuantity ? 'statistics' : 'event',
      certainty:
        (wantsQuantity || wantsEvent ? 0.94 : 0.68) * (0.6 + 0.4 * best.coverage) * (best.count === 1 ? 0.85 : 1),
      strength: 1,
      explained: new Set([...explained.map(({ position }) => position), ...asked]),
      text: [best.entry, ...earlier].map((entry) => readText(entry, 'statement')).join(' Earlier: '),
      facts: [best.entry, ...earlier].map((entry) => ({
        entry,
        field: 'statement',
        value: readText(entry, 'statement'),
        caveat: entry.record.evidence === 'secondary' ? 'The evidence is second-hand.' : null,
      })),
      notes: [`Published by ${readText(best.entry, 'publisher')}.`],
      unconfirmed: [],
    };
  },
};

function toQuery(question: Question, weigh: (stem: string) => number): Query {
  const year = / (20[0-4]\d) /.exec(question.plain)?.[1] ?? null;
  const words = question.tokens.flatMap(({ word, isNumber }, position) => {
    const isNamed = question.mentions.some(({ from, to }) => from <= position && position < to);
    const isSingle = word.length < 2 && (isNamed || !isNumber);
    if (stopWords.has(word) || quantity.test(word) || isSingle || word === year) {
      return [];
    }
    const stems = [...new Set([toStem(word), toSearchStem(word)])];
    return [{ position, stems, weight: Math.min(...stems.map(weigh)) }];
  });
  const kinds = new Map<number, string>();
  for (const { from, to, links } of question.mentions) {
    const kind = kindOf[links[0]?.entry.dataset ?? ''];
    for (let position = from; kind !== undefined && position < to; position++) {
      kinds.set(position, kind);
    }
  }
  const months = question.tokens.map(({ raw }) => raw).filter((raw) => monthNames.test(raw));
  return {
    words,
    year,
    months,
    wantsShare: / (share|percent|percentage|proportion|fraction) /.test(question.plain),
    question,
    kinds,
  };
}

const kindOf: Readonly<Record<string, string>> = { crawlers: 'crawler', models: 'model', protocols: 'protocol' };

const saidByStatement = new WeakMap<Entry, ReadonlySet<string>>();

/** The stems that a statement itself says, with those of their synonyms. */
function readSaid(entry: Entry): ReadonlySet<string> {
  let stems = saidByStatement.get(entry);
  if (stems === undefined) {
    const words = `${entry.title} ${readText(entry, 'unit')}`.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
    stems = new Set(words.flatMap((word) => [toStem(word), toSearchStem(word)]));
    saidByStatement.set(entry, stems);
  }
  return stems;
}

function rank(
  entry: Entry,
  { words, year, months, wantsShare, question, kinds }: Query,
  own: ReadonlySet<string>,
  wantsQuantity: boolean,
): Ranked | null {
  if (year !== null && !readText(entry, 'date').startsWith(year) && !entry.title.includes(year)) {
    return null;
  }
  if (!reversesAlike(question.masked, entry.title) || !saysClause(question, entry.title, MAX_BETWEEN)) {
    return null;
  }
  const said = readSaid(entry);
  let total = 0;
  let matched = 0;
  let count = 0;
  let saidCount = 0;
  for (const { position, stems, weight } of words) {
    total += weight;
    if (stems.some((stem) => said.has(stem))) {
      matched += weight;
      count++;
      saidCount++;
    } else if (stems.some((stem) => own.has(stem)) || isOfKind(position, { question, kinds }, said)) {
      matched += weight * WEIGHT_BESIDE;
      count++;
    }
  }
  const isQuantity = typeof entry.record.value === 'number';
  const series = readText(entry, 'series') === '' ? 0 : SERIES_BONUS;
  const isMonth = months.length === 0 || months.some((month) => entry.title.includes(month));
  const isShare = readText(entry, 'unit').startsWith('%');
  const fit = (wantsQuantity && !isQuantity) || (wantsShare && !isShare) || !isMonth ? 0.8 : 1;
  const coverage = (matched / total) * fit;
  const isThin = !wantsQuantity && saidCount < 2 && count < 3;
  return coverage < MIN_COVERAGE || isThin
    ? null
    : { entry, coverage: Math.min(1, coverage), rank: coverage + series, count };
}

/** A statement that says what the actor does speaks of a record when it speaks of all of its kind. */
const isOfKind = (
  position: number,
  { question, kinds }: Pick<Query, 'question' | 'kinds'>,
  said: ReadonlySet<string>,
): boolean => question.clause !== null && said.has(kinds.get(position) ?? '');

/** The statement before this one in its series, if there is one. */
function findEarlier(entry: Entry, statements: readonly Entry[]): Entry[] {
  const series = readText(entry, 'series');
  const date = readText(entry, 'date');
  if (series === '') {
    return [];
  }
  return statements
    .filter((other) => readText(other, 'series') === series && readText(other, 'date') < date)
    .sort((a, b) => readText(b, 'date').localeCompare(readText(a, 'date')))
    .slice(0, 1);
}
