import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { createSearch } from '#almanac/search.ts';
import { openBuiltAnswerer, readBuiltPassages } from '#api/almanac/passages.ts';
import { readConfig } from '#api/config.ts';
import { findMisquotes, findUngrounded } from '../test/support/ask-grounding.ts';
import {
  type Judged,
  judgeAnswer,
  measureCalibration,
  readQuestions,
  scoreJudged,
} from '../test/support/ask-questions.ts';
import { median, percentile } from './support/bench/percentile.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
/** What is held, with the lists of numbers that are kept outside of the heap. */
const megabytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};

/** How many times all questions are asked to measure the time of one. */
const ROUNDS = 3;

const { distDir } = readConfig();
const content = await readBuiltPassages(distDir);
const answerer = openBuiltAnswerer(distDir);
const before = megabytes();
const started = performance.now();
const { ask } = createAnswerer(datasets, content, answerer.read());
const start = performance.now() - started;
const held = megabytes() - before;
const search = createSearch(datasets);
search('GPTBot');
const withSearch = megabytes() - before;

const judged: Judged[] = readQuestions().map((asked) => {
  const answer = ask(asked.ask);
  return { asked, answer, fault: judgeAnswer(asked, answer) };
});

for (const part of ['dev', 'held', 'sealed'] as const) {
  for (const author of [...new Set(judged.map(({ asked }) => asked.author))]) {
    const own = judged.filter(({ asked }) => asked.part === part && asked.author === author);
    if (own.length === 0) {
      continue;
    }
    const { inside, outside, accuracy, first, declined } = scoreJudged(own);
    const wrong = own.filter(({ asked, answer, fault }) => asked.expect !== null && answer.answered && fault !== null);
    console.log(
      `\n${part}, author ${author}: right ${percent(accuracy)} of ${inside} (${percent(first)} say it first; ${wrong.length} answered wrongly), declined ${percent(declined)} of ${outside}`,
    );
    const kinds = Map.groupBy(own, ({ asked }) => asked.kind);
    for (const [kind, list] of kinds) {
      console.log(`  ${kind}: ${list.filter(({ fault }) => fault === null).length} of ${list.length}`);
    }
    const { bins, expectedError } = measureCalibration(own);
    console.log(`  calibration: expected error ${expectedError.toFixed(3)}`);
    for (const { from, count, meanConfidence, rate } of bins) {
      const range = `${from.toFixed(1)}-${(from + 0.1).toFixed(1)}`;
      console.log(
        `    ${range}  n ${String(count).padStart(3)}  said ${meanConfidence.toFixed(2)}  was ${rate.toFixed(2)}`,
      );
    }
    // What is held or sealed is measured and not looked at, or it would no longer tell how questions fare that nobody knew.
    for (const { asked, fault } of part === 'dev' ? own.filter((one) => one.fault !== null) : []) {
      console.log(`  wrong: ${asked.ask} – ${fault}`);
    }
  }
}

const answered = judged.filter(({ answer }) => answer.answered);
const ungrounded = answered.filter(({ answer }) => findUngrounded(answer, datasets).length > 0);
const misquoted = answered.filter(({ answer }) => findMisquotes(answer, datasets, content).length > 0);
const lengths = answered.map(({ answer }) => answer.answer.length);
console.log(`\ngrounding: ${answered.length} answers, ${ungrounded.length} ungrounded, ${misquoted.length} misquoted`);
console.log(`length: median ${median(lengths)} characters, 95 % under ${percentile(lengths, 0.95)}`);

const times: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const { asked } of judged) {
    const from = performance.now();
    ask(asked.ask);
    times.push(performance.now() - from);
  }
}
console.log(
  `time: start ${start.toFixed(0)} ms (goal 300), p50 ${median(times).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms (goal 20)`,
);
console.log(
  `memory: ${held.toFixed(1)} MB for answers, ${withSearch.toFixed(1)} MB with search (goal 40; run node with --expose-gc)`,
);
