import type { PagePart } from '../../pages.ts';
import { type Features, sentencesOf, splitPart, type WeighedPart, weigh } from '../candidate.ts';
import document from '../data/parts.json' with { type: 'json' };
import type { KeptFact } from '../kept.ts';
import { emptyStems, shareSaid, stemsOf } from '../lexicon.ts';
import { apartOf, type Meaning, meaningOf, meanOf, nearnessOf } from '../meaning.ts';
import type { Measure } from '../measures.ts';
import type { Question } from '../question.ts';
import type { SectionMatch } from '../section-index.ts';
import { isAside, type Section, sayingOf } from '../sections.ts';

/** What is asked, as parts are weighed by it. */
export interface Asking {
  question: Question;
  measure: Measure | null;
  /** Whether what is kept is looked at as if the question weren't. */
  isNew: boolean;
}

/** What each thing counts that speaks for a part of a page, a field of a record, and a sentence of a part, as `npm run ask:train` learnt it. */
export type PartWeights = Record<'part' | 'field' | 'sentence', Record<string, number>>;

export const learnt = document as PartWeights;

/** A word of the heading or of the page is no evidence among the parts. */
export const SHARED = 0.2;
/** What the words of a question weigh at least that tell one part from another: fewer of them are no whole question. */
export const LEAST_TOLD = 0.6;
/** How many sentences a reader sees first. */
export const MAX_HEAD = 2;
const LONG = 400;
/** Below this all parts are as good. */
const LEAST = 0.01;
/** From this nearness on the nearest kept question counts in full. */
const FAR = 0.3;

const nothing: Features = {};

const toPairs = (stems: readonly string[]): string[] => {
  const told = stems.filter((stem) => !emptyStems.has(stem));
  return told.slice(1).map((stem, at) => `${told[at]} ${stem}`);
};

/** A part that can be said first, as it's compared with a question. */
interface ReadPart {
  part: PagePart;
  /** Its place in the section. */
  at: number;
  /** Its first sentences, as a part. */
  head: PagePart;
  /** What its words mean together. */
  meaning: Meaning;
  /** Its words that follow one another, two by two. */
  pairs: ReadonlySet<string>;
  isBeforeCode: boolean;
}

/** What was read is kept by section, so that it goes when the index of sections does. */
const partsRead = new WeakMap<Section, readonly ReadPart[]>();

function readParts(section: Section): readonly ReadPart[] {
  const known = partsRead.get(section);
  if (known !== undefined) {
    return known;
  }
  const read = section.parts.flatMap((part, at): ReadPart[] =>
    part.isCode || isAside(part)
      ? []
      : [
          {
            part,
            at,
            head: { ...part, text: sentencesOf(part.text).slice(0, MAX_HEAD).join('') },
            meaning: meaningOf(stemsOf(part.text.slice(0, LONG))),
            pairs: new Set(toPairs(stemsOf(part.text))),
            isBeforeCode: section.parts[at + 1]?.isCode === true,
          },
        ],
  );
  partsRead.set(section, read);
  return read;
}

const bags = new WeakMap<Section, readonly ReadonlySet<string>[]>();

/** The questions that a fact is kept with besides the one that is asked. */
function othersOf({ question }: Asking, fact: KeptFact): (readonly string[])[] {
  const own = [...question.at.keys()].join(' ');
  return fact.stems().filter((ask) => ask.join(' ') !== own);
}

/** All words of the questions that are kept with each fact of a section. */
function bagsOf(asking: Asking, section: Section): readonly ReadonlySet<string>[] {
  if (asking.isNew) {
    return section.facts.map((fact) => new Set(othersOf(asking, fact).flat()));
  }
  const known = bags.get(section) ?? section.facts.map((fact) => new Set(fact.stems().flat()));
  bags.set(section, known);
  return known;
}

/** What the questions that a fact is kept with mean together. */
const meaningOfFact = (asking: Asking, fact: KeptFact): Meaning =>
  asking.isNew ? meanOf(othersOf(asking, fact).map(meaningOf)) : fact.meaning();

const middles = new WeakMap<Section, Meaning>();

/** What all that is kept with a section means together. */
function middleOf(section: Section): Meaning {
  const middle = middles.get(section) ?? meanOf(section.facts.map((fact) => fact.meaning()));
  middles.set(section, middle);
  return middle;
}

/** The words of a question, each with what it tells about which of a section's facts is meant. */
function tellingOf({ words }: Question, { ofHeading, onPage }: Section, all: readonly ReadonlySet<string>[]) {
  const own = words.filter(({ stem, isEmpty }) => !isEmpty && !ofHeading.has(stem) && !onPage.title.has(stem));
  const total = own.reduce((sum, { weight }) => sum + weight, LEAST_TOLD / 2);
  const most = Math.log(1 + all.length);
  return own.map(({ stem, weight }) => {
    const having = all.filter((bag) => bag.has(stem)).length;
    return { stem, weight: (weight * Math.log(1 + all.length / Math.max(1, having))) / (most * total) };
  });
}

/** What speaks for each part of a section by the questions that are kept with it. */
function weighKept(asking: Asking, { section, near, asks }: SectionMatch): Record<string, number>[] {
  const { facts } = section;
  const all = bagsOf(asking, section);
  const telling = tellingOf(asking.question, section, all);
  const middle = middleOf(section);
  const read = facts.map((fact, index) => {
    const meaning = meaningOfFact(asking, fact);
    return {
      fact,
      asked: telling.reduce((sum, { stem, weight }) => sum + (all[index]?.has(stem) ? weight : 0), 0),
      meant: Math.max(0, nearnessOf(asks, meaning)),
      apart: facts.length < 2 ? 0 : apartOf(asks, meaning, middle),
    };
  });
  const most = Math.max(LEAST, ...read.map(({ meant }) => meant));
  const nearest = Math.max(near[0]?.nearness ?? 0, FAR);
  const kept = section.parts.map(() => ({
    ...{ near: 0, nearOfBest: 0, nearFirst: 0 },
    ...{ asked: 0, askedFirst: 0, meant: 0, meantOfBest: 0, meantApart: 0, unasked: 1 },
  }));
  for (const { fact, asked, meant, apart } of read) {
    for (const at of fact.parts) {
      const own = kept[at];
      if (own !== undefined) {
        own.asked = Math.max(own.asked, asked);
        own.askedFirst = Math.max(own.askedFirst, at === fact.parts[0] ? asked : 0);
        own.meant = Math.max(own.meant, meant);
        own.meantOfBest = own.meant / most;
        own.meantApart = Math.max(own.meantApart, apart);
        own.unasked = 0;
      }
    }
  }
  // The nearest comes first.
  for (const { fact, nearness } of near) {
    for (const at of fact.parts) {
      const own = kept[at];
      if (own !== undefined && own.near === 0) {
        own.near = nearness;
        own.nearOfBest = nearness / nearest;
        own.nearFirst = at === fact.parts[0] ? nearness : 0;
      }
    }
  }
  return kept;
}

/** All parts of a section that can be said first, with what speaks for each; `more` is what else speaks for a field of a record. */
export function weighParts(
  asking: Asking,
  match: SectionMatch,
  shareOf: (part: PagePart) => number,
  weights = learnt.part,
  more: (part: PagePart) => Features = () => nothing,
): WeighedPart[] {
  const { question, measure } = asking;
  const { section, asks } = match;
  const read = readParts(section);
  const kept = weighKept(asking, match);
  const shares = read.map(({ part }) => shareOf(part));
  const most = Math.max(LEAST, ...shares);
  const asked = toPairs(question.words.map(({ stem }) => stem));
  const numbers = question.words.flatMap(({ word, isNumber }) => (isNumber && word.length > 1 ? [word] : []));
  const isHow = asksForCode(question);
  const shared = sharedIn(section);
  const shareOfHead = shareOfQuestion(question, shared);
  return read.map(({ part, at, head, meaning, pairs, isBeforeCode }, index) => {
    const said = shares[index] ?? 0;
    const features = Object.assign(kept[at] ?? {}, {
      said,
      saidOfBest: said / most,
      saidFirst: shareOfHead(head),
      means: nearnessOf(asks, meaning),
      pairs: Math.min(2, asked.filter((pair) => pairs.has(pair)).length),
      numbers: numbers.some((number) => part.text.includes(number)) ? 1 : 0,
      measured: measure === null ? 0 : measure(part.text) ? 1 : -1,
      long: part.text.length > LONG ? 1 : 0,
      second: at === 1 ? 1 : 0,
      howToPaste: isHow && isBeforeCode ? 1 : 0,
      ...more(part),
    });
    const sentences = () => weighSentences(asking, section, part, splitPart(part.text).sentences);
    return { part, features, score: weigh(features, weights), sentences };
  });
}

/** How much of a question's words a part has, where `shared` ones count little. */
function shareOfQuestion(question: Question, shared: Shared): (part: PagePart) => number {
  const weighed = question.words.map(({ stem, weight }) => (shared(stem) ? weight * SHARED : weight));
  const total = weighed.reduce((sum, weight) => sum + weight, LEAST_TOLD / 2);
  return (part) =>
    sayingOf(question)
      .ofPart(part)
      .reduce((sum, share, position) => sum + share * (weighed[position] ?? 0), 0) / total;
}

/** A sentence about the record that the whole text is about. */
const ofRecord = /^its?\b/i;
/** A sentence that goes on with the one before it. */
export const goesOn =
  /^(it|its|they|their|them|he|she|this|that|these|those|then|so|but|and|or|otherwise|there|both|neither|each|such|one (that|of)|the (same|other|others|latter|former|second|rest))\b/i;
const SHORT = 50;
/** How much better a sentence has to be than the first for a text to begin with it. */
const LEAD = 0.25;

/** How near two questions are by the words that tell one from another: the harmonic mean of what both have in common. */
function nearnessApart(question: Question, isApart: (stem: string) => boolean): (ask: readonly string[]) => number {
  const { words } = question;
  const open = words.filter(({ stem, isEmpty }) => !isEmpty && !isApart(stem));
  const total = open.reduce((sum, { weight }) => sum + weight, 0.01);
  return (ask: readonly string[]): number => {
    const own = ask.filter((stem) => !emptyStems.has(stem) && !isApart(stem));
    const shares = sayingOf(question).of(own);
    const said = open.filter(({ position }) => shares[position] !== 0);
    const ofQuestion = said.reduce((sum, { weight }) => sum + weight, 0) / total;
    const ofAsk = own.length === 0 ? 0 : said.length / own.length;
    return ofQuestion + ofAsk === 0 ? 0 : (2 * ofQuestion * ofAsk) / (ofQuestion + ofAsk);
  };
}

/** For each sentence of a part how near the nearest question is that it answers; nothing where all are kept with its beginning. */
function weighAnswered(asking: Asking, section: Section, part: PagePart, shared: Shared): number[] {
  const nearest: number[] = [];
  const at = section.parts.indexOf(part);
  const nearnessOfAsk = nearnessApart(asking.question, shared);
  const facts = section.facts.filter(({ parts }) => parts[0] === at);
  for (const fact of facts.some(({ sentence }) => sentence > 0) ? facts : []) {
    const others = asking.isNew ? othersOf(asking, fact) : fact.stems();
    nearest[fact.sentence] = Math.max(nearest[fact.sentence] ?? 0, ...others.map(nearnessOfAsk));
  }
  return nearest;
}

/** What speaks for each sentence of a part to come first, by itself and with the one after it. */
function weighSentences(
  asking: Asking,
  section: Section,
  part: PagePart,
  sentences: readonly string[],
): { text: string; features: Features }[] {
  const { question, measure } = asking;
  const shared = sharedIn(section);
  const answered = weighAnswered(asking, section, part, shared);
  const mostAnswered = Math.max(FAR, ...answered.filter((near) => near > 0));
  const all = sentences.map((sentence) => new Set(stemsOf(sentence)));
  const weighed = question.words.map(({ stem, weight }) => ({ stem, weight: shared(stem) ? SHARED * weight : weight }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, LEAST_TOLD / 2);
  const said = all.map(
    (stems) => weighed.reduce((sum, { stem, weight }) => sum + weight * shareSaid(stems, stem), 0) / total,
  );
  const most = Math.max(LEAST, ...said);
  const means = all.map(meaningOf);
  const middle = meanOf(means);
  const asks = meaningOf(question.at.keys());
  const measureOf = (sentence = ''): number => (measure === null ? 0 : measure(sentence) ? 1 : -1);
  const nearness = (meaning: Meaning | undefined): number => (meaning === undefined ? 0 : nearnessOf(asks, meaning));
  return sentences.map((text, at) => ({
    text,
    features: {
      said: said[at] ?? 0,
      saidOfBest: (said[at] ?? 0) / most,
      saidNext: said[at + 1] ?? 0,
      means: nearness(means[at]),
      meansNext: nearness(means[at + 1]),
      meansApart: apartOf(asks, means[at] ?? middle, middle),
      first: at === 0 ? 1 : 0,
      last: at === sentences.length - 1 ? 1 : 0,
      measured: measureOf(text),
      measuredNext: measureOf(sentences[at + 1]),
      goesOn: goesOn.test(text.trim()) ? 1 : 0,
      short: text.length < SHORT ? 1 : 0,
      answers: answered[at] ?? 0,
      answersOfBest: (answered[at] ?? 0) / mostAnswered,
    },
  }));
}

/** Whether a word is that of the heading or of the page. */
type Shared = (stem: string) => boolean;

const sharedIn =
  ({ ofHeading, onPage }: Section): Shared =>
  (stem) =>
    ofHeading.has(stem) || onPage.title.has(stem);

/** A text that begins with the sentence that answers best and the one after it; what came before them follows. */
export function fromBestSentence(asking: Asking, section: Section, part: PagePart): string {
  const { text } = part;
  const { name, sentences } = splitPart(text);
  if (sentences.length <= MAX_HEAD) {
    return text;
  }
  const scores = weighSentences(asking, section, part, sentences).map(({ features }) =>
    weigh(features, learnt.sentence),
  );
  let from = scores.indexOf(Math.max(...scores));
  if ((scores[from] ?? 0) < (scores[0] ?? 0) + LEAD) {
    return text;
  }
  const leans = (sentence: string): boolean =>
    goesOn.test(sentence) && !(section.entry !== null && ofRecord.test(sentence));
  while (from > 0 && leans(sentences[from]?.trim() ?? '')) {
    from--;
  }
  // What leads to lines to paste stays next to them, so what came before the answer is left out.
  if (text.endsWith(':')) {
    return `${name}${sentences.slice(from).join('').trim()}`;
  }
  const head = sentences.slice(from, from + MAX_HEAD).map((sentence) => `${sentence.trim()} `);
  return `${name}${[...head, ...sentences.slice(0, from), ...sentences.slice(from + MAX_HEAD)].join('').trim()}`;
}

/** Who asks how to do something, or for a line to paste, gets the code of the section. */
export function asksForCode(question: Question): boolean {
  const known = askingForCode.get(question) ?? readAsksForCode(question);
  askingForCode.set(question, known);
  return known;
}

const askingForCode = new WeakMap<Question, boolean>();

const readAsksForCode = ({ wants, plain }: Question): boolean =>
  wants.has('howto') ||
  /^(serve|add|set|make|create|sign|verify|publish|return|deploy|configure|connect|install|enable) /.test(plain) ||
  /\b(way to|commands?|directives?|one liner|example|snippet|config\w*|code|paste|attributes?|markup)\b/.test(plain);
