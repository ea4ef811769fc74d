import type { PagePart } from '../../pages.ts';
import type { PageCitation } from '../answer.ts';
import type { Askable } from '../askable.ts';
import {
  answerFirst,
  bestSentences,
  type Candidate,
  type Composed,
  explain,
  type Features,
  firstSentences,
  joinSentences,
  matchPhrases,
  mostAsked,
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
import { type AskedWords, type FactMatch, type KeptFact, toAskedWords } from '../kept.ts';
import { lazily } from '../lazily.ts';
import { emptyStems, hasForm, stemsOf } from '../lexicon.ts';
import { nearnessOf } from '../meaning.ts';
import { type Measure, measureOf } from '../measures.ts';
import type { Mention, Question } from '../question.ts';
import type { Records } from '../records.ts';
import { isSaidField, type SaidField, sayFields } from '../said.ts';
import type { SectionIndex, SectionMatch } from '../section-index.ts';
import { isAside, type Section, sayingOf } from '../sections.ts';
import { rawText } from '../tokens.ts';
import type { Want } from '../wants.ts';
import { fieldCandidates } from './fields.ts';
import { type Asking, asksForCode, fromBestSentence, scorePart, weighParts } from './parts.ts';
import { type SeriesIndex, toStatement } from './statements.ts';

const MAX_SENTENCES = 5;
/** How many characters an answer is filled up to with parts that come next or have words of the question. */
const FULL = 640;
/** What a part that comes next counts beside the share of the question's words that it has, and what one needs at least. */
const NEXT = 0.3;
/** A row or item that follows one that is said: "B" after "A". */
const NEXT_ROW = 0.6;
const LEAST_SHARE = 0.12;
/** What a row has of the share of the one before to be said after it. */
const AS_MUCH = 0.4;
/** What a section explains of the name of another record: where it says the name, and where it only has a word of it. */
const OF_NAMED = 0.6;
const OF_OTHER = 0.1;
/** What counts for the note of a record: it's said where there is room. */
const NOTE = 0.13;
const MAX_CODE_LENGTH = 420;
/** Who asks how to do something gets longer code. */
const MAX_HOW_CODE_LENGTH = 2600;
/** How many times as long as its text the code of a section is that leads to lines to paste. */
const RECIPE = 1.2;
const NEARLY_SAME = 0.85;
/** What it counts that a part has the number, day or sum that is asked for. */
const MEASURED = 0.15;
/** From this nearness on the parts that are kept with a question are said for the asked one. */
const NEAR = 0.5;
/** How much better a part has to be than the one that is kept to be said before it. */
const LEAD_OF_PART = +(process.env.LP ?? 0.5);
const NEARLY = +(process.env.NE ?? 1.5);
/** How a part counts that a near question is kept with, beside the share of the question's words that it has. */
const KEPT = 0.8;
/** And how one counts by what its questions mean. */
const OF_MEANING = 0.6;
/** How many of the kept questions of a record that are nearest are compared apart from its name. */
const MAX_COMPARED = 5;
/** Below this nearness a kept question doesn't tell which field of a record is asked for: what the record is has to do. */
const LEAST_NEAR = 0.3;
/** Below this share of the question's words a part isn't chosen for them. */
const WEAK = 0.25;
/** From this nearness on a kept question is as good as the words of the section. */
const NEAR_ASKED = 0.6;
/** A word of the heading or of the page is no evidence among the parts. */
const SHARED = 0.2;
/** What the words of a question weigh at least that tell one part from another: fewer of them are no whole question. */
const LEAST_TOLD = 0.6;
/** What each word of a heading weighs at least for the question to name it. */
const HEADING_WEIGHT = 0.4;
/** What a word weighs at least that calls for another part of the section. */
const OPEN_WEIGHT = 0.45;
const MAX_PART_LENGTH = 400;
/** Shorter parts are labels: "VS Code". */
const MIN_PART_LENGTH = 16;
/** How many sentences are said of a part beside the main ones. */
const MAX_FIRST = 2;
/** How many such parts are said. */
const MAX_FURTHER = 2;
/** From this nearness of a kept question on a question describes the record, and how many such records are asked for fields. */
const DESCRIBED = 0.4;
const MAX_DESCRIBED = 2;
/** How much more a field has to be asked for than the first to come before it, and what a definition counts where one is asked for. */
const LEAST_FIELD = 0.15;
const DEFINED = 0.4;
/** What it counts that a field answers this kind of question. */
const FITTING = 0.25;
/** How many sentences are said of a field. */
const MAX_OF_FIELD = 3;
/** Parts of the section itself are more likely meant than others of the page. */
const OWN_SECTION = 1.3;
/** What the open words in a part of another section weigh at least. */
const LEAST_GAIN = 0.9;
/** A section that says less goes on with the next one. */
const THIN = 160;
/** A sentence shorter than this says little without the next one. */
const SHORT = 90;

/** What is farther behind the nearest by its meaning isn't meant. */
const MOST_BEHIND = -0.5;

const endSentence = (text: string): string => (/[.!?:]$|\n/.test(text) ? text : `${text}.`);

/** What sections are made into candidates with. */
interface Looked {
  askable: Askable;
  index: SectionIndex;
  series: SeriesIndex;
  question: Question;
  words: AskedWords;
  measure: Measure | null;
  isNew: boolean;
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

/** A text that is said, with the section and part that it's from. */
interface Said {
  section: Section;
  part: PagePart;
  text: string;
}

/** What a part has of a question. */
type Share = (part: PagePart) => number;

/** What is said of a section, and what its words say for it. */
interface Read {
  weighed: readonly WeighedPart[];
  chosen: PagePart[];
  /** Whether a near kept question leads to what is said: then it comes first. */
  isKept: boolean;
  further: Said[];
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
  const weighed = section.entry === null ? weighParts(looked, match, shareOfPart) : [];
  const main =
    section.entry === null ? chooseOfPage(match, weighed, shareOfPart) : chooseOfRecord(question, match, shareOfPart);
  const more = (first?.nearness ?? 0) >= NEARLY_SAME ? [] : findMore(looked, section, main);
  const isKept = near.some(
    ({ nearness, fact }) => nearness >= NEAR && fact.parts.some((at) => main.includes(section.parts[at] as PagePart)),
  );
  // Lines to paste are the answer: what else the section says would stand between.
  const isWhole = isKept && section.entry === null && main.some(({ isCode }) => isCode);
  const chosen = numberedFirst(
    question,
    section,
    [
      ...main,
      ...(isWhole || section.entry !== null ? [] : rivalOf(weighed, main)),
      ...(isWhole ? [] : fillUp(section, main, more, shareOfPart)),
    ].filter((part, at, all) => all.indexOf(part) === at),
  );
  const further = isWhole ? [] : [...more, ...continuePage(section, [...chosen, ...more.map(({ part }) => part)])];
  const saying = sayingOf(question);
  const said = saying.ofParts([...chosen, ...further.map(({ part }) => part)]);
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
  const hasMeasure =
    measure !== null && [...chosen, ...further.map(({ part }) => part)].some(({ text }) => measure(text));
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
  return { weighed, chosen, isKept, further, explained, features };
}

/** Of what is said of a page what has a number of the question comes first: "At most 39: …". */
function numberedFirst({ words }: Question, { entry }: Section, parts: PagePart[]): PagePart[] {
  const numbers = words.flatMap(({ word, isNumber }) => (isNumber && word.length > 1 ? [word] : []));
  const hasNumber = new RegExp(`(?<![\\d.,])(${numbers.join('|')})(?![\\d.,]*\\d)`);
  const isFirst = (part: PagePart): boolean => numbers.length > 0 && !part.isCode && hasNumber.test(part.text);
  return entry === null ? [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))] : parts;
}

/** A section of a page. */
function toSection(looked: Looked, match: SectionMatch): Candidate {
  const { question } = looked;
  const { section } = match;
  const { onPage } = section;
  const { weighed, chosen, isKept, further, explained, features } = readSection(looked, match);
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
    compose: () => composeSection(looked, section, { chosen, isKept }, further, sharesOfParts(looked, section)),
  };
}

/** A record as a whole: what it says of the words of the question, field by field. Its features are its own, not those of pages. */
function toRecord(looked: Looked, match: SectionMatch): Candidate {
  const { askable, series, question } = looked;
  const { section } = match;
  const entry = section.entry as Entry;
  const { chosen, further, explained, features } = readSection(looked, match);
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
    return toStatement(askable, series, question, { entry, explained, features: own, extra });
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
    compose: () => composeRecord(looked, match, [...chosen, ...further.map(({ part }) => part)]),
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

/**
 * What is asked for comes first, by the name of its field, by its own words, or because a near question is kept with it: "Does
 * the robot of the library obey robots.txt?"
 */
function askedFirst(looked: Looked, match: SectionMatch, said: readonly SaidField[]): SaidField[] {
  const { askable, question } = looked;
  const { section, near } = match;
  const entry = section.entry as Entry;
  const taken = new Set(
    question.words.filter(({ stem }) => section.ofHeading.has(stem)).map(({ position }) => position),
  );
  const fields = askable.fieldsOf(entry.dataset);
  const isContent = (position: number): boolean => question.words[position]?.isEmpty === false;
  const asked = new Map(
    mostAsked(question, fields, taken)
      .filter(({ at }) => [...at].some(isContent))
      .map(({ field, at }) => [field.field, weightAt(question, at)]),
  );
  const fitting = new Set(
    fields
      .filter(({ words: { fits } }) => [fits ?? []].flat().some((kind) => question.wants.has(kind as Want)))
      .map(({ field }) => field),
  );
  const shareOf = sharesOfParts(looked, section);
  const keptAt = (one: SaidField): number => near[0]?.fact.parts.indexOf(section.parts.indexOf(one)) ?? -1;
  const scoreOf = (one: SaidField): number =>
    shareOf(one) +
    (asked.get(one.field) ?? 0) +
    (one.isLead && question.wants.has('define') ? DEFINED : 0) +
    (fitting.has(one.field) ? FITTING : 0) +
    (keptAt(one) === -1 ? 0 : (near[0]?.nearness ?? 0) * (keptAt(one) === 0 ? 1 : KEPT));
  const [best, first] = [sayFields(askable, entry).filter(({ isAside }) => !isAside), said].map((list) =>
    list.reduce<SaidField | undefined>(
      (a, b) => (a === undefined || (list !== said && scoreOf(b) > scoreOf(a)) ? b : a),
      undefined,
    ),
  );
  return best === undefined || first === undefined || scoreOf(best) < scoreOf(first) + LEAST_FIELD
    ? [...said]
    : [best, ...said.filter((one) => one !== best)];
}

/** What a record says, the name of it first. */
function composeRecord(looked: Looked, match: SectionMatch, parts: readonly PagePart[]): Composed | null {
  const { question } = looked;
  const { records } = looked.askable;
  const entry = match.section.entry as Entry;
  const said = askedFirst(looked, match, parts.filter(isSaidField)).slice(0, MAX_SENTENCES);
  const texts: string[] = [];
  for (const part of said) {
    const own = endSentence(bestSentences(question, part.text, MAX_OF_FIELD, match.section.ofHeading));
    texts.push(...withoutSaid(own, texts.join(' ')));
  }
  const whole = joinSentences(texts);
  const named = says(texts[0], entry.title) ? whole : `${entry.title}: ${whole}`;
  const citations = records.cite(
    entry,
    said.flatMap(({ fields }) => fields),
  );
  const taken = new Set(
    question.words.filter(({ stem }) => match.section.ofHeading.has(stem)).map(({ position }) => position),
  );
  return citations.length === 0
    ? null
    : { text: answerFirst(question, named, entry.title, { taken, asked: 0 }), citations };
}

const says = (text = '', name: string): boolean => text.toLowerCase().includes(name.toLowerCase());

/** The share of the content words of a heading that the question has: of "Next.js and Astro" half where it asks for Astro. */
function headedBy(question: Question, { ofHeading }: Section): number {
  const content = [...ofHeading].filter((stem) => !emptyStems.has(stem));
  const asked = new Set(question.at.keys());
  return content.length === 0 ? 1 : content.filter((stem) => hasForm(asked, stem)).length / content.length;
}

/** "B: signed; the key is not known", where the question asks for "tier B". */
const isLettered = ({ words }: Question, { text }: PagePart): boolean =>
  /^[A-Z]: /.test(text) && words.some(({ isLetter, raw }) => isLetter && raw.toUpperCase() === text.charAt(0));

/** How much of the question's words each part of a section has, by what they tell among the parts. */
function sharesOfParts(
  { question, words, measure }: Looked,
  { entry, parts, ofHeading, onPage }: Section,
): (part: PagePart) => number {
  // Every field of a record says its name.
  const ofShared = entry === null ? SHARED : 0;
  const many = parts.length;
  const said = parts.map(sayingOf(question).ofPart);
  const weighed = [...words.content].map(([stem, weight]) => {
    const [position = 0] = question.at.get(stem) ?? [];
    const shared = said.reduce((sum, shares) => sum + (shares[position] === 1 ? 1 : 0), 0);
    const tells = many < 2 ? 1 : Math.log(1 + many / Math.max(1, shared)) / Math.log(1 + many);
    return { position, weight: weight * tells * (ofHeading.has(stem) || onPage.title.has(stem) ? ofShared : 1) };
  });
  const total = Math.max(
    LEAST_TOLD,
    weighed.reduce((sum, { weight }) => sum + weight, 0),
  );
  const shareOf = (shares: readonly number[]): number =>
    weighed.reduce((sum, { position, weight }) => sum + weight * (shares[position] ?? 0), 0) / total;
  const known = new Map(
    parts.map((part, at) => {
      const share = shareOf(said[at] ?? []);
      return [part, share + (isLettered(question, part) ? 1 : 0) + (share > 0 && measure?.(part.text) ? MEASURED : 0)];
    }),
  );
  return (part) => known.get(part) ?? 0;
}

/** What each kept question of a record has in common with the asked one besides the record's name, which tells nothing there. */
function apartFromName(question: Question, { ofHeading }: Section, near: readonly FactMatch[]): FactMatch[] {
  const open = question.words.filter(({ stem, isEmpty }) => !isEmpty && !ofHeading.has(stem));
  const total = open.reduce((sum, { weight }) => sum + weight, 0.01);
  const shareOf = (ask: readonly string[]): number => {
    const own = ask.filter((stem) => !emptyStems.has(stem) && !ofHeading.has(stem));
    const shares = sayingOf(question).of(own);
    const said = open.filter(({ position }) => shares[position] !== 0);
    const ofQuestion = said.reduce((sum, { weight }) => sum + weight, 0) / total;
    const ofAsk = own.length === 0 ? 0 : said.length / own.length;
    return ofQuestion + ofAsk === 0 ? 0 : (2 * ofQuestion * ofAsk) / (ofQuestion + ofAsk);
  };
  return near
    .slice(0, MAX_COMPARED)
    .map((match) => ({ ...match, nearness: (match.nearness + Math.max(...match.fact.stems().map(shareOf))) / 2 }))
    .sort((a, b) => b.nearness - a.nearness);
}

/** The parts of a fact in the order in which they're said. */
const partsOf = ({ parts }: Section, fact: KeptFact): PagePart[] =>
  fact.parts.flatMap((at) => parts[at] ?? []).filter((part) => !isAside(part));

/** The part of a section that answers, with what it leads to or what goes on with it. */
function withNext({ parts }: Section, part: PagePart): PagePart[] {
  const next = parts[parts.indexOf(part) + 1];
  const leads = /:$/.test(part.text) || (next?.isCode === true && part.text.length < MAX_PART_LENGTH);
  const isThin = part.text.length < SHORT && next !== undefined && !next.isCode;
  return [part, ...(next !== undefined && (leads || isThin) ? [next] : [])];
}

/** The part of a page's section that answers best, with those that are said with it. */
function chooseOfPage({ section, near }: SectionMatch, weighed: readonly WeighedPart[], shareOf: Share): PagePart[] {
  const scores = weighed.map(({ features }) => scorePart(features));
  const best = weighed[scores.indexOf(Math.max(...scores))]?.part;
  if (best === undefined) {
    return section.parts.slice(0, 1);
  }
  const at = section.parts.indexOf(best);
  const match = near.find(({ fact }) => fact.parts.includes(at));
  if (match !== undefined && (match.nearness >= NEAR || shareOf(best) < WEAK)) {
    const own = partsOf(section, match.fact);
    const first = scores[weighed.findIndex(({ part }) => part === own[0])] ?? 0;
    return Math.max(...scores) > first + LEAD_OF_PART ? [...new Set([best, ...own])] : own;
  }
  return withNext(section, best);
}

/** The part that answers nearly as well as the first. */
function rivalOf(weighed: readonly WeighedPart[], [first, ...others]: readonly PagePart[]): PagePart[] {
  const scores = new Map(weighed.map(({ part, features }) => [part, scorePart(features)]));
  const [rival] = [...scores].filter(([part]) => part !== first && isSaid(part)).sort(([, a], [, b]) => b - a);
  const own = first === undefined ? undefined : scores.get(first);
  return rival === undefined ||
    own === undefined ||
    first?.text.endsWith(':') ||
    others.includes(rival[0]) ||
    rival[1] < own - NEARLY
    ? []
    : [rival[0]];
}

/** The fields of a record that answer: those that have most of the question's words, and those that a near question is kept with. */
function chooseOfRecord(question: Question, { section, near: found, asks }: SectionMatch, shareOf: Share): PagePart[] {
  const { parts } = section;
  const near = apartFromName(question, section, found);
  const meant = section.facts.map((fact) => ({ fact, share: Math.max(0, nearnessOf(asks, fact.meaning())) }));
  const meantAt = (at: number): number =>
    meant.reduce((most, { fact, share }) => (fact.parts.includes(at) ? Math.max(most, share) : most), 0);
  let top: { part: PagePart; match: FactMatch | undefined; share: number; score: number } | undefined;
  for (const [at, part] of parts.entries()) {
    const match = near.find(({ fact }) => fact.parts.includes(at));
    const nearness = match?.nearness ?? 0;
    const share = shareOf(part);
    const score = share + KEPT * nearness * (nearness > NEAR ? 1 : 0.6) + OF_MEANING * meantAt(at);
    if (score > (top?.score ?? -1) && !part.isCode && !isAside(part)) {
      top = { part, match, share, score };
    }
  }
  if (top === undefined) {
    return parts.slice(0, 1);
  }
  if (section.entry !== null && !isStatement(section.entry) && top.share < WEAK) {
    const [nearest] = near;
    return nearest !== undefined && nearest.nearness >= LEAST_NEAR
      ? partsOf(section, nearest.fact)
      : parts.filter((part) => isSaidField(part) && (part.isLead || part.field === 'status'));
  }
  // Nothing in the section is nearer than the rest of it: what it is kept with is its answer.
  if (top.match !== undefined && (top.match.nearness >= NEAR || top.share < WEAK)) {
    return partsOf(section, top.match.fact);
  }
  const kept = (top.match ?? near[0])?.fact ?? section.facts[0];
  return top.share < 0.15 && kept !== undefined ? partsOf(section, kept) : withNext(section, top.part);
}

/** Whether a part may be said beside the main ones: none that only leads to what comes next. */
const isSaid = (part: PagePart): boolean =>
  !part.isCode &&
  part.text.length >= MIN_PART_LENGTH &&
  part.text.length <= MAX_PART_LENGTH &&
  !part.text.endsWith(':') &&
  !isAside(part);

const lengthOf = (parts: readonly PagePart[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

/** The parts that an answer has room for: those that come next, and those that have words of the question. */
function fillUp(
  { parts, entry }: Section,
  main: readonly PagePart[],
  more: readonly Said[],
  shareOf: (part: PagePart) => number,
): PagePart[] {
  const said = [...main, ...more.map(({ part }) => part)];
  const open = parts.flatMap((part, at) =>
    isSaid(part) && !said.includes(part)
      ? [{ part, at, own: shareOf(part) + (isSaidField(part) ? leadOf(part, entry) : 0) }]
      : [],
  );
  const filled = new Set<(typeof open)[number]>();
  let left = FULL - lengthOf(said);
  let last = Math.max(-1, ...main.map((part) => parts.indexOf(part)));
  for (;;) {
    const [best] = open
      .filter((one) => one.part.text.length <= left && !filled.has(one))
      .map((one) => ({ one, score: one.own + (isSaidField(one.part) ? 0 : nextOf(parts, shareOf, last, one.at)) }))
      .sort((a, b) => b.score - a.score);
    if (best === undefined || best.score < LEAST_SHARE) {
      return open.filter((one) => filled.has(one)).map(({ part }) => part);
    }
    filled.add(best.one);
    left -= best.one.part.text.length;
    last = best.score >= NEXT ? best.one.at : last;
  }
}

/** What speaks for a part because of the one that is said last: a row that has what is asked needs none of the others. */
function nextOf(parts: readonly PagePart[], shareOf: (part: PagePart) => number, last: number, at: number): number {
  const [before, next] = [parts[last], parts[at]];
  if (at !== last + 1 || before === undefined || next === undefined) {
    return 0;
  }
  if (!isRow(before) || !isRow(next)) {
    return NEXT;
  }
  const isApart = isWide(next) && shareOf(before) >= LEAST_SHARE && shareOf(next) < AS_MUCH * shareOf(before);
  return isApart ? 0 : NEXT_ROW;
}

/**
 * Fields of a record have no order, but what it is belongs to most answers, and its note has what else there is. That of a
 * statement tells how its source was read.
 */
const leadOf = ({ isLead, field }: SaidField, entry: Entry | null): number =>
  isLead ? NEXT : field === 'note' && entry !== null && !isStatement(entry) ? NOTE : 0;

/** "A: signed": a row of a table or an item with a name. */
const isRow = (part: PagePart | undefined): boolean => part !== undefined && /^[^:.!?]{1,60}: /.test(part.text);

/** A row with several cells, which is a matter of its own: "403 in fact: cause: a rule of the CDN; remedy: …" */
const isWide = ({ text }: PagePart): boolean => /^[^:.!?]+: [^:;]+: .*; [^:;]+: /.test(text);

/** Where a section is so short that it says little, the beginning of the next one on its page. */
function continuePage(own: Section, said: readonly PagePart[]): Said[] {
  const { sections } = own.onPage;
  const section = sections[sections.indexOf(own) + 1];
  const part = section?.parts.find(isSaid);
  return section === undefined || part === undefined || said.includes(part) || lengthOf(said) >= THIN
    ? []
    : [{ section, part, text: part.text }];
}

const pathOf = ({ path, anchor }: Section): string => `${path}${anchor === null ? '' : `#${anchor}`}`;

/** The parts of a page that have most of the words of a question that the chosen parts leave open. */
function findMore({ question, index }: Looked, own: Section, chosen: readonly PagePart[]): Said[] {
  const { onPage } = own;
  const saying = sayingOf(question);
  const said = saying.ofParts(chosen);
  const open = new Map(
    question.words.flatMap(({ stem, weight, position }) =>
      weight < OPEN_WEIGHT || said[position] === 1 || onPage.title.has(stem) ? [] : [[stem, weight] as const],
    ),
  );
  const gainOf = (stems: Iterable<string>): number => {
    let gain = 0;
    for (const stem of stems) {
      gain += open.get(stem) ?? 0;
    }
    return gain;
  };
  const stems = [...open.keys()];
  const others = onPage.sections
    .filter((section) => stems.some((stem) => index.has(stem, [section])))
    .flatMap((section) =>
      section.parts
        .filter((part) => isSaid(part) && !chosen.includes(part))
        .map((part) => {
          const inPart = saying.meantBy(part);
          const ofHeading = section === own ? [] : stems.filter((stem) => section.ofHeading.has(stem));
          return { section, part, stems: new Set([...inPart, ...ofHeading]) };
        }),
    );
  const further: Said[] = [];
  while (open.size > 0 && further.length < MAX_FURTHER) {
    const [best] = others
      .map((other) => ({ ...other, gain: gainOf(other.stems) * (other.section === own ? OWN_SECTION : 1) }))
      .sort((a, b) => b.gain - a.gain);
    if (best === undefined || best.gain < (best.section === own && further.length === 0 ? OPEN_WEIGHT : LEAST_GAIN)) {
      break;
    }
    further.push({ section: best.section, part: best.part, text: best.part.text });
    for (const stem of best.stems) {
      open.delete(stem);
    }
  }
  return further;
}

/** The parts of a section as the page has them, under its title and heading, with what else the page says of the question. */
function composeSection(
  asking: Asking,
  section: Section,
  { chosen: parts, isKept }: Pick<Read, 'chosen' | 'isKept'>,
  further: readonly Said[],
  sharesOf: (part: PagePart) => number,
): Composed | null {
  const { question } = asking;
  const shareOf = (part: PagePart | undefined): number => (part === undefined ? 0 : sharesOf(part));
  if (parts.length === 0) {
    return null;
  }
  const prose = parts.filter(({ isCode }) => !isCode);
  const { blocks, isRestSaid } = blocksOf(question, section, parts);
  let left = MAX_SENTENCES;
  const said = prose.flatMap((part): Said[] => {
    const text = left <= 0 ? '' : bestSentences(question, fromBestSentence(asking, section, part.text), left);
    left -= Math.max(1, sentencesOf(text).length);
    return text === '' ? [] : [{ section, part, text: endSentence(text) }];
  });
  const more = further.map((one) => ({ ...one, text: endSentence(bestSentences(question, one.text, MAX_FIRST)) }));
  const here = more.filter((one) => one.section === section);
  const elsewhere = more.filter((one) => one.section !== section);
  // What has more of the question's words comes first, unless a near question is kept with what is said.
  const isHereFirst = !isKept && Math.max(0, ...here.map(({ part }) => shareOf(part))) > shareOf(said[0]?.part);
  const own = isHereFirst ? [...here, ...said] : [...said, ...here];
  const texts = own.map(({ text }) => text).join(' ');
  const paste = blocks.filter((part) => !own.some((one) => one.part === part));
  const rest = `${blocks.length === 0 ? 'The code' : 'The rest of the code'} is on ${section.path}, under “${section.heading}”.`;
  return {
    text: [
      `${titleOf(section)}: ${texts}`,
      ...paste.map(({ text }) => text),
      ...(isRestSaid ? [rest] : []),
      ...elsewhere.map((one) => `${one.section.heading}: ${one.text}`),
    ].join('\n'),
    citations: [...own, ...paste.map((part) => ({ section, part })), ...elsewhere].map((one) => toCitation(one)),
  };
}

/**
 * The lines to paste of a section: all that an answer has room for where they are what is asked for, each block after what
 * says where it belongs, else a short one that was chosen for the question. And whether it has to be said where the rest is.
 */
function blocksOf(
  question: Question,
  section: Section,
  chosen: readonly PagePart[],
): { blocks: PagePart[]; isRestSaid: boolean } {
  const isLead = (part: PagePart | undefined): part is PagePart => part?.isCode === false && part.text.endsWith(':');
  const isForRecipe = isRecipe(question, section);
  // What only leads to lines to paste says nothing without them.
  const most = isLead(chosen[0]) ? MAX_HOW_CODE_LENGTH : MAX_CODE_LENGTH;
  const short = chosen.find(({ isCode, text }) => isCode && text.length <= most);
  if (short !== undefined && !isForRecipe) {
    const isLeft = asksForCode(question) && section.parts.some((part) => part.isCode && part !== short);
    return { blocks: [short], isRestSaid: isLeft };
  }
  if (!isForRecipe && !asksForCode(question)) {
    return { blocks: [], isRestSaid: false };
  }
  const all = section.parts.filter(({ isCode }) => isCode);
  const fitting = all.filter((_, at) => lengthOf(all.slice(0, at + 1)) <= MAX_HOW_CODE_LENGTH);
  const taken = short === undefined || fitting.includes(short) ? fitting : [short];
  const blocks = taken.flatMap((part) => {
    const before = section.parts[section.parts.indexOf(part) - 1];
    return isLead(before) ? [before, part] : [part];
  });
  return { blocks, isRestSaid: taken.length < all.length };
}

/** A section that is mostly lines to paste leads to them, unless it's asked about: "Why does Caddy …?", "Which module …?" */
const isRecipe = ({ wants, plain }: Question, { entry, parts }: Section): boolean =>
  entry === null &&
  !wants.has('why') &&
  !/^(is|are|does|do|did|can|could|will|would|should|may|must|which|who|when|what)\b/.test(plain) &&
  lengthOf(parts.filter(({ isCode }) => isCode)) > RECIPE * lengthOf(parts.filter(({ isCode }) => !isCode));

const titleOf = ({ page, heading }: Section): string => (heading === page ? page : `${page}, ${heading}`);

const toCitation = ({ section, part }: Omit<Said, 'text'>): PageCitation => ({
  ...{ page: section.path, title: titleOf(section), anchor: section.anchor, path: pathOf(section), quote: part.quote },
});

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
