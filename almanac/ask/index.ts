import { noPages, type PageContent } from '../pages.ts';
import { tellAlso } from './also.ts';
import type { Answer } from './answer.ts';
import { type Askable, createAskable } from './askable.ts';
import type { Candidate, Features } from './candidate.ts';
import { sentencesOf } from './candidate.ts';
import { chooseCandidates } from './candidates/choose.ts';
import { compareCandidates } from './candidates/compare.ts';
import { namedCandidates } from './candidates/fields.ts';
import { listCandidates } from './candidates/lists.ts';
import { sectionCandidates } from './candidates/sections.ts';
import { indexSeries, type SeriesIndex } from './candidates/statements.ts';
import { isEnglish } from './english.ts';
import { type AskableDataset, toEntries } from './entries.ts';
import { shareSaid, stemsOf } from './lexicon.ts';
import { OWN_NAME } from './names.ts';
import { createReader, type Question } from './question.ts';
import { featuresOf, isSure, isWholeField, toConfidence, toDecision, topicOf, toScore, toWithin } from './rank.ts';
import { createRecords } from './records.ts';
import { isWithin, refuse } from './refuse.ts';
import { decline, type Found, toAnswer } from './respond.ts';
import { createSectionIndex, type SectionIndex } from './section-index.ts';
import { readSections } from './sections.ts';
import { isOfSuccessor, splitQuestion, withSubject } from './split.ts';
import { MAX_QUESTION_LENGTH } from './tokens.ts';

export type {
  Answer,
  Citation,
  PageReference,
  RecordCitation,
  RecordReference,
} from './answer.ts';
export { MAX_QUESTION_LENGTH } from './tokens.ts';

/** A candidate with everything that its score rests on. */
export interface Ranked {
  candidate: Candidate;
  features: Features;
  score: number;
}

export interface Answerer {
  /** Answers a question, or declines it. Never throws: a question is hostile text. Reads the first 500 characters. */
  ask(question: string): Answer;
  /**
   * A question as it is read, and all candidates for it, best first: what training learns from. Questions kept with pages
   * that are nearer than `nearest` (0 to 1) don't count.
   */
  rank(question: string, nearest?: number): { question: Question; ranked: Ranked[] };
}

/** How many of the first candidates may turn out to have no answer before the question is given up. */
const MAX_TRIED = 8;

/** How much surer the answer to the whole has to be than those to its parts, to be given in their place. */
const LEAD_OF_WHOLE = 0.3;
/** What words of a part weigh together that the answer to the whole doesn't say and the part's own does, for it to be left open. */
const LEFT_OPEN = 0.4;

/** From this share of its words on a part is said. */
const MOSTLY = 0.7;

/** How sure the answer by a field that explains every word is at least. */
const LEAST_PLAIN = 0.5;
/** From this confidence on an answer is given to what looks like a wish for an opinion or a prediction. */
const SURE = 0.95;
/** And from this one on where the question has a name that nobody knows, of so many letters at least. */
const SURE_OF_UNKNOWN = 0.9;
const LEAST_NAME = 4;

interface Engine {
  askable: Askable;
  sections: SectionIndex;
  series: SeriesIndex;
  read: (asked: string) => Question;
}

function createEngine(datasets: readonly AskableDataset[], content: PageContent, prepared?: Buffer): Engine {
  const records = createRecords(toEntries(datasets));
  const askable = createAskable(records);
  const all = readSections(content, askable);
  const sections = createSectionIndex(all, records, prepared);
  return {
    askable,
    sections,
    series: indexSeries(records.entries),
    read: createReader(
      records.entries,
      sections,
      content.facts.flatMap(({ names }) => names),
      new Set(all.flatMap(({ ofHeading, entry }) => (entry === null ? [...ofHeading] : []))),
    ),
  };
}

function rank({ askable, sections, series }: Engine, question: Question, nearest?: number): Ranked[] {
  const candidates = [
    ...namedCandidates(askable, question),
    ...chooseCandidates(askable, question),
    ...compareCandidates(askable, question),
    ...listCandidates(askable, question),
    ...sectionCandidates(askable, sections, series, question, nearest),
  ];
  const topic = topicOf(question);
  return candidates
    .map((candidate) => {
      const features = featuresOf(question, candidate, topic);
      return { candidate, features, score: toScore(features) };
    })
    .sort((a, b) => b.score - a.score);
}

/** The first candidate that has an answer in which every near miss of a name occurs. */
function findBest(engine: Engine, question: Question): Found | null {
  const ranked = rank(engine, question).slice(0, MAX_TRIED);
  for (const [place, { candidate, features, score }] of ranked.entries()) {
    const composed = candidate.compose();
    const isNamed = (text: string): boolean => composed?.text.toLowerCase().includes(text.toLowerCase()) === true;
    if (composed !== null && question.nearMisses.every(({ text }) => isNamed(text))) {
      const rival = ranked.slice(place + 1).find((other) => other.candidate.intent !== candidate.intent);
      const lead = rival === undefined ? Number.POSITIVE_INFINITY : score - rival.score;
      const decision = toDecision(features, score, lead);
      const isSaidPlainly = isPlain(question, features);
      const confidence = Math.max(toConfidence(decision), isSaidPlainly ? LEAST_PLAIN : 0);
      return {
        ...{ candidate, composed, confidence, within: toWithin(decision) },
        isPlain: isSaidPlainly,
        also: tellAlso(ranked.slice(place + 1), { candidate, features, score, composed }),
      };
    }
  }
  return null;
}

const isPlain = (question: Question, features: Features): boolean =>
  isWholeField(features) && question.nearMisses.length + question.unknownNames.length === 0;

/** A figure of March is no answer to who asks for October. */
const isOtherMonth = ({ monthMissed, trend }: Features): boolean => monthMissed === 1 && trend === 0;

/** A figure about one crawler or model is no answer to who asks for that of another. */
const isOfOther = ({ mentions }: Question, { candidate: { features }, composed: { text } }: Found): boolean =>
  features['isStatement'] === 1 &&
  mentions.some(
    ({ entries: [first] }) =>
      first !== undefined &&
      /^(crawlers|models)$/.test(first.entry.dataset) &&
      first.strength >= OWN_NAME &&
      !text.includes(first.entry.title),
  );

const ofShare = /^(percentage|percent|share|proportion|fraction)$/;
const MAX_POPULATION = 3;
const OPEN_WEIGHT = 0.35;
const OPEN_SHARE = 0.3;

/** "What share of Japanese museums …?": a figure of all sites is no answer to who asks for some of them. */
const isOfOtherPopulation = ({ words }: Question, { candidate: { features, explained } }: Found): boolean =>
  features['isStatement'] === 1 &&
  words.some(({ word, position }) => {
    const of = position + 1;
    const population = words.slice(of + 1, of + 1 + MAX_POPULATION);
    const end = population.findIndex(({ isEmpty, word: other }) => isEmpty && !/^(the|all|our|your)$/.test(other));
    return (
      ofShare.test(word) &&
      words[of]?.word === 'of' &&
      population
        .slice(0, end === -1 ? MAX_POPULATION : end)
        .some(({ weight, position: at }) => weight > OPEN_WEIGHT && (explained[at] ?? 0) < OPEN_SHARE)
    );
  });

/** "Traefik", "Midjourney": a name of the question that no text of the site and no dictionary has, and the answer doesn't either. */
const isOfUnknown = ({ words, isForeign }: Question, { composed, confidence, isPlain }: Found): boolean =>
  !isForeign &&
  !isPlain &&
  confidence < SURE_OF_UNKNOWN &&
  words.some(
    ({ word, raw, rarity, isNumber, isEmpty }) =>
      rarity >= 1 &&
      !isNumber &&
      !isEmpty &&
      /^\p{Lu}/u.test(raw) &&
      word.length >= LEAST_NAME &&
      !composed.text.toLowerCase().includes(word) &&
      !isEnglish(word),
  );

/** From this weight on a word has to be explained for nothing to be open, and by how much. */
const WEIGHS = 0.15;
const EXPLAINED = 0.8;
/** What a word of a name weighs that tells which record is meant. */
const RARE = 0.6;

/** "RSL licensing, how many media companies support": a record that's named and explains every word, however few they are. */
function isCovered(question: Question, { candidate: { entry, explained }, confidence }: Found): boolean {
  const { words, nearMisses, unknownNames } = question;
  const ofName = entry === null || entry.dataset === 'glossary' ? [] : stemsOf(entry.title);
  return (
    confidence >= LEAST_PLAIN &&
    nearMisses.length + unknownNames.length === 0 &&
    words.some(({ weight, stem }) => weight >= RARE && ofName.includes(stem)) &&
    words.every(({ weight, position }) => weight < WEIGHS || (explained[position] ?? 0) >= EXPLAINED)
  );
}

const isGood = (question: Question, found: Found | null): found is Found =>
  found !== null &&
  !isOfUnknown(question, found) &&
  !isOtherMonth(found.candidate.features) &&
  !isOfOther(question, found) &&
  !isOfOtherPopulation(question, found) &&
  (found.isPlain || isCovered(question, found) || isSure(question, found));

/** A part of a compound question with its best answer; `isFollowed` where the next part is about what that found. */
interface AnsweredPart {
  part: Question;
  found: Found | null;
  isFollowed: boolean;
}

/** Whether an answer is about a record that neither is what is meant nor speaks of it. */
const isRecordBeside = ({ candidate: { entry }, composed: { text } }: Found, meant: string): boolean =>
  entry !== null && entry.title !== meant && !text.toLowerCase().includes(meant.toLowerCase());

/** The parts of a compound question in order. "Its" may mean what the part before it found. */
function answerParts(engine: Engine, question: Question): AnsweredPart[] {
  let subject: string | null = null;
  /** What came after the record that is asked about, and the same where that was asked for. */
  let successor: string | null = null;
  let asked: string | null = null;
  let before: AnsweredPart | undefined;
  return splitQuestion(question, engine.read).map(({ text, part: split, isNamed, refersBack }) => {
    // "What replaced X, and what does it cost?" is about what came after.
    const own = refersBack && asked !== null ? asked : isNamed ? null : subject;
    const meant = isOfSuccessor(text) ? (successor ?? subject) : own;
    const follows = meant !== null;
    const part = follows ? engine.read(withSubject(text, meant)) : split;
    const best = findBest(engine, part);
    // "…, and when did version 1 come out?" isn't answered by the version of something else.
    const isOfOtherRecord = follows && best !== null && isRecordBeside(best, meant);
    const found = isOfOtherRecord ? null : best;
    const entry = found?.candidate.entry ?? null;
    subject = found?.candidate.subject ?? entry?.title ?? subject;
    if (!follows && entry !== null) {
      successor = engine.askable.records.follow(entry, 'replaced_by')[0]?.title ?? null;
      asked = found?.candidate.successor ?? asked;
    }
    if (follows && before !== undefined && isGood(part, found)) {
      before.isFollowed = true;
    }
    before = { part, found, isFollowed: false };
    return before;
  });
}

/** How much of a question a text says, of what its words weigh. */
function shareOf({ words }: Question, text: string): number {
  const stems = new Set(stemsOf(text));
  return words.reduce((sum, { stem, weight }) => sum + weight * shareSaid(stems, stem), 0);
}

/** Whether the answer to a whole question says much less of the words of one part than that part's own. */
const isLeftOpen = ({ part, found }: { part: Question; found: Found }, whole: Found): boolean =>
  shareOf(part, found.composed.text) > shareOf(part, whole.composed.text) + LEFT_OPEN;

/** Whether what is said of the other parts says most words of one. */
function isSaid(part: Question, founds: readonly Found[]): boolean {
  const whole = part.words.reduce((sum, { weight }) => sum + weight, 0);
  return shareOf(part, founds.map(({ composed }) => composed.text).join(' ')) > MOSTLY * whole;
}

/** "I'm a student of law. What did the court order?": the sentence that asks, where the whole has no answer. */
function answerAsked(engine: Engine, question: Question): Found | null {
  const sentences = sentencesOf(question.text);
  const asked = sentences.filter((sentence) => sentence.includes('?'));
  if (asked.length !== 1 || sentences.length === 1) {
    return null;
  }
  const alone = engine.read(asked[0] ?? '');
  const found = findBest(engine, alone);
  return isGood(alone, found) && !isOfUnknown(question, found) ? found : null;
}

function answer(engine: Engine, question: Question): Answer {
  const refusal = refuse(question);
  if (refusal === 'empty' || refusal === 'instruction') {
    return decline(engine, question, refusal, null);
  }
  const whole = findBest(engine, question);
  // "Does FooBot obey crawl-delay?" is about a name that no record has, whatever its parts would find.
  const isStranger =
    question.unknownNames.length > 0 &&
    question.mentions.every(({ entries }) => entries[0]?.entry.dataset !== 'crawlers');
  if (isStranger && !question.unknownNames.some((name) => whole?.composed.text.includes(name))) {
    return decline(engine, question, 'unknown-name', whole);
  }
  const within = whole?.within;
  // "A or B, which is better?" is told what each is for.
  const isChoice =
    refusal === 'opinion' && whole?.candidate.isChoice === true && question.at.has('or') && isGood(question, whole);
  // "Do you like A2A?" is told by its name alone what A2A is, which isn't asked.
  const isKnown = (whole?.confidence ?? 0) >= SURE && whole?.candidate.features['bare'] !== 1;
  if (refusal !== null && !isChoice && !isKnown) {
    return decline(engine, question, refusal, null);
  }
  const isOfAll = isGood(question, whole) && whole.candidate.answersAll === true;
  const parts = isOfAll ? [] : answerParts(engine, question);
  const answered = parts.flatMap(({ part, found }) =>
    isGood(part, found) && !isOfUnknown(question, found) ? [{ part, found }] : [],
  );
  // The answer to the whole may be that to one part of it: then the parts say what it leaves open.
  const isPart = answered.some(({ found }) => found.composed.text === whole?.composed.text);
  const least = Math.min(...answered.map(({ found }) => found.confidence));
  const leavesOpen = whole !== null && answered.some((one) => isLeftOpen(one, whole));
  const isSurer =
    isGood(question, whole) && !leavesOpen && whole.confidence > least + (answered.length > 1 ? LEAD_OF_WHOLE : 0);
  const isWholeOfOther = isGood(question, whole) && !isPart && answered.length < parts.length;
  if (answered.length > 0 && !isSurer && (leavesOpen || !isWholeOfOther)) {
    const founds = new Map(answered.map(({ part, found }) => [part, found]));
    const open = parts
      .filter(({ part, isFollowed }) => !founds.has(part) && !isFollowed && !isSaid(part, [...founds.values()]))
      .map(({ part }) => part);
    // What answers the whole and none of the parts that are answered is about what they leave open.
    if (isWholeOfOther) {
      founds.set(open.shift() as Question, whole);
    }
    const said = parts.flatMap(({ part }) => founds.get(part) ?? []);
    return toAnswer(
      engine,
      question,
      said.filter(({ composed }, at) => said.findIndex((other) => other.composed.text === composed.text) === at),
      open.map(({ text }) => text),
    );
  }
  if (!isGood(question, whole)) {
    const told = isWithin(question, within) ? answerAsked(engine, question) : null;
    if (told !== null) {
      return toAnswer(engine, question, [told], []);
    }
    const isMissed = question.nearMisses.length + question.unknownNames.length > 0;
    return decline(
      engine,
      question,
      isMissed ? 'unknown-name' : isWithin(question, within) ? 'not-understood' : 'outside',
      whole,
    );
  }
  return toAnswer(engine, question, [whole], []);
}

/** Reads all texts for `createAnswerer`, which takes half as long when it's given the outcome. */
export const prepareAnswerer = (datasets: readonly AskableDataset[], content: PageContent): Buffer =>
  createEngine(datasets, content).sections.toBytes();

/**
 * Prepares datasets and pages for questions. An answer is composed from fields of records and from sections of pages, and
 * cites them; what they do not hold is declined. `prepared` is what `prepareAnswerer` gave for the same datasets and pages.
 */
export function createAnswerer(
  datasets: readonly AskableDataset[],
  content: PageContent = noPages,
  prepared?: Buffer,
): Answerer {
  const engine = createEngine(datasets, content, prepared);
  const read = (asked: string): Question => engine.read(asked.slice(0, MAX_QUESTION_LENGTH).toWellFormed());
  return {
    ask: (asked) => answer(engine, read(asked)),
    rank: (asked, nearest) => {
      const question = read(asked);
      return { question, ranked: rank(engine, question, nearest) };
    },
  };
}
