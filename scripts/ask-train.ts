import { readFileSync, writeFileSync } from 'node:fs';
import type { Features } from '#almanac/ask/candidate.ts';
import { createAnswerer } from '#almanac/ask/index.ts';
import { toConfidence, toDecision, toScore, type Weights } from '#almanac/ask/rank.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { readConfig } from '#api/config.ts';
import { type AskedQuestion, isExpected, readQuestions } from '../test/support/ask-questions.ts';

/** A candidate for a question: what it is judged by, and whether it would be right. */
interface Example {
  intent: string;
  features: Features;
  isRight: boolean;
}

/** All candidates for one question; none of them is right when it has to be declined. */
type Group = Example[];

type Model = Record<string, number>;

const FOLDS = 5;
const COVERED = 0.75;
const MAX_CANDIDATES = 60;
const MAX_WRONG = 4;
const RANK_ROUNDS = 300;
const CALIBRATE_ROUNDS = 400;
const DECIDE_ROUNDS = 500;
const RANK_RATE = 0.05;
const DECIDE_RATE = 0.03;
const RANK_DECAY = 0.0015;
const DECIDE_DECAY = 0.004;

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

/** Steps along gradients, each weight with a step size of its own (RMSProp). The same input gives the same weights. */
function descend(
  size: number,
  rounds: number,
  rate: number,
  decay: number,
  slopes: (weights: Float64Array) => Float64Array,
): Float64Array {
  const weights = new Float64Array(size);
  const cache = new Float64Array(size);
  for (let round = 0; round < rounds; round++) {
    const gradient = slopes(weights);
    for (let index = 0; index < size; index++) {
      const slope = (gradient[index] ?? 0) - decay * (weights[index] ?? 0);
      cache[index] = (cache[index] ?? 0) * 0.98 + slope * slope;
      weights[index] = (weights[index] ?? 0) + (rate * slope) / (Math.sqrt(cache[index] ?? 0) + 1e-4);
    }
  }
  return weights;
}

const toModel = ({ names }: Space, weights: Float64Array): Model =>
  Object.fromEntries(names.map((name, index) => [name, weights[index] ?? 0]));

/** Learns to put a right candidate before the wrong ones of its question, and wrong ones below zero. */
function learnRank(groups: readonly Group[]): Model {
  const space = toSpace(groups.flat());
  const read = groups.map((group) =>
    group.map(({ features, isRight }) => ({ values: space.read(features), isRight, score: 0 })),
  );
  const weights = descend(space.names.length, RANK_ROUNDS, RANK_RATE, RANK_DECAY, (current) => {
    const gradient = new Float64Array(space.names.length);
    for (const group of read) {
      for (const example of group) {
        example.score = dot(current, example.values);
      }
      group.sort((a, b) => b.score - a.score);
      const right = group.find(({ isRight }) => isRight);
      if (right !== undefined) {
        add(gradient, right.values, (1 - sigmoid(right.score)) / read.length);
      }
      for (const wrong of group.filter(({ isRight }) => !isRight).slice(0, MAX_WRONG)) {
        add(gradient, wrong.values, (-sigmoid(wrong.score) * (right === undefined ? 0.8 : 0.25)) / read.length);
        if (right !== undefined) {
          const pull = (0.5 * (1 - sigmoid(right.score - wrong.score))) / read.length;
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
  features: Features;
  isRight: boolean;
}

/** The candidate that a ranking puts first, as the decider sees it. */
function decisionsOf(groups: readonly Group[], rank: Model): Decision[] {
  return groups.flatMap((group): Decision[] => {
    const scored = group
      .map((example) => ({ ...example, score: toScore(example.features, { rank, decide: {}, threshold: 0 }) }))
      .sort((a, b) => b.score - a.score);
    const [first] = scored;
    if (first === undefined) {
      return [];
    }
    const rival = scored.find(({ intent }) => intent !== first.intent);
    const lead = rival === undefined ? Number.POSITIVE_INFINITY : first.score - rival.score;
    return [{ features: toDecision(first.features, first.score, lead), isRight: first.isRight }];
  });
}

/** Learns how likely a first candidate is right (logistic regression). */
function learnDecide(decisions: readonly Decision[]): Model {
  const space = toSpace(decisions);
  const read = decisions.map(({ features, isRight }) => ({ values: space.read(features), isRight }));
  const weights = descend(space.names.length, DECIDE_ROUNDS, DECIDE_RATE, DECIDE_DECAY, (current) => {
    const gradient = new Float64Array(space.names.length);
    for (const { values, isRight } of read) {
      add(gradient, values, ((isRight ? 1 : 0) - sigmoid(dot(current, values))) / read.length);
    }
    return gradient;
  });
  return toModel(space, weights);
}

const toFolds = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: FOLDS }, (_, fold) => list.filter((_one, index) => index % FOLDS === fold));

/** What is learnt from all folds but one says of that one: what a model says of questions that it has not seen. */
const acrossFolds = <T, R>(list: readonly T[], judge: (others: T[], fold: T[]) => R[]): R[] => {
  const folds = toFolds(list);
  return folds.flatMap((fold) => judge(folds.filter((other) => other !== fold).flat(), fold));
};

/** Stretches and shifts the log odds of a model to what came true of decisions that it has not seen (Platt). */
function calibrate(model: Model, decisions: readonly Decision[]): Model {
  const odds = acrossFolds(decisions, (others, fold) => {
    const decide = learnDecide(others);
    return fold.map(({ features, isRight }) => {
      const confidence = toConfidence(features, { rank: {}, decide, threshold: 0 });
      return { value: Math.log(confidence / (1 - confidence)), isRight };
    });
  });
  const [scale = 1, shift = 0] = descend(2, CALIBRATE_ROUNDS, DECIDE_RATE, 0, (current) => {
    const gradient = new Float64Array(2);
    for (const { value, isRight } of odds) {
      const error = ((isRight ? 1 : 0) - sigmoid((current[0] ?? 0) * value + (current[1] ?? 0))) / odds.length;
      gradient[0] = (gradient[0] ?? 0) + error * value;
      gradient[1] = (gradient[1] ?? 0) + error;
    }
    return gradient;
  });
  const scaled = Object.fromEntries(Object.entries(model).map(([name, value]) => [name, value * scale]));
  return { ...scaled, bias: (scaled['bias'] ?? 0) + shift };
}

const round = (model: Model): Model =>
  Object.fromEntries(
    Object.entries(model)
      .map(([name, value]): [string, number] => [name, Math.round(value * 1000) / 1000])
      .filter(([, value]) => value !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const config = readConfig();
const answerer = createAnswerer(datasets, await readBuiltPassages(config.distDir));
const asked = readQuestions().filter(({ part, kind }: AskedQuestion) => part === 'dev' && kind !== 'compound');
const groups = asked.map(
  ({ ask, expect }): Group =>
    answerer
      .rank(ask)
      .slice(0, MAX_CANDIDATES)
      .flatMap(({ candidate, features }) => {
        const composed = candidate.compose();
        // To say that a value is unconfirmed declines the question, and rightly so when the candidate covers it.
        const isOpen = expect === null && composed?.unconfirmed !== undefined;
        const isRight =
          composed !== null &&
          (expect === null
            ? isOpen && (features['coverage'] ?? 0) > COVERED
            : isExpected(expect, { answer: composed.text, grounded_in: composed.citations }));
        if (isOpen && !isRight) {
          return [];
        }
        return composed === null ? [] : [{ intent: candidate.intent, features, isRight }];
      }),
);
// The decider judges candidates that the ranker has not learnt from.
const decisions = acrossFolds(groups, (others, fold) => decisionsOf(fold, learnRank(others)));
const file = new URL('../almanac/ask/data/weights.json', import.meta.url);
const { threshold } = JSON.parse(readFileSync(file, 'utf8')) as Weights;
const weights: Weights = {
  rank: round(learnRank(groups)),
  decide: round(calibrate(learnDecide(decisions), decisions)),
  threshold,
};
writeFileSync(file, `${JSON.stringify(weights, null, 1)}\n`);
const answerable = asked.filter(({ expect }) => expect !== null).length;
const possible = groups.filter((group) => group.some(({ isRight }) => isRight)).length;
console.log(
  `${groups.length} questions, ${answerable} answerable, ${possible} with a right candidate, ${decisions.filter(({ isRight }) => isRight).length} with a right one first (across folds)`,
);
