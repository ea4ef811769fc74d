import { findMisquotes, findUngrounded } from '#almanac/ask/grounding.ts';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import {
  type Judged,
  judgeAnswer,
  measureCalibration,
  readQuestions,
  scoreJudged,
} from '../test/support/ask-questions.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const quantile = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)} ms`;

const enlarge = (times: number) =>
  datasets.map(({ id, path, title, records }) => ({
    id,
    path,
    title,
    records: Array.from({ length: times }, (_, copy) =>
      records.map((record) => (copy === 0 ? record : { ...record, ...rename({ ...record }, copy) })),
    ).flat(),
  }));

/** A copy under a name of its own, so that it adds names and words and not only matches. */
function rename(record: Record<string, unknown>, copy: number): Record<string, unknown> {
  const tag = `x${String.fromCharCode(96 + copy)}q`;
  const renamed: Record<string, unknown> = { id: `${record.id}-${tag}` };
  for (const field of ['name', 'term', 'statement', 'full_name', 'definition', 'summary', 'snippet', 'purpose']) {
    const text = record[field];
    if (typeof text === 'string') {
      renamed[field] = text.replace(/\p{L}{4,}/gu, (word) => `${word}${tag}`);
    }
  }
  return { ...renamed, aliases: [], also_known_as: [], abbreviation: null, abbreviation_of: null, api_id: null };
}

/** Answers all questions several times and returns the sorted times in milliseconds. */
function time(ask: (question: string) => unknown, questions: readonly string[], rounds: number): number[] {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const question of questions) {
      const start = performance.now();
      ask(question);
      times.push(performance.now() - start);
    }
  }
  return times.sort((a, b) => a - b);
}

const ask = createAnswerer(datasets);
const judged: Judged[] = readQuestions().map((asked) => {
  const answer = ask(asked.question);
  return { asked, answer, fault: judgeAnswer(asked, answer) };
});

for (const split of ['dev', 'held_out'] as const) {
  const part = judged.filter(({ asked }) => asked.split === split);
  const scores = scoreJudged(part);
  const { bins, expectedError } = measureCalibration(part);
  console.log(
    `\n${split}: ${scores.questions} questions, ${part.filter(({ asked }) => !asked.answered).length} without an answer`,
  );
  console.log(`  right answers with right citations  ${percent(scores.accuracy)}`);
  console.log(`  refusals: precision ${percent(scores.refusalPrecision)}, recall ${percent(scores.refusalRecall)}`);
  console.log(`  calibration: expected error ${expectedError.toFixed(3)}`);
  for (const { from, count, meanConfidence, rate } of bins) {
    console.log(
      `    ${from.toFixed(1)}-${(from + 0.1).toFixed(1)}  n ${String(count).padStart(3)}  said ${meanConfidence.toFixed(2)}  was ${rate.toFixed(2)}`,
    );
  }
  for (const { asked, fault } of part.filter((one) => one.fault !== null)) {
    console.log(`  wrong: ${asked.question} – ${fault}`);
  }
}

const answered = judged.filter(({ answer }) => answer.answered);
const ungrounded = answered.filter(({ answer }) => findUngrounded(answer).length > 0);
const misquoted = answered.filter(({ answer }) => findMisquotes(answer, datasets).length > 0);
console.log(`\ngrounding: ${answered.length} answers, ${ungrounded.length} ungrounded, ${misquoted.length} misquoted`);

const questions = judged.map(({ asked }) => asked.question);
const times = time(ask, questions, 5);
const many = time(createAnswerer(enlarge(10)), questions, 2);
const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
console.log(`latency: p50 ${quantile(times, 0.5)}, p99 ${quantile(times, 0.99)}`);
console.log(
  `ten times the records: p50 ${quantile(many, 0.5)}, p99 ${quantile(many, 0.99)}, ${(total(many) / total(times)).toFixed(1)} times the cost`,
);
