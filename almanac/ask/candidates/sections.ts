import type { PagePart } from '../../pages.ts';
import type { Askable } from '../askable.ts';
import {
  bestSentences,
  type Candidate,
  type Composed,
  explain,
  type Features,
  firstSentences,
  joinSentences,
  matchPhrases,
  nameOf,
  nothingExplained,
  positionsLike,
  positionsOf,
  sentencesOf,
  type WeighedPart,
  weightAt,
  withoutSaid,
} from '../candidate.ts';
import { type Entry, isStatement } from '../entries.ts';
import { type AskedWords, type FactMatch, toAskedWords } from '../kept.ts';
import { lazily } from '../lazily.ts';
import { emptyStems, hasForm, stemsOf } from '../lexicon.ts';
import { measureOf } from '../measures.ts';
import type { Mention, Question } from '../question.ts';
import { nameFirst, type Records } from '../records.ts';
import { isSaidField, type SaidField } from '../said.ts';
import type { SectionIndex, SectionMatch } from '../section-index.ts';
import { type Section, sayingOf } from '../sections.ts';
import { rawText } from '../tokens.ts';
import { chooseOfPage, chooseOfRecord, fillUp, NEAR, numberedFirst, rivalOf, sharesOfParts } from './chosen-parts.ts';
import { fieldCandidates } from './fields.ts';
import { composeSection, endSentence, pathOf } from './section-answer.ts';
import { type SeriesIndex, toStatement } from './statements.ts';
import { weighFields } from './weighed-fields.ts';
import { type Asking, fromBestSentence, goesOn, weighParts } from './weighed-parts.ts';

const MAX_SENTENCES = 5;
/** What a section explains of the name of another record: where it says the name, and where it only has a word of it. */
const OF_NAMED = 0.6;
const OF_OTHER = 0.1;
const NEARLY_SAME = 0.85;
/** From this nearness on a kept question is as good as the words of the section. */
const NEAR_ASKED = 0.6;
/** What each word of a heading weighs at least for the question to name it. */
const HEADING_WEIGHT = 0.4;
/** From this nearness of a kept question on a question describes the record, and how many such records are asked for fields. */
const DESCRIBED = 0.4;
const MAX_DESCRIBED = 2;
/** How many sentences are said of a field. */
const MAX_OF_FIELD = 3;

/** What is farther behind the nearest by its meaning isn't meant. */
const MOST_BEHIND = -0.5;

/** What sections are made into candidates with. */
interface Looked extends Asking {
  askable: Askable;
  index: SectionIndex;
  series: SeriesIndex;
  words: AskedWords;
  best: Best;
  /** How near the nearest kept question is. */
  nearestOf: number;
  /** How much of the question names the page whose name has most of it. */
  named: number;
  /** Whether the whole heading of a section of a page is in the question: "nginx". */
  isHeaded(page: Section['onPage']): boolean;
}

/** Candidates from the sections of pages, from records as a whole, and from guides. */
export function sectionCandidates(
  askable: Askable,
  index: SectionIndex,
  series: SeriesIndex,
  question: Question,
  nearest?: number,
): Candidate[] {
  const words = toAskedWords(question.words);
  const { sections, records, guides } = index.search(words, nearest);
  const all = [...sections, ...records];
  const best: Best = {
    sum: Math.max(0.01, ...all.map(({ ofPage, within, asked }) => ofPage + within + asked)),
    within: Math.max(0.01, ...all.map(({ within }) => within)),
  };
  const nearestOf = Math.max(0, ...[...all.flatMap(({ near }) => near), ...guides].map(({ nearness }) => nearness));
  const named = Math.max(0, ...sections.map(({ section }) => nameWeight(question, section)));
  const headed = new Map<Section['onPage'], boolean>();
  const isHeaded = (page: Section['onPage']): boolean => {
    const known = headed.get(page) ?? page.sections.some((section) => isHeading(question, section));
    headed.set(page, known);
    return known;
  };
  const looked: Looked = {
    askable,
    index,
    series,
    question,
    words,
    measure: measureOf(question),
    isNew: nearest !== undefined,
    best,
    nearestOf,
    named,
    isHeaded,
  };
  return [
    ...sections.map((match) => toSection(looked, match)),
    ...records.map((match) => toRecord(looked, match)),
    ...describedCandidates(looked, records),
    ...guides.map((match) => toGuide(askable.records, question, match, nearestOf)),
  ];
}

/** What the words weigh that name the page of a section. */
const nameWeight = (question: Question, { onPage }: Section): number =>
  weightAt(question, matchPhrases(question, onPage.names).at);

/** Whether a question has the whole heading of a section, and every word of it tells something. */
function isHeading(question: Question, { ofHeading }: Section): boolean {
  const content = [...ofHeading].filter((stem) => !emptyStems.has(stem));
  const isNamed = (stem: string): boolean =>
    question.words.some((word) => word.stem === stem && word.weight > HEADING_WEIGHT);
  return content.length > 0 && content.every(isNamed);
}

/** The most that sections have for one question. */
interface Best {
  sum: number;
  within: number;
}

/** What a match of kept questions says for a candidate. */
const nearFeatures = (match: FactMatch | undefined, nearestOf: number): Record<string, number> => ({
  nearness: match?.nearness ?? 0,
  ofQuestion: match?.ofQuestion ?? 0,
  ofAsk: match?.ofAsk ?? 0,
  nearest: match !== undefined && match.nearness >= nearestOf ? 1 : 0,
  veryNear: Math.max(0, (match?.nearness ?? 0) - 0.7) * 3,
  shortAsk: match !== undefined && match.ask.filter((stem) => !emptyStems.has(stem)).length < 2 ? 1 : 0,
});

/** How near the question is by what it means. Of a record that's named all candidates are as near. */
const meantFeatures = ({ meaning, behind }: SectionMatch): Features => ({
  meaning,
  behind: Math.max(MOST_BEHIND, behind),
  meant: behind === 0 ? 1 : 0,
});

const isNamed = ({ mentions }: Question, entry: Entry | null): boolean =>
  mentions.some(({ entries }) => entries.some((link) => link.entry === entry));

/** What is said of a section, and what its words say for it. */
interface Read {
  weighed: readonly WeighedPart[];
  chosen: PagePart[];
  explained: number[];
  features: Features;
}

/** Whether a name is that of another record than the section's. */
const isOther = ({ entry: own }: Section, entries: Mention['entries']): boolean =>
  /crawlers|models|protocols/.test(entries[0]?.entry.dataset ?? '') && !entries.some(({ entry }) => entry === own);

/** Whether a section has a name as it is: "402" is no part of "L402" in a section on x402, nor "Opus 4" of "Opus 4.5". */
function saysName({ parts, heading, page }: Section, words: Question['words']): boolean {
  const name = rawText(words).toLowerCase();
  return [heading, page, ...parts.map(({ text }) => text)].some((text) => {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
      const after = at + name.length;
      if (
        !/[\p{L}\p{N}]/u.test(lower.charAt(at - 1)) &&
        !/^([\p{L}\p{N}]|[.-]\d)/u.test(lower.slice(after, after + 2))
      ) {
        return true;
      }
    }
    return false;
  });
}

function readSection(looked: Looked, match: SectionMatch): Read {
  const { index, question, best, nearestOf } = looked;
  const { section, near } = match;
  const { onPage } = section;
  const [first] = near;
  const shareOfPart = sharesOfParts(looked, section);
  const weighed =
    section.entry === null
      ? weighParts(looked, match, shareOfPart)
      : weighFields(looked.askable, looked, match, shareOfPart);
  const main = section.entry === null ? chooseOfPage(match, weighed, shareOfPart) : chooseOfRecord(match, weighed);
  const isKept = near.some(
    ({ nearness, fact }) => nearness >= NEAR && fact.parts.some((at) => main.includes(section.parts[at] as PagePart)),
  );
  // Lines to paste are the answer: what else the section says would stand between.
  const isWhole = isKept && section.entry === null && main.some(({ isCode }) => isCode);
  const rivals = isWhole || section.entry !== null ? [] : rivalOf(section, weighed, main);
  const chosen = numberedFirst(question, section, [
    ...main,
    ...rivals,
    ...(isWhole ? [] : fillUp(section, main, rivals, shareOfPart)),
  ]);
  const saying = sayingOf(question);
  const said = saying.ofParts(chosen);
  const kept = saying.of(
    near
      .filter(({ fact }) => fact.parts.some((at) => chosen.includes(section.parts[at] as PagePart)))
      .flatMap(({ ask }) => ask),
  );
  const ofHeading = saying.of(section.ofHeading);
  const explained: number[] = question.words.map(({ stem, position: at }) =>
    said[at] === 1 || ofHeading[at] === 1 || onPage.title.has(stem)
      ? 1
      : kept[at] === 1
        ? 0.9
        : said[at] !== 0 || ofHeading[at] !== 0
          ? 0.8
          : kept[at] !== 0
            ? 0.75
            : index.has(stem, [section])
              ? 0.55
              : index.has(stem, onPage.sections)
                ? 0.3
                : 0,
  );
  explain(explained, matchPhrases(question, onPage.names).at, 1);
  // A record that is named is what the question is about, unless a kept question is nearly the same.
  if ((first?.nearness ?? 0) < NEARLY_SAME) {
    for (const { from, to } of question.mentions.filter(({ entries }) => isOther(section, entries))) {
      const at = positionsOf({ from, to }).filter((position) => (explained[position] ?? 0) > OF_OTHER);
      const most = at.length === 0 ? OF_OTHER : saysName(section, question.words.slice(from, to)) ? OF_NAMED : OF_OTHER;
      for (const position of at) {
        explained[position] = Math.min(explained[position] ?? 0, most);
      }
    }
  }
  const whole = question.words.reduce((sum, { weight }) => sum + weight, 0.01);
  const shareOf = (shares: readonly number[]): number =>
    question.words.reduce((sum, { position, weight }) => sum + weight * (shares[position] ?? 0), 0) / whole;
  const top = (match.ofPage + match.within + match.asked) / best.sum;
  const within = match.within / best.within;
  const saidShare = shareOf(said);
  const { measure } = looked;
  const hasMeasure = measure !== null && chosen.some(({ text }) => measure(text));
  const measured: Features = measure === null ? {} : hasMeasure ? { measureSaid: 1 } : { measureMissed: 1 };
  // Where no kept question is near, the words of the section have to tell.
  const far = nearestOf < NEAR_ASKED ? 1 : 0;
  const features = {
    ...nearFeatures(first, nearestOf),
    ofPage: match.ofPage,
    within,
    asked: match.asked,
    // All questions of a record are near where it's named.
    ...(section.entry === null ? { votes: match.votes, farVotes: far * match.votes } : {}),
    topSection: top * top,
    saidShare,
    farWithin: far * within,
    farAsked: far * match.asked,
    farTop: far * top * top,
    farSaid: far * saidShare,
    headShare: shareOf(ofHeading),
    ...(isNamed(question, section.entry) ? {} : meantFeatures(match)),
    ...measured,
  };
  return { weighed, chosen, explained, features };
}

/** A section of a page. */
function toSection(looked: Looked, match: SectionMatch): Candidate {
  const { question } = looked;
  const { section } = match;
  const { onPage } = section;
  const { weighed, chosen, explained, features } = readSection(looked, match);
  const isTechnique = section.path.startsWith('/techniques/');
  if (!isTechnique) {
    explain(explained, positionsLike(question, /^(porchlight|site|website)$/), 0.9);
  }
  const open = nothingExplained(question).filter(
    (_, position) => (explained[position] ?? 0) < 0.5 && (question.words[position]?.weight ?? 0) > 0.5,
  ).length;
  return {
    intent: `page:${pathOf(section)}`,
    entry: null,
    explained,
    features: {
      [isTechnique ? 'isTechnique' : 'isSite']: 1,
      ...features,
      headMissed: onPage.sections.length > 1 && section.anchor !== null ? 1 - headedBy(question, section) : 0,
      keptOpen: Math.min(3, open),
      keptName: Math.min(1.5, nameWeight(question, section)),
      nameBehind: Math.min(1.5, looked.named - nameWeight(question, section)),
      headed: isHeading(question, section) ? 1 : 0,
      otherHeaded: !isHeading(question, section) && looked.isHeaded(onPage) ? 1 : 0,
      isStart: section.anchor === null ? 1 : 0,
    },
    subject: onPage.name,
    weighed,
    compose: () => composeSection(looked, section, chosen),
  };
}

/** A record as a whole: what it says of the words of the question, field by field. Its features are its own, not those of pages. */
function toRecord(looked: Looked, match: SectionMatch): Candidate {
  const { askable, series, question } = looked;
  const { section } = match;
  const entry = section.entry as Entry;
  const { weighed, chosen, explained, features } = readSection(looked, match);
  const kind = isStatement(entry) ? 'statement' : 'record';
  const own: Record<string, number> = {};
  for (const name in features) {
    own[nameOf(kind, name)] = features[name] ?? 0;
  }
  explain(
    explained,
    question.mentions.filter(({ entries }) => entries.some((link) => link.entry === entry)).flatMap(positionsOf),
    1,
  );
  explain(explained, matchPhrases(question, askable.nounsOf(entry.dataset)).at, 0.9);
  if (isStatement(entry)) {
    own['statement.title'] = shareOfTitle(question, section);
    const extra = chosen.filter(isSaidField).filter(({ field }) => field !== 'statement');
    return { ...toStatement(askable, series, question, { entry, explained, features: own, extra }), weighed };
  }
  const isTerm = entry.dataset === 'glossary';
  return {
    intent: `about:${entry.dataset}`,
    entry,
    explained,
    features: {
      isRecord: 1,
      ...own,
      isRecordOfTerm: isTerm ? 1 : 0,
      isRecordOfModel: entry.dataset === 'models' ? 1 : 0,
    },
    subject: entry.title,
    weighed,
    compose: () => composeRecord(looked, match, chosen),
  };
}

/** The share of the question's words that a statement has in itself, and not in what is told of its method. */
function shareOfTitle(question: Question, { parts: [statement] }: Section): number {
  const { words } = question;
  const shares = statement === undefined ? [] : sayingOf(question).ofPart(statement);
  const total = words.reduce((sum, { weight }) => sum + weight, 0.01);
  return words.reduce((sum, { position, weight }) => sum + weight * (shares[position] ?? 0), 0) / total;
}

/** The fields of a record that the question describes without its name, where kept questions lead to it. */
function describedCandidates({ askable, question, nearestOf }: Looked, records: readonly SectionMatch[]): Candidate[] {
  return records
    .filter(({ near, section }) => (near[0]?.nearness ?? 0) >= DESCRIBED && isUnnamed(question, section.entry))
    .slice(0, MAX_DESCRIBED)
    .flatMap(({ section, near: [first] }) => {
      const entry = section.entry as Entry;
      const ask = new Set(first?.ask);
      const taken = new Set(
        question.words
          .filter(({ stem }) => ask.has(stem) || section.ofHeading.has(stem))
          .map(({ position }) => position),
      );
      const subject = { entry, strength: first?.nearness ?? 0, taken, isFirst: true, isDescribed: true, via: null };
      return fieldCandidates(askable, question, subject).map((candidate) => ({
        ...candidate,
        features: {
          ...candidate.features,
          isDescribed: 1,
          described: first?.nearness ?? 0,
          nearest: first?.nearness === nearestOf ? 1 : 0,
        },
        subject: entry.title,
      }));
    });
}

/** Statements have no fields that are asked for, and what is named is asked for by its name. */
const isUnnamed = (question: Question, entry: Entry | null): boolean =>
  entry !== null && !isStatement(entry) && !isNamed(question, entry);

/** Of the two fields that answer best the first sentences, and then what else they say: one of them is likely what was asked. */
function headsFirst([first = '', second = '', ...others]: readonly string[]): string[] {
  const [one, rest] = headOf(first);
  const [other, restOfOther] = headOf(second);
  return [one, other, rest, restOfOther, ...others].filter((text) => text !== '');
}

/** The first sentence of a text with those that go on with it, and the others. */
function headOf(text: string): [head: string, rest: string] {
  const sentences = sentencesOf(text);
  const from = sentences.findIndex((sentence, at) => at > 0 && !goesOn.test(sentence.trim()));
  return text.includes('\n') || from === -1
    ? [text, '']
    : [sentences.slice(0, from).join('').trim(), sentences.slice(from).join('').trim()];
}

/** What a record says, the name of it first. */
function composeRecord(looked: Looked, match: SectionMatch, parts: readonly PagePart[]): Composed | null {
  const { question } = looked;
  const { records } = looked.askable;
  const { section } = match;
  const entry = section.entry as Entry;
  const said = parts.filter(isSaidField).slice(0, MAX_SENTENCES);
  const texts: string[] = [];
  const own = said.map((part) =>
    bestSentences(question, fromBestSentence(looked, section, part), MAX_OF_FIELD, section.ofHeading),
  );
  for (const text of entry.dataset === 'crawlers' ? headsFirst(own) : own) {
    texts.push(...withoutSaid(endSentence(text), texts.join(' ')));
  }
  const whole = joinSentences(texts);
  const name = nameFirst(entry);
  const named = says(texts[0], entry.title)
    ? whole
    : /^It('s)? /.test(whole)
      ? whole.replace(/^It('s)? /, (_, is) => `${name} ${is === undefined ? '' : 'is '}`)
      : `${name}: ${whole}`;
  const citations = records.cite(
    entry,
    said.flatMap(({ fields }) => fields),
  );
  return citations.length === 0 ? null : { text: backgroundLast(named, said), citations };
}

/** "Blocking X: … X is operated by Y. …": what only describes a record waits, unless it's what comes first. */
function backgroundLast(text: string, said: readonly SaidField[]): string {
  const [line = '', ...rest] = text.split('\n');
  const [first = '', ...others] = sentencesOf(line).map((sentence) => sentence.trim());
  const background = said.filter(({ isBackground }) => isBackground);
  const isBackground = (sentence: string): boolean => background.some((one) => one.text.includes(sentence));
  const { told = [], waiting = [] } = Object.groupBy(others, (one) => (isBackground(one) ? 'waiting' : 'told'));
  return isBackground(first) ? text : [[first, ...told, ...waiting].join(' '), ...rest].join('\n');
}

const says = (text = '', name: string): boolean => text.toLowerCase().includes(name.toLowerCase());

/** The share of the content words of a heading that the question has: of "Next.js and Astro" half where it asks for Astro. */
function headedBy(question: Question, { ofHeading }: Section): number {
  const content = [...ofHeading].filter((stem) => !emptyStems.has(stem));
  const asked = new Set(question.at.keys());
  return content.length === 0 ? 1 : content.filter((stem) => hasForm(asked, stem)).length / content.length;
}

/** Several records that answer together, each with the sentence that does. */
function toGuide(records: Records, question: Question, match: FactMatch, nearestOf: number): Candidate {
  const { fact } = match;
  const ask = new Set(match.ask);
  const body = lazily(
    () => new Set(fact.refs.flatMap(({ entry, field }) => stemsOf(records.format(entry, field) ?? ''))),
  );
  return {
    intent: 'guide',
    entry: null,
    explained: question.words.map(({ stem }) =>
      ask.has(stem) ? 1 : hasForm(ask, stem) ? 0.9 : body().has(stem) ? 0.65 : 0,
    ),
    features: { isGuide: 1, ...nearFeatures(match, nearestOf) },
    compose: () => ({
      text: fact.refs
        .map(({ entry, field }) => {
          const text = firstSentences(records.format(entry, field) ?? '', 2);
          return says(text, entry.title) ? text : `${entry.title}: ${text}`;
        })
        .join('\n'),
      citations: fact.refs.flatMap(({ entry, field }) => records.cite(entry, [field])),
    }),
  };
}
