import { readFileSync } from 'node:fs';
import type { Answer } from '#almanac/ask/index.ts';

/** A question with what a right answer must do. Records are given by their path without the first slash. */
export interface AskedQuestion {
  split: 'dev' | 'held_out';
  question: string;
  answered: boolean;
  /** At least one of these records must be cited. */
  any_of?: string[];
  /** All of these records must be cited. */
  all_of?: string[];
  /** At least one of these fields must be cited. */
  fields?: string[];
  /** Strings that the answer must contain, in any case. */
  includes?: string[];
}

/** The hand-written question set. */
export function readQuestions(): AskedQuestion[] {
  return JSON.parse(readFileSync(new URL('../fixtures/questions.json', import.meta.url), 'utf8'));
}

/** What is wrong with an answer, or null when it is right: declined as expected, or right with the right citations. */
export function judgeAnswer(asked: AskedQuestion, answer: Answer): string | null {
  if (!asked.answered) {
    return answer.answered ? `answered by ${answer.understood_as.intent}: ${answer.answer.slice(0, 120)}` : null;
  }
  if (!answer.answered) {
    return `declined as ${answer.understood_as.declined}`;
  }
  const cited = new Set(answer.grounded_in.map(({ path }) => path.slice(1)));
  const fields = new Set(answer.grounded_in.flatMap((citation) => citation.fields));
  const text = answer.answer.toLowerCase();
  const missing = [
    ...(asked.all_of ?? []).filter((path) => !cited.has(path)),
    ...(asked.any_of?.some((path) => cited.has(path)) === false ? [`any of ${asked.any_of.join(', ')}`] : []),
    ...(asked.fields?.some((field) => fields.has(field)) === false ? [`field ${asked.fields.join(' or ')}`] : []),
    ...(asked.includes ?? []).filter((part) => !text.includes(part.toLowerCase())),
  ];
  return missing.length === 0 ? null : `lacks ${missing.join('; ')} (${answer.understood_as.intent})`;
}

/** An asked question with its answer and what is wrong with it. */
export interface Judged {
  asked: AskedQuestion;
  answer: Answer;
  fault: string | null;
}

export interface AskScores {
  questions: number;
  /** Share of the answerable questions with a right answer and a right citation. */
  accuracy: number;
  /** Share of the refusals that were right. */
  refusalPrecision: number;
  /** Share of the unanswerable questions that were declined. */
  refusalRecall: number;
}

/** Accuracy over the answerable questions, precision and recall of refusals over all. */
export function scoreJudged(judged: readonly Judged[]): AskScores {
  const answerable = judged.filter(({ asked }) => asked.answered);
  const unanswerable = judged.filter(({ asked }) => !asked.answered);
  const declined = judged.filter(({ answer }) => !answer.answered);
  const right = (list: readonly Judged[]): number => list.filter(({ fault }) => fault === null).length;
  return {
    questions: judged.length,
    accuracy: right(answerable) / answerable.length,
    refusalPrecision: right(declined) / declined.length,
    refusalRecall: right(unanswerable) / unanswerable.length,
  };
}

export interface CalibrationBin {
  from: number;
  count: number;
  meanConfidence: number;
  rate: number;
}

/**
 * Confidence against outcome in ten bins, and the expected calibration error over all answers. For an answer the
 * outcome is that it is right; for a refusal, that the question had an answer after all.
 */
export function measureCalibration(judged: readonly Judged[]): { bins: CalibrationBin[]; expectedError: number } {
  const outcome = ({ asked, answer, fault }: Judged): boolean => (answer.answered ? fault === null : asked.answered);
  const bins: CalibrationBin[] = [];
  for (let bin = 0; bin < 10; bin++) {
    const held = judged.filter(({ answer }) => Math.min(9, Math.floor(answer.confidence * 10)) === bin);
    if (held.length > 0) {
      const meanConfidence = held.reduce((sum, { answer }) => sum + answer.confidence, 0) / held.length;
      bins.push({
        from: bin / 10,
        count: held.length,
        meanConfidence,
        rate: held.filter(outcome).length / held.length,
      });
    }
  }
  const expectedError = bins.reduce(
    (sum, { count, meanConfidence, rate }) => sum + (count / judged.length) * Math.abs(meanConfidence - rate),
    0,
  );
  return { bins, expectedError };
}
