import { writeFileSync } from 'node:fs';
import { askedOf } from '#almanac/ask/asked.ts';
import { type Candidate, type Features, firstSentences, weigh } from '#almanac/ask/candidate.ts';
import { likelyFields } from '#almanac/ask/candidates/weighed-fields.ts';
import { MAX_HEAD, type PartWeights } from '#almanac/ask/candidates/weighed-parts.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { createAnswerer, type RecordCitation } from '#almanac/ask/index.ts';
import { stemsOf } from '#almanac/ask/lexicon.ts';
import { isSaidField } from '#almanac/ask/said.ts';
import { wordsOfNames } from '#almanac/ask/sections.ts';
import { datasets } from '#almanac/datasets/index.ts';
import type { PageFact, PagePart } from '#almanac/pages.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { readConfig } from '#api/config.ts';
import { isCitation, isExpected, readQuestions } from '../test/support/ask-questions.ts';
import { authorOf } from './support/ask-train-authors.ts';
import { descend } from './support/descend.ts';

/**
 * What can come first for a question, the parts of a section, the fields of a record or the sentences of a part, and what of it
 * answers: 1, or less where it only goes with the answer.
 */
interface Choice {
  author: string;
  share: number;
  options: { features: Features; right: number }[];
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
/** The same of those that records are kept with, and how right a field is that goes with the one that answers. */
const EACH_OF_RECORDS = 4;
const BESIDE = 0.5;
const AUTHOR_OF_KEPT = 'kept';
const ROUNDS = 300;
const RATE = 0.06;
const DECAY = 0.002;
const FOLDS = 5;

const content = await readBuiltPassages(readConfig().distDir);
const answerer = createAnswerer(datasets, content);

/** What is learnt from: where some options answer and some don't. */
const toChoice = (author: string, share: number, options: Choice['options']): Choice[] =>
  options.some(({ right }) => right === 1) && options.some(({ right }) => right === 0)
    ? [{ author, share, options }]
    : [];

const toParts = ({ weighed = [] }: Candidate, isRight: (part: PagePart) => boolean): Choice['options'] =>
  weighed.map(({ part, features }) => ({ features, right: Number(isRight(part)) }));

/** The sentences of each part with more than a reader sees first; where none answers alone, each is judged with the one after it. */
const toSentences = (
  { weighed = [] }: Candidate,
  isRight: (text: string, part: PagePart) => boolean,
): Choice['options'][] =>
  weighed.flatMap(({ part, sentences }) => {
    const all = sentences();
    const judge = (count: number): Choice['options'] =>
      all.map(({ features }, at) => {
        const texts = all.slice(at, at + count).map(({ text }) => text);
        return { features, right: Number(isRight(texts.join(''), part)) };
      });
    const alone = judge(1);
    return all.length <= MAX_HEAD ? [] : [alone.some(({ right }) => right === 1) ? alone : judge(MAX_HEAD)];
  });

/** What is learnt from one question. */
interface Read {
  parts: Choice[];
  fields: Choice[];
  sentences: Choice[];
}

/**
 * What tells whether a text of a candidate is what is expected: null where the candidate isn't on the expected page or record.
 * Of a record it's the text of a field, with what that cites.
 */
function toJudge(expect: string, candidate: Candidate): ((text: string, part: PagePart) => boolean) | null {
  const { entry } = candidate;
  const isOfPlace = (option: string): boolean => (entry === null ? isCitation(option) : option.startsWith('@'));
  const { place = [], said = [] } = Object.groupBy(expect.split(' && '), (one) => (isOfPlace(one) ? 'place' : 'said'));
  const composed = candidate.compose();
  const cited = { answer: '', grounded_in: composed?.citations ?? [] };
  if (said.length === 0 || !place.every((one) => isExpected(one, cited))) {
    return null;
  }
  const [title = ''] = composed?.text.split(': ') ?? [];
  const toCited = (part: PagePart): RecordCitation[] =>
    entry === null || !isSaidField(part)
      ? []
      : [
          {
            dataset: entry.dataset,
            id: entry.id,
            title: entry.title,
            path: entry.path,
            fields: part.fields,
            quote: part.text,
          },
        ];
  return (text, part) =>
    isExpected(said.join(' && '), { answer: `${entry?.title ?? title}: ${text}`, grounded_in: toCited(part) });
}

/** The section of a page or the record that a question is answered by, where it's among the candidates. */
function readAsked({ ask, expect, author }: Expecting, nearest: number): Read {
  const share = (nearest < 1 ? 1 : KNOWN) * authorOf(author).share;
  const read: Read = { parts: [], fields: [], sentences: [] };
  for (const { candidate } of answerer.rank(ask, nearest).ranked.slice(0, MAX_TRIED)) {
    const isRight = candidate.weighed === undefined ? null : toJudge(expect, candidate);
    if (isRight !== null) {
      const isRightPart = (part: PagePart): boolean => isRight(firstSentences(part.text, MAX_HEAD), part);
      read[candidate.entry === null ? 'parts' : 'fields'] = toChoice(author, share, toParts(candidate, isRightPart));
      read.sentences = toSentences(candidate, isRight).flatMap((options) => toChoice(author, share, options));
      if (read.parts.length + read.fields.length + read.sentences.length > 0) {
        return read;
      }
    }
  }
  return read;
}

/** Learns to put what answers before what doesn't (the softmax of the scores). */
function learn(choices: readonly Choice[]): Record<string, number> {
  const names = [
    ...new Set(choices.flatMap(({ options }) => options.flatMap(({ features }) => Object.keys(features)))),
  ].sort();
  const total = choices.reduce((sum, { share }) => sum + share, 0);
  const read = choices.map(({ options, share }) => ({
    share: share / total,
    options: options.map(({ features, right }) => ({ values: names.map((name) => features[name] ?? 0), right })),
  }));
  const weights = descend(names.length, ROUNDS, RATE, DECAY, (current) => {
    const gradient = new Float64Array(names.length);
    for (const { options, share } of read) {
      const odds = options.map(({ values }) =>
        Math.exp(values.reduce((sum, value, at) => sum + value * (current[at] ?? 0), 0)),
      );
      const all = odds.reduce((sum, each) => sum + each, 0);
      const ofRight = odds.reduce((sum, each, at) => sum + each * (options[at]?.right ?? 0), 0);
      for (const [index, { values, right }] of options.entries()) {
        const own = odds[index] ?? 0;
        const pull = share * ((own * right) / ofRight - own / all);
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
    return options[scores.indexOf(Math.max(...scores))]?.right === 1;
  }).length;

/** Learns from all, and tells how it fares with authors that it has not learnt from. */
function learnAndTell(what: string, choices: readonly Choice[]): Record<string, number> {
  const authors = [...new Set(choices.map(({ author }) => author))];
  const foldOf = ({ author }: Choice, index: number): number =>
    (author === AUTHOR_OF_KEPT ? index : authors.indexOf(author)) % FOLDS;
  const right = new Map<string, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = learn(choices.filter((choice, index) => foldOf(choice, index) !== fold));
    const own = choices.filter((choice, index) => foldOf(choice, index) === fold);
    for (const isKept of [true, false]) {
      const who = isKept ? 'that are kept' : 'of people';
      const count = countRight(
        own.filter(({ author }) => (author === AUTHOR_OF_KEPT) === isKept),
        weights,
      );
      right.set(who, (right.get(who) ?? 0) + count);
    }
  }
  for (const [who, count] of right) {
    const all = choices.filter(({ author }) => (author === AUTHOR_OF_KEPT) === (who === 'that are kept')).length;
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
      AUTHOR_OF_KEPT,
      KEPT,
      weighed.map((one) => ({ features: one.features, right: Number(one.part === part) })),
    ),
    sentences: toChoice(
      AUTHOR_OF_KEPT,
      KEPT,
      sentences.map(({ features }, at) => ({ features, right: Number(at === sentence) })),
    ),
  };
});

/** The questions that records are kept with, as if nobody had written them down: the field that answers, and those that go with it. */
const ofRecords = toEntries(datasets)
  .flatMap((entry) => askedOf(entry).flatMap(({ ask, say }) => ask.map((one) => ({ entry, ask: one, say }))))
  .filter((_, index) => index % EACH_OF_RECORDS === 0)
  .flatMap(({ entry, ask, say }) => {
    const { question, ranked } = answerer.rank(ask, UNWRITTEN);
    const own = ranked.find(
      ({ candidate: { weighed, entry: one } }) => weighed !== undefined && one?.path === entry.path,
    );
    const ofName = wordsOfNames(entry);
    const stems = stemsOf(ask).filter((stem) => !ofName.has(stem));
    const likely = likelyFields(question, entry, ofName, { stems, field: say[0] ?? '' });
    const rightOf = (field: string): number => (field === say[0] ? 1 : say.includes(field) ? BESIDE : 0);
    const options = (own?.candidate.weighed ?? []).flatMap(({ part, features }) =>
      isSaidField(part) ? [{ features: { ...features, ...likely(part.field) }, right: rightOf(part.field) }] : [],
    );
    return toChoice(AUTHOR_OF_KEPT, KEPT, options);
  });
const weights: PartWeights = {
  part: learnAndTell('The part', [...read.flatMap(({ parts }) => parts), ...ofPages.flatMap(({ parts }) => parts)]),
  field: learnAndTell('The field', [...read.flatMap(({ fields }) => fields), ...ofRecords]),
  sentence: learnAndTell('The sentence', [
    ...read.flatMap(({ sentences }) => sentences),
    ...ofPages.flatMap(({ sentences }) => sentences),
  ]),
};
writeFileSync(new URL('../almanac/ask/data/parts.json', import.meta.url), `${JSON.stringify(weights, null, 1)}\n`);
