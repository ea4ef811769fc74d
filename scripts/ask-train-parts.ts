import { writeFileSync } from 'node:fs';
import { type Candidate, type Features, firstSentences, weigh } from '#almanac/ask/candidate.ts';
import { MAX_HEAD, type PartWeights } from '#almanac/ask/candidates/weighed-parts.ts';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import type { PageFact, PagePart } from '#almanac/pages.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { readConfig } from '#api/config.ts';
import { isCitation, isExpected, readQuestions } from '../test/support/ask-questions.ts';
import { authorOf } from './support/ask-train-authors.ts';
import { descend } from './support/descend.ts';

/** What can come first for a question, the parts of a section or the sentences of a part, and what of it answers. */
interface Choice {
  author: string;
  share: number;
  options: { features: Features; isRight: boolean }[];
}

/** A question with what is expected of its answer. */
interface Expecting {
  ask: string;
  expect: string;
  author: string;
}

/** How near a kept question may be to one that counts as new, and how much one counts that is learnt from as it is. */
const UNWRITTEN = 0.7;
const KNOWN = 0.6;
/** How many of the first candidates are looked through for a section that answers. */
const MAX_TRIED = 8;
/** Which of the questions that pages are kept with are learnt from, how much each counts, and how many a fact has that people wrote for. */
const EACH_KEPT = 5;
const KEPT = 0.5;
const WRITTEN_ASKS = 3;
const PAGES = 'pages';
const ROUNDS = 300;
const RATE = 0.06;
const DECAY = 0.002;
const FOLDS = 5;

const content = await readBuiltPassages(readConfig().distDir);
const answerer = createAnswerer(datasets, content);

/** What is learnt from: where some options answer and some don't. */
const toChoice = (author: string, share: number, options: Choice['options']): Choice[] =>
  options.some(({ isRight }) => isRight) && options.some(({ isRight }) => !isRight) ? [{ author, share, options }] : [];

const toParts = ({ weighed = [] }: Candidate, isRight: (part: PagePart) => boolean): Choice['options'] =>
  weighed.map(({ part, features }) => ({ features, isRight: isRight(part) }));

/** The sentences of each part with more than a reader sees first; where none answers alone, each is judged with the one after it. */
const toSentences = ({ weighed = [] }: Candidate, isRight: (text: string) => boolean): Choice['options'][] =>
  weighed.flatMap(({ sentences }) => {
    const all = sentences();
    const judge = (count: number): Choice['options'] =>
      all.map(({ features }, at) => {
        const texts = all.slice(at, at + count).map(({ text }) => text);
        return { features, isRight: isRight(texts.join('')) };
      });
    const alone = judge(1);
    return all.length <= MAX_HEAD ? [] : [alone.some((one) => one.isRight) ? alone : judge(MAX_HEAD)];
  });

/** The section of a page that a question is answered by, where it's among the candidates: its parts, and their sentences. */
function readAsked({ ask, expect, author }: Expecting, nearest: number): { parts: Choice[]; sentences: Choice[] } {
  const expected = expect.split(' && ');
  const said = expected.filter((option) => !isCitation(option)).join(' && ');
  const cited = expected.filter(isCitation).join(' && ');
  const share = (nearest < 1 ? 1 : KNOWN) * authorOf(author).share;
  const candidates = said === '' ? [] : answerer.rank(ask, nearest).ranked.slice(0, MAX_TRIED);
  for (const { candidate } of candidates.filter((one) => one.candidate.weighed !== undefined)) {
    const composed = candidate.compose();
    const isCited = cited === '' || isExpected(cited, { answer: '', grounded_in: composed?.citations ?? [] });
    const [title = ''] = composed?.text.split(': ') ?? [];
    const isRight = (text: string): boolean => isExpected(said, { answer: `${title}: ${text}`, grounded_in: [] });
    const isRightPart = ({ text }: PagePart): boolean => isRight(firstSentences(text, MAX_HEAD));
    const parts = isCited ? toChoice(author, share, toParts(candidate, isRightPart)) : [];
    const sentences = isCited
      ? toSentences(candidate, isRight).flatMap((options) => toChoice(author, share, options))
      : [];
    if (parts.length + sentences.length > 0) {
      return { parts, sentences };
    }
  }
  return { parts: [], sentences: [] };
}

/** Learns to put what answers before what doesn't (the softmax of the scores). */
function learn(choices: readonly Choice[]): Record<string, number> {
  const names = [
    ...new Set(choices.flatMap(({ options }) => options.flatMap(({ features }) => Object.keys(features)))),
  ].sort();
  const total = choices.reduce((sum, { share }) => sum + share, 0);
  const read = choices.map(({ options, share }) => ({
    share: share / total,
    options: options.map(({ features, isRight }) => ({ values: names.map((name) => features[name] ?? 0), isRight })),
  }));
  const weights = descend(names.length, ROUNDS, RATE, DECAY, (current) => {
    const gradient = new Float64Array(names.length);
    for (const { options, share } of read) {
      const odds = options.map(({ values }) =>
        Math.exp(values.reduce((sum, value, at) => sum + value * (current[at] ?? 0), 0)),
      );
      const all = odds.reduce((sum, each) => sum + each, 0);
      const right = odds.reduce((sum, each, at) => sum + (options[at]?.isRight === true ? each : 0), 0);
      for (const [index, { values, isRight }] of options.entries()) {
        const own = odds[index] ?? 0;
        const pull = share * ((isRight ? own / right : 0) - own / all);
        values.forEach((value, at) => {
          gradient[at] = (gradient[at] ?? 0) + pull * value;
        });
      }
    }
    return gradient;
  });
  return Object.fromEntries(names.map((name, at) => [name, Math.round((weights[at] ?? 0) * 1000) / 1000]));
}

/** How often what comes first answers. */
const countRight = (choices: readonly Choice[], weights: Record<string, number>): number =>
  choices.filter(({ options }) => {
    const scores = options.map(({ features }) => weigh(features, weights));
    return options[scores.indexOf(Math.max(...scores))]?.isRight === true;
  }).length;

/** Learns from all, and tells how it fares with authors that it has not learnt from. */
function learnAndTell(what: string, choices: readonly Choice[]): Record<string, number> {
  const authors = [...new Set(choices.map(({ author }) => author))];
  const foldOf = ({ author }: Choice, index: number): number =>
    (author === PAGES ? index : authors.indexOf(author)) % FOLDS;
  const right = new Map<string, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = learn(choices.filter((choice, index) => foldOf(choice, index) !== fold));
    const own = choices.filter((choice, index) => foldOf(choice, index) === fold);
    for (const isOfPages of [true, false]) {
      const who = isOfPages ? 'kept with pages' : 'of people';
      const count = countRight(
        own.filter(({ author }) => (author === PAGES) === isOfPages),
        weights,
      );
      right.set(who, (right.get(who) ?? 0) + count);
    }
  }
  for (const [who, count] of right) {
    const all = choices.filter(({ author }) => (author === PAGES) === (who === 'kept with pages')).length;
    if (all > 0) {
      console.log(
        `${what} that answers comes first for ${count} of ${all} questions ${who} that it wasn't learnt from`,
      );
    }
  }
  return learn(choices);
}

const asked = readQuestions().flatMap(({ part, kind, ask, expect, author }): Expecting[] =>
  part === 'dev' && kind !== 'compound' && expect !== null ? [{ ask, expect, author }] : [],
);
/** The part that a fact begins with. */
const partOf = ({ section, parts }: Pick<PageFact, 'section' | 'parts'>): PagePart | undefined =>
  content.sections[section]?.parts[parts[0] ?? -1];

/** The parts of which somebody has told which sentence answers: where all are kept with the beginning nobody has. */
const told = new Set(content.facts.filter(({ sentence = 0 }) => sentence > 0).map(partOf));

/** The questions that a page is kept with, as if nobody had written them down, with the part and the sentence that answers. */
const kept = content.facts
  .filter(({ ask }) => ask.length >= WRITTEN_ASKS)
  .flatMap(({ section, parts, ask, sentence = 0 }) =>
    ask.map((one) => ({ ask: one, part: partOf({ section, parts }), sentence })),
  )
  .filter((_, index) => index % EACH_KEPT === 0);
const read = [1, UNWRITTEN].flatMap((nearest) => asked.map((one) => readAsked(one, nearest)));
const ofPages = kept.map(({ ask, part, sentence }) => {
  const own = answerer
    .rank(ask, UNWRITTEN)
    .ranked.find(({ candidate }) => candidate.weighed?.some((one) => one.part === part) === true);
  const weighed = own?.candidate.weighed ?? [];
  const sentences = told.has(part) ? (weighed.find((one) => one.part === part)?.sentences() ?? []) : [];
  return {
    parts: toChoice(
      PAGES,
      KEPT,
      weighed.map((one) => ({ features: one.features, isRight: one.part === part })),
    ),
    sentences: toChoice(
      PAGES,
      KEPT,
      sentences.map(({ features }, at) => ({ features, isRight: at === sentence })),
    ),
  };
});
const weights: PartWeights = {
  part: learnAndTell('The part', [...read.flatMap(({ parts }) => parts), ...ofPages.flatMap(({ parts }) => parts)]),
  sentence: learnAndTell('The sentence', [
    ...read.flatMap(({ sentences }) => sentences),
    ...ofPages.flatMap(({ sentences }) => sentences),
  ]),
};
writeFileSync(new URL('../almanac/ask/data/parts.json', import.meta.url), `${JSON.stringify(weights, null, 1)}\n`);
