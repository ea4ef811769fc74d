import { readFileSync, writeFileSync } from 'node:fs';
import { tellAlso } from '#almanac/ask/also.ts';
import type { Citation } from '#almanac/ask/answer.ts';
import { askedOf, recordAsks } from '#almanac/ask/asked.ts';
import type { Candidate, Composed, Features } from '#almanac/ask/candidate.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { createAnswerer } from '#almanac/ask/index.ts';
import { stemsOf } from '#almanac/ask/lexicon.ts';
import type { Question } from '#almanac/ask/question.ts';
import {
  featuresOf,
  isSure,
  toConfidence,
  toDecision,
  topicKeysOf,
  topicOf,
  toScore,
  toWithin,
  type Weights,
} from '#almanac/ask/rank.ts';
import { refuse } from '#almanac/ask/refuse.ts';
import { datasets } from '#almanac/datasets/index.ts';
import type { PageFact } from '#almanac/pages.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { readConfig } from '#api/config.ts';
import { type AskedQuestion, isExpected, readQuestions } from '../test/support/ask-questions.ts';
import { authorOf, createProgress } from './support/ask-train-authors.ts';
import { descend } from './support/descend.ts';

/** A candidate for a question: what it is judged by, and whether it would be right. */
interface Example {
  candidate: Candidate;
  composed: Composed;
  features: Features;
  isRight: boolean;
}

/** A question with all candidates for it; none of them is right when it has to be declined. */
interface Group {
  question: Question;
  /** Who asked it. */
  author: string;
  /** How near the kept questions are at most that candidates come from. */
  nearest: number;
  isInside: boolean;
  /** How much it counts. */
  share: number;
  examples: Example[];
  /** Whether an answer and what is told after it are right. */
  judge(told: readonly Composed[]): boolean;
}

type Model = Record<string, number>;

const none: Weights = { rank: {}, decide: {}, within: {}, topic: {} };

const COVERED = 0.75;
/** The author of the questions that pages are kept with. */
const PAGES = 'pages';
/** And of those that records are kept with. */
const RECORDS = 'records';
const isKept = (author: string): boolean => author === PAGES || author === RECORDS;
/** How near a kept question may be to one that counts as new. */
const UNWRITTEN = 0.7;
/** How much a question counts that is learnt from as new. */
const NEW = 1;
/** And one that is learnt from as it is. */
const KNOWN = 0.6;
/** How much a question counts that pages are kept with, how many a fact has whose questions people wrote, and which are taken. */
const KEPT = 1;
const WRITTEN_ASKS = 3;
const EACH_KEPT = 24;
/** The same of the questions that records are kept with. */
const KEPT_RECORD = 0.5;
const EACH_KEPT_OF_RECORDS = 16;
const TOPIC_PRIOR = 2;
const TOPIC_LEAST = 3;
const MAX_CANDIDATES = 20;
const MAX_WRONG = 4;
const MAX_TRIED = 8;
const RANK_ROUNDS = 150;
const CALIBRATE_ROUNDS = 400;
const DECIDE_ROUNDS = 500;
const RANK_RATE = 0.06;
const DECIDE_RATE = 0.03;
const RANK_DECAY = 0.0015;
const DECIDE_DECAY = 0.004;

/**
 * How much of the weights of the training before stays. With it 89.98 % of the dev questions were answered rightly, with the new
 * ones alone 89.96 %, with the old ones 89.87 %; 84.6, 83.8 and 84.8 % of the held ones first.
 */
const OF_BEFORE = 0.4;

const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

/** Features as the places and values of those that are not zero. */
interface Values {
  places: Int32Array;
  values: Float64Array;
}

/** All names of features with their places, so that learning is arithmetic on arrays. */
interface Space {
  names: string[];
  read(features: Features): Values;
}

function toSpace(examples: readonly { features: Features }[]): Space {
  const names = [...new Set(examples.flatMap(({ features }) => Object.keys(features)))];
  const placeOf = new Map(names.map((name, place) => [name, place]));
  return {
    names,
    read: (features) => {
      const held = Object.entries(features).filter(([, value]) => value !== 0);
      return {
        places: Int32Array.from(held, ([name]) => placeOf.get(name) ?? 0),
        values: Float64Array.from(held, ([, value]) => value),
      };
    },
  };
}

function dot(weights: Float64Array, { places, values }: Values): number {
  let sum = 0;
  for (let index = 0; index < places.length; index++) {
    sum += (weights[places[index] ?? 0] ?? 0) * (values[index] ?? 0);
  }
  return sum;
}

function add(gradient: Float64Array, { places, values }: Values, amount: number): void {
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0;
    gradient[place] = (gradient[place] ?? 0) + amount * (values[index] ?? 0);
  }
}

const toModel = ({ names }: Space, weights: Float64Array): Model =>
  Object.fromEntries(names.map((name, index) => [name, weights[index] ?? 0]));

/** Learns to put a right candidate before the wrong ones of its question, and wrong ones below zero. */
function learnRank(groups: readonly Group[]): Model {
  const space = toSpace(groups.flatMap(({ examples }) => examples));
  const total = groups.reduce((sum, { share }) => sum + share, 0);
  const read = groups.map(({ examples, share }) => ({
    group: examples.map(({ features, isRight }) => ({ values: space.read(features), isRight, score: 0 })),
    weight: share / total,
  }));
  const weights = descend(space.names.length, RANK_ROUNDS, RANK_RATE, RANK_DECAY, (current) => {
    const gradient = new Float64Array(space.names.length);
    for (const { group, weight } of read) {
      for (const example of group) {
        example.score = dot(current, example.values);
      }
      group.sort((a, b) => b.score - a.score);
      const right = group.find(({ isRight }) => isRight);
      if (right !== undefined) {
        add(gradient, right.values, (1 - sigmoid(right.score)) * weight);
      }
      for (const wrong of group.filter(({ isRight }) => !isRight).slice(0, MAX_WRONG)) {
        add(gradient, wrong.values, -sigmoid(wrong.score) * (right === undefined ? 0.8 : 0.25) * weight);
        if (right !== undefined) {
          const pull = 0.5 * (1 - sigmoid(right.score - wrong.score)) * weight;
          add(gradient, right.values, pull);
          add(gradient, wrong.values, -pull);
        }
      }
    }
    return gradient;
  });
  return toModel(space, weights);
}

interface Decision {
  question: Question;
  features: Features;
  author: string;
  isInside: boolean;
  isRight: boolean;
  share: number;
}

/**
 * The answer that a ranking gives, as the decider sees it: right when what is told after the first candidate is. What is
 * declined whatever the records have isn't its business.
 */
function decisionsOf(groups: readonly Group[], rank: Model): Decision[] {
  return groups.flatMap(({ question, examples, share, author, isInside, judge }): Decision[] => {
    if (!isInside && refuse(question) !== null) {
      return [];
    }
    const scored = examples
      .map((example) => ({ ...example, score: toScore(example.features, { ...none, rank }) }))
      .sort((a, b) => b.score - a.score);
    const [first] = scored;
    if (first === undefined) {
      return [];
    }
    const rival = scored.find(({ candidate }) => candidate.intent !== first.candidate.intent);
    const lead = rival === undefined ? Number.POSITIVE_INFINITY : first.score - rival.score;
    const features = toDecision(first.features, first.score, lead);
    const isRight = first.isRight || judge([first.composed, ...tellAlso(scored.slice(1, MAX_TRIED), first)]);
    return [{ question, features, author, isInside, isRight, share }];
  });
}

/** Learns how likely a first candidate is right (logistic regression). */
function learnDecide(decisions: readonly Decision[], isTrue = ({ isRight }: Decision): boolean => isRight): Model {
  const space = toSpace(decisions);
  const total = decisions.reduce((sum, { share }) => sum + share, 0);
  const read = decisions.map((decision) => ({
    values: space.read(decision.features),
    isRight: isTrue(decision),
    weight: decision.share / total,
  }));
  const weights = descend(space.names.length, DECIDE_ROUNDS, DECIDE_RATE, DECIDE_DECAY, (current) => {
    const gradient = new Float64Array(space.names.length);
    for (const { values, isRight, weight } of read) {
      add(gradient, values, ((isRight ? 1 : 0) - sigmoid(dot(current, values))) * weight);
    }
    return gradient;
  });
  return toModel(space, weights);
}

/** How many groups authors are put into. */
const FOLDS = 6;
const folds = new Map<string, number>();

/** The group of an author: one after the other as they come. */
function foldOf(author: string): number {
  const known = folds.get(author) ?? folds.size % FOLDS;
  folds.set(author, known);
  return known;
}

/**
 * What is learnt from all other groups of authors says of the questions of one: how a model fares with somebody whose way
 * of asking it has not seen. Folds at random would tell how it fares with the same person's next question.
 */
const acrossAuthors = <T extends { author: string }, R>(
  list: readonly T[],
  judge: (others: T[], own: T[]) => R[],
): R[] =>
  [...Map.groupBy(list, ({ author }) => foldOf(author))].flatMap(([fold, own]) =>
    judge(
      list.filter((one) => foldOf(one.author) !== fold),
      own,
    ),
  );

/** Stretches and shifts the log odds of a model to what came true of decisions that it has not seen (Platt). */
function calibrate(model: Model, decisions: readonly Decision[]): Model {
  const odds = acrossAuthors(decisions, (others, own) => {
    const decide = learnDecide(others);
    return own.map(({ features, isRight, share }) => {
      const confidence = toConfidence(features, { ...none, decide });
      return { value: Math.log(confidence / (1 - confidence)), isRight, share };
    });
  });
  const total = odds.reduce((sum, { share }) => sum + share, 0);
  const [scale = 1, shift = 0] = descend(2, CALIBRATE_ROUNDS, DECIDE_RATE, 0, (current) => {
    const gradient = new Float64Array(2);
    for (const { value, isRight, share } of odds) {
      const error = ((isRight ? 1 : 0) - sigmoid((current[0] ?? 0) * value + (current[1] ?? 0))) * (share / total);
      gradient[0] = (gradient[0] ?? 0) + error * value;
      gradient[1] = (gradient[1] ?? 0) + error;
    }
    return gradient;
  });
  const scaled = Object.fromEntries(Object.entries(model).map(([name, value]) => [name, value * scale]));
  return { ...scaled, bias: (scaled['bias'] ?? 0) + shift };
}

/** Learns which words are those of questions that have an answer, from how many of either kind have them. */
function learnTopic(groups: readonly Group[], more: readonly string[][]): Model {
  const counts = new Map<string, { inside: number; outside: number }>();
  const total = { inside: 0, outside: 0 };
  const count = (stems: Iterable<string>, kind: 'inside' | 'outside'): void => {
    total[kind] += 1;
    for (const stem of new Set(stems)) {
      const known = counts.get(stem) ?? { inside: 0, outside: 0 };
      known[kind] += 1;
      counts.set(stem, known);
    }
  };
  for (const { question, isInside } of groups.filter(({ nearest, author }) => nearest === 1 && !isKept(author))) {
    count(topicKeysOf(question), isInside ? 'inside' : 'outside');
  }
  for (const stems of more) {
    count(stems, 'inside');
  }
  const share = (part: number, whole: number): number => (part + TOPIC_PRIOR) / (whole + 2 * TOPIC_PRIOR);
  return Object.fromEntries(
    [...counts]
      .filter(([, { inside, outside }]) => inside + outside >= TOPIC_LEAST)
      .map(([stem, { inside, outside }]) => [
        stem,
        Math.log(share(inside, total.inside) / share(outside, total.outside)),
      ]),
  );
}

const withTopic = (group: Group, topic: Model): Group => ({
  ...group,
  examples: group.examples.map(({ candidate, composed, isRight }) => ({
    candidate,
    composed,
    features: featuresOf(group.question, candidate, topicOf(group.question, topic)),
    isRight,
  })),
});

const round = (model: Model): Model =>
  Object.fromEntries(
    Object.entries(model)
      .map(([name, value]): [string, number] => [name, Math.round(value * 1000) / 1000])
      .filter(([, value]) => value !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What was learnt now, with a share of what was learnt before. */
const mix = (learnt: Model, before: Model): Model =>
  round(
    Object.fromEntries(
      Object.keys({ ...before, ...learnt }).map((name) => [
        name,
        (1 - OF_BEFORE) * (learnt[name] ?? 0) + OF_BEFORE * (before[name] ?? 0),
      ]),
    ),
  );

const tell = createProgress(10, (line) => process.stderr.write(line));
const config = readConfig();
const content = await readBuiltPassages(config.distDir);
const answerer = createAnswerer(datasets, content);
const asked = readQuestions().filter(({ part, kind }: AskedQuestion) => part === 'dev' && kind !== 'compound');
const toGroup = ({ ask, expect, author }: AskedQuestion, nearest: number): Group => {
  const { question, ranked } = answerer.rank(ask, nearest);
  const examples = ranked.slice(0, MAX_CANDIDATES).flatMap(({ candidate, features }) => {
    const composed = candidate.compose();
    // To say that a value is unconfirmed declines the question, and rightly so when the candidate covers it.
    const isOpen = expect === null && composed?.unconfirmed !== undefined;
    const isRight =
      composed !== null &&
      (expect === null
        ? isOpen && (features['coverage'] ?? 0) > COVERED
        : isExpected(expect, { answer: composed.text, grounded_in: composed.citations }));
    return composed === null || (isOpen && !isRight) ? [] : [{ candidate, composed, features, isRight }];
  });
  return {
    question,
    author,
    nearest,
    isInside: expect !== null,
    share: (nearest < 1 ? NEW : KNOWN) * authorOf(author).share,
    examples,
    judge: (told) =>
      expect !== null &&
      isExpected(expect, {
        answer: told.map(({ text }) => text).join('\n'),
        grounded_in: told.flatMap(({ citations }) => citations),
      }),
  };
};
tell(`judging the candidates for ${asked.length} questions`);
// Each question is learnt from twice: as it is, and as if nobody had written it down with the page that answers it.
const readAsked = [
  ...asked.map((one) => toGroup(one, 1)),
  ...asked.filter(({ author }) => authorOf(author).isAlsoNew).map((one) => toGroup(one, UNWRITTEN)),
];
const kept = [...content.facts.flatMap(({ ask }) => ask), ...recordAsks].map(stemsOf);
/** A question that is kept with a page or a record tells what of it answers; every other one as if it hadn't been written. */
const toKeptGroup = (
  { ask, place }: { ask: string; place: number },
  author: string,
  share: number,
  isAnswer: (citation: Citation) => boolean,
): Group => {
  const nearest = place % 2 === 0 ? UNWRITTEN : 1;
  const { question, ranked } = answerer.rank(ask, nearest);
  const examples = ranked.slice(0, MAX_CANDIDATES).flatMap(({ candidate, features }) => {
    const composed = candidate.compose();
    return composed === null ? [] : [{ candidate, composed, features, isRight: composed.citations.some(isAnswer) }];
  });
  return { question, author, nearest, isInside: true, share, examples, judge: () => false };
};
const toPageGroup = ({ fact, ask }: { fact: PageFact; ask: string }, place: number): Group => {
  const section = content.sections[fact.section];
  const quotes = new Set(fact.parts.map((part) => section?.parts[part]?.quote));
  return toKeptGroup(
    { ask, place },
    PAGES,
    KEPT,
    (citation) => 'page' in citation && citation.page === section?.path && quotes.has(citation.quote),
  );
};
const toRecordGroup = ({ path, field, ask }: { path: string; field: string; ask: string }, place: number): Group =>
  toKeptGroup(
    { ask, place },
    RECORDS,
    KEPT_RECORD,
    (citation) => 'fields' in citation && citation.path === path && citation.fields.includes(field),
  );
tell('judging those for the questions that pages are kept with');
const pageGroups = content.facts
  .filter(({ ask }) => ask.length >= WRITTEN_ASKS)
  .flatMap((fact) => fact.ask.map((ask) => ({ fact, ask })))
  .filter((_, index) => index % EACH_KEPT === 0)
  .map(toPageGroup);
tell('judging those for the questions that records are kept with');
const recordGroups = toEntries(datasets)
  .flatMap((entry) =>
    askedOf(entry).flatMap(({ ask, say }) => ask.map((one) => ({ path: entry.path, field: say[0] ?? '', ask: one }))),
  )
  .filter((_, index) => index % EACH_KEPT_OF_RECORDS === 0)
  .map(toRecordGroup);
const read = [...readAsked, ...pageGroups, ...recordGroups];
tell(`learning the words of ${read.length} questions, each from the other authors'`);
// Of each question the words are judged by the other questions.
const groups = acrossAuthors(read, (others, own) => {
  const topic = learnTopic(others, kept);
  return own.map((group) => withTopic(group, topic));
});
tell('ranking each author by what the others taught');
// The decider judges candidates that the ranker has not learnt from.
const decisions = acrossAuthors(groups, (others, own) => decisionsOf(own, learnRank(others)));
// Other sections than the one that a question is kept with may be as right: such questions tell nothing of confidence.
const judgedDecisions = decisions.filter(({ author }) => !isKept(author));
const isInside = (decision: Decision): boolean => decision.isInside;
const file = new URL('../almanac/ask/data/weights.json', import.meta.url);
tell('learning to rank');
const rank = learnRank(groups);
tell('learning to decide');
const decide = calibrate(learnDecide(judgedDecisions), judgedDecisions);
tell('learning what belongs to the site');
// What is kept with a page or a record belongs to the site, whichever section is the right one.
const within = learnDecide(decisions, isInside);
const before = JSON.parse(readFileSync(file, 'utf8')) as Weights;
const weights: Weights = {
  rank: mix(rank, before.rank),
  decide: mix(decide, before.decide),
  within: mix(within, before.within),
  topic: mix(learnTopic(read, kept), before.topic),
};
writeFileSync(file, `${JSON.stringify(weights, null, 1)}\n`);
tell('the weights are written; counting how each author fares');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
console.log('As each author fares with what the others taught:');
for (const [author, own] of Map.groupBy(groups, (group) => group.author)) {
  const judged = decisions.filter((decision) => decision.author === author);
  const isGood = ({ question, features }: Decision): boolean =>
    isSure(question, { confidence: toConfidence(features, weights), within: toWithin(features, weights) });
  const count = (test: (decision: Decision) => boolean): number => judged.filter(test).length;
  const inside = own.filter(({ isInside }) => isInside);
  const possible = inside.filter(({ examples }) => examples.some(({ isRight }) => isRight)).length;
  const first = count(({ isInside, isRight }) => isInside && isRight);
  const right = count((one) => one.isInside && one.isRight && isGood(one));
  const answered = count((one) => !one.isInside && !one.isRight && isGood(one));
  const outside = own.length - inside.length;
  console.log(
    `  ${authorOf(author).name}: of ${inside.length} a right candidate for ${percent(possible, inside.length)}, first ${percent(first, inside.length)}, good enough ${percent(right, inside.length)}; of ${outside} outside declined ${percent(outside - answered, outside)}`,
  );
}
tell('trying other thresholds');
// What would be answered and declined at other thresholds, by decisions that no model has seen.
const unseen = acrossAuthors(decisions, (others, own) => {
  const judged = others.filter(({ author }) => !isKept(author));
  const model = { ...none, decide: calibrate(learnDecide(judged), judged), within: learnDecide(others, isInside) };
  return own.map((one) => ({
    ...one,
    confidence: toConfidence(one.features, model),
    within: toWithin(one.features, model),
  }));
}).filter(({ author }) => authorOf(author).isAlsoNew && !isKept(author));
for (const together of [1.9, 2.1, 2.3, 2.45, 2.6, 2.75]) {
  for (const least of [0.2, 0.3, 0.4, 0.5]) {
    const good = unseen.filter((one) => isSure(one.question, one, { least, together }));
    const outside = unseen.filter((one) => !one.isInside);
    const right = good.filter((one) => one.isRight && one.isInside).length;
    const wrong = good.filter((one) => !one.isRight && one.isInside).length;
    const answered = good.filter((one) => !one.isInside && !one.isRight).length;
    const inside = unseen.length - outside.length;
    console.log(
      `confidence ${least}, with within ${together}: right ${percent(right, inside)}, wrong ${percent(wrong, inside)}, declined ${percent(outside.length - answered, outside.length)}`,
    );
  }
}
