import type { AlmanacIndex } from './almanac-index.ts';
import { holdsWord } from './conditions.ts';
import { readText } from './entries.ts';
import type { Draft } from './intent.ts';
import type { Question } from './link.ts';
import { toStem } from './tokens.ts';
import { neutralWords, stopWords } from './words.ts';

/** An answer needs at least this raw score. */
export const ANSWER_THRESHOLD = 0.5;

/** How much one word that a draft leaves unexplained counts against it. */
const WEIGHT_IN_RECORD = 0.25;
const WEIGHT_NEUTRAL = 0.08;
const WEIGHT_NUMBER = 1.5;
const WEIGHT_SHORT = 0.25;
/** The first foreign word beside a pattern that names the property ("What is the licence of A2A *nowadays*"). */
const WEIGHT_FIRST_FOREIGN = 0.5;
const WEIGHT_NEAR_MISS = 3;
/** A yes/no question is about its verb and who acts: a draft that leaves one of them out answers another question. */
const WEIGHT_CLAUSE = 1.5;

/**
 * How much of the question a draft does not account for: the sum over its words, where a word that the cited record
 * itself uses counts little and a foreign word counts fully. "Who is the CEO of OpenAI" leaves "CEO".
 */
export function weighUnexplained(question: Question, draft: Draft, index: AlmanacIndex): number {
  const cited = new Set([...draft.facts.map((fact) => fact.entry), ...draft.unconfirmed].slice(0, 12));
  let unexplained = 0;
  let foreign = 0;
  question.tokens.forEach((token, position) => {
    if (draft.explained.has(position) || stopWords.has(token.word)) {
      return;
    }
    const isNamed = question.mentions.some(({ from, to }) => from <= position && position < to);
    if (token.word.length === 1 && (isNamed || !token.isNumber)) {
      return;
    }
    const stem = toStem(token.word);
    if (neutralWords.has(token.word)) {
      unexplained += WEIGHT_NEUTRAL;
    } else if (token.isNumber && !isNamed && !/^(19|20)\d\d$/.test(token.word)) {
      unexplained += WEIGHT_NUMBER;
    } else if ([...cited].some((entry) => index.stemsOf(entry).has(stem))) {
      unexplained += WEIGHT_IN_RECORD;
    } else {
      const isShort = token.word.length < 3 && !/\p{Lu}/u.test(token.raw);
      foreign += isShort ? 0 : 1;
      const isFirst = draft.isSpecific === true && foreign === 1;
      unexplained += isShort ? WEIGHT_SHORT : isFirst ? WEIGHT_FIRST_FOREIGN : 1;
    }
  });
  if (!answersClause(question, draft)) {
    unexplained += WEIGHT_CLAUSE;
  }
  for (const miss of question.nearMisses) {
    const text = miss.text.toLowerCase();
    const isStated = draft.facts.some(({ value }) => typeof value === 'string' && value.toLowerCase().includes(text));
    if (!isStated) {
      unexplained += WEIGHT_NEAR_MISS;
    }
  }
  return unexplained;
}

/** Who may be the actor of what is asked of a record: "Did OpenAI release GPT-6 Luna?". */
const actorFields = ['operator', 'provider', 'creator', 'maintainer'];

/** Whether a draft accounts for the verb and for who acts, by its words or by the records it cites. */
function answersClause({ clause, tokens }: Question, { explained, facts }: Draft): boolean {
  if (clause === null || (explained.has(clause.verb) && explained.has(clause.actor.from))) {
    return true;
  }
  const { from, to } = clause.actor;
  const actor = tokens.slice(from, to).map(({ raw, gap }, index) => (index === 0 ? raw : gap + raw));
  return (
    explained.has(clause.verb) &&
    facts.some(({ entry }) => actorFields.some((field) => holdsWord(readText(entry, field), actor.join(''))))
  );
}

/** The raw score of a draft, 0 to 1: linking × certainty of the intent × coverage of the question. */
export function scoreDraft(question: Question, draft: Draft, index: AlmanacIndex): number {
  return (draft.strength * draft.certainty) / (1 + weighUnexplained(question, draft, index));
}

/**
 * Raw scores and the confidence they stand for, set by hand and checked against the reliability table of
 * `npm run bench:ask`. Between two points the line is straight.
 */
const calibration: readonly [score: number, confidence: number][] = [
  [0.5, 0.6],
  [0.6, 0.8],
  [0.75, 0.93],
  [0.9, 0.98],
  [1, 0.99],
];

/** The probability that an answer with this score is right. */
export function toConfidence(score: number): number {
  let [lowScore, low] = calibration[0] ?? [0, 0];
  for (const [highScore, high] of calibration) {
    if (score <= highScore) {
      const share = highScore === lowScore ? 1 : (score - lowScore) / (highScore - lowScore);
      return Math.round((low + Math.max(0, share) * (high - low)) * 100) / 100;
    }
    [lowScore, low] = [highScore, high];
  }
  return low;
}

/** The confidence of a refusal: how likely it is that the datasets hold an answer all the same. Under 0.3. */
export function toDeclinedConfidence(score: number): number {
  return Math.round(Math.min(0.29, 0.02 + score * 0.2) * 100) / 100;
}
