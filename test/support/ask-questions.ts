import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sentencesOf } from '#almanac/ask/candidate.ts';
import type { Answer } from '#almanac/ask/index.ts';

const questionsDir = join(import.meta.dirname, '..', 'questions');

/** The file whose questions nobody looks at who works on the answers. It need not be there. */
const SEALED = 'sealed.json';

/** A file of questions; `test/questions/README.md` describes it. */
const QuestionFile = z.strictObject({
  author: z.string(),
  about: z.string(),
  questions: z.array(
    z.strictObject({
      kind: z.string(),
      ask: z.string(),
      /** What a right answer has; null when the question has to be declined. */
      expect: z.string().nullable(),
      /** Kept from training: answers to it are measured only. */
      held: z.boolean().default(false),
    }),
  ),
});

export interface AskedQuestion {
  kind: string;
  ask: string;
  expect: string | null;
  author: string;
  part: 'dev' | 'held' | 'sealed';
}

/** All questions of `test/questions`, in the order of the files; those of the sealed file when it is there. */
export function readQuestions(): AskedQuestion[] {
  const names = readdirSync(questionsDir).filter((name) => name.endsWith('.json') && name !== SEALED);
  const sealed = existsSync(join(questionsDir, SEALED)) ? [SEALED] : [];
  return [...names.sort(), ...sealed].flatMap((name) => {
    const file = QuestionFile.safeParse(JSON.parse(readFileSync(join(questionsDir, name), 'utf8')));
    if (!file.success) {
      throw new Error(`test/questions/${name}: ${z.prettifyError(file.error)}`);
    }
    const { author, questions } = file.data;
    return questions.map(
      ({ held, ...question }): AskedQuestion => ({
        ...question,
        author,
        part: name === SEALED ? 'sealed' : held ? 'held' : 'dev',
      }),
    );
  });
}

type Judgeable = Pick<Answer, 'answer' | 'grounded_in'>;

/** Whether a text with its citations has what is expected: see the README for the form of `expect`. */
export function isExpected(expect: string, { answer, grounded_in }: Judgeable): boolean {
  const paths = grounded_in.map(({ path }) => path);
  const fields = grounded_in.flatMap((citation) => ('fields' in citation ? citation.fields : []));
  const holds = (option: string): boolean =>
    option.startsWith('@')
      ? paths.some((path) => path.includes(option.slice(1)))
      : option.startsWith('#')
        ? fields.includes(option.slice(1))
        : new RegExp(option, 'i').test(answer);
  return expect.split(' && ').every((part) => {
    const options = part.replace(/^\(|\)$/g, '').split('|');
    return /(^|\|)[@#]/.test(part) ? options.some(holds) : new RegExp(part, 'i').test(answer);
  });
}

/** A list or lines to paste that follow a lead no longer than this are read together with it. */
const MAX_LEAD_OF_BLOCK = 200;

/** What a reader sees first of a text: its first two sentences, or its first block where a list or lines to paste follow a lead. */
function headOf(text: string): string {
  const [own = ''] = text.split('\nSee also');
  const [line = '', ...rest] = own.split('\n');
  const sentences = sentencesOf(line);
  const isLead = sentences.length <= 2 && (line.endsWith(':') || line.length < MAX_LEAD_OF_BLOCK);
  return isLead ? [line, ...rest].join('\n') : sentences.slice(0, 2).join('');
}

/** Whether a part of what is expected is of what is cited, and not of the text. */
export const isCitation = (part: string): boolean => /(^|[(|])[@#]/.test(part);

/** Whether a right text says what is expected first, and not only after other things. */
function isExpectedFirst(expect: string, { answer }: Pick<Answer, 'answer'>): boolean {
  const said = expect.split(' && ').filter((part) => !isCitation(part));
  return said.length === 0 || isExpected(said.join(' && '), { answer: headOf(answer), grounded_in: [] });
}

/** What is wrong with an answer; null when it is right. That a value is unconfirmed can be the right answer. */
export function judgeAnswer({ expect }: AskedQuestion, answer: Answer): string | null {
  const { answered, understood_as } = answer;
  if (expect === null) {
    return answered ? `answered by ${understood_as.intent}: ${answer.answer.slice(0, 160)}` : null;
  }
  if (!answered) {
    const isHeld = understood_as.declined === 'unconfirmed' && isExpected(expect, answer);
    return isHeld ? null : `declined as ${understood_as.declined} (${understood_as.intent} ${answer.confidence})`;
  }
  return isExpected(expect, answer)
    ? null
    : `${understood_as.intent} ${answer.confidence}: ${answer.answer.replace(/\n/g, ' ⏎ ').slice(0, 200)}`;
}

/** An asked question with its answer and what is wrong with it. */
export interface Judged {
  asked: AskedQuestion;
  answer: Answer;
  fault: string | null;
}

export interface AskScores {
  inside: number;
  outside: number;
  /** Share of the answerable questions that are answered rightly. */
  accuracy: number;
  /** Share of the answerable questions whose answer is right and says first what is asked. */
  first: number;
  /** Share of the questions to decline that are declined. */
  declined: number;
}

export function scoreJudged(judged: readonly Judged[]): AskScores {
  const inside = judged.filter(({ asked }) => asked.expect !== null);
  const outside = judged.filter(({ asked }) => asked.expect === null);
  const share = (list: readonly Judged[]): number =>
    list.filter(({ fault }) => fault === null).length / Math.max(1, list.length);
  const first = inside.filter(
    ({ asked: { expect }, answer, fault }) => fault === null && isExpectedFirst(expect ?? '', answer),
  );
  return {
    inside: inside.length,
    outside: outside.length,
    accuracy: share(inside),
    first: first.length / Math.max(1, inside.length),
    declined: share(outside),
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
 * outcome is that it is right; for a refusal, that it is wrong: that the question had an answer after all, and not only
 * the one that no source confirms it.
 */
export function measureCalibration(judged: readonly Judged[]): { bins: CalibrationBin[]; expectedError: number } {
  const outcome = ({ answer, fault }: Judged): boolean => answer.answered === (fault === null);
  const bins: CalibrationBin[] = [];
  for (let bin = 0; bin < 10; bin++) {
    const held = judged.filter(({ answer }) => Math.min(9, Math.floor(answer.confidence * 10)) === bin);
    if (held.length > 0) {
      const meanConfidence = held.reduce((sum, { answer }) => sum + answer.confidence, 0) / held.length;
      const rate = held.filter(outcome).length / held.length;
      bins.push({ from: bin / 10, count: held.length, meanConfidence, rate });
    }
  }
  const expectedError = bins.reduce(
    (sum, { count, meanConfidence, rate }) => sum + (count / judged.length) * Math.abs(meanConfidence - rate),
    0,
  );
  return { bins, expectedError };
}
