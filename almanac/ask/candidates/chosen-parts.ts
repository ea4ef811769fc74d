import type { PagePart } from '../../pages.ts';
import type { WeighedPart } from '../candidate.ts';
import { type Entry, isStatement, readText } from '../entries.ts';
import type { AskedWords, KeptFact } from '../kept.ts';
import type { Question } from '../question.ts';
import { isSaidField, type SaidField } from '../said.ts';
import type { SectionMatch } from '../section-index.ts';
import { isAside, type Section, sayingOf } from '../sections.ts';
import { type Asking, LEAST_TOLD, SHARED } from './weighed-parts.ts';

/** How many characters an answer is filled up to with parts that come next or have words of the question. */
const FULL = 640;
/** What a part that comes next counts beside the share of the question's words that it has, and what one needs at least. */
const NEXT = 0.3;
/** A row or item that follows one that is said: "B" after "A". */
const NEXT_ROW = 0.6;
const LEAST_SHARE = 0.12;
/** What a row has of the share of the one before to be said after it. */
const AS_MUCH = 0.4;
/** What counts for the note of a record: it's said where there is room. */
const NOTE = 0.13;
/** What it counts that a part has the number, day or sum that is asked for. */
const MEASURED = 0.15;
/** From this nearness on the parts that are kept with a question are said for the asked one. */
export const NEAR = 0.5;
/** How much better a part has to be than the one that is kept to be said before it. */
const LEAD_OF_PART = 0.5;
/** How much less well another part may answer to be said after the first. */
const NEARLY = 1.5;
/** How many fields of a record are said because they answer nearly as well. */
const MAX_RIVALS = 2;
/** Below this share of the question's words a part isn't chosen for them. */
const WEAK = 0.25;
/** Below this nearness a kept question doesn't tell which field of a record is asked for, and below this likelihood its words don't. */
const LEAST_NEAR = 0.3;
const LIKELY = 0.4;
const MAX_PART_LENGTH = 400;
/** Shorter parts are labels: "VS Code". */
const MIN_PART_LENGTH = 16;
/** A sentence shorter than this says little without the next one. */
const SHORT = 90;

/** What a part has of a question. */
export type Share = (part: PagePart) => number;

/** "B: signed; the key is not known", where the question asks for "tier B". */
const isLettered = ({ words }: Question, { text }: PagePart): boolean =>
  /^[A-Z]: /.test(text) && words.some(({ isLetter, raw }) => isLetter && raw.toUpperCase() === text.charAt(0));

/** How much of the question's words each part of a section has, by what they tell among the parts. */
export function sharesOfParts(
  { question, words, measure }: Asking & { words: AskedWords },
  { entry, parts, ofHeading, onPage }: Section,
): Share {
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

/** The part that answers best. */
const bestOf = (weighed: readonly WeighedPart[]): WeighedPart | undefined =>
  weighed.reduce<WeighedPart | undefined>(
    (best, one) => (best === undefined || one.score > best.score ? one : best),
    undefined,
  );

/** The part of a page's section that answers best, with those that are said with it. */
export function chooseOfPage(
  { section, near }: SectionMatch,
  weighed: readonly WeighedPart[],
  shareOf: Share,
): PagePart[] {
  const best = bestOf(weighed);
  if (best === undefined) {
    return section.parts.slice(0, 1);
  }
  const at = section.parts.indexOf(best.part);
  const match = near.find(({ fact }) => fact.parts.includes(at));
  if (match !== undefined && (match.nearness >= NEAR || shareOf(best.part) < WEAK)) {
    const own = partsOf(section, match.fact);
    const first = weighed.find(({ part }) => part === own[0])?.score ?? 0;
    return best.score > first + LEAD_OF_PART ? [...new Set([best.part, ...own])] : own;
  }
  return withNext(section, best.part);
}

/** The part that answers nearly as well as the first of those that are said, with what goes on with it. */
export function rivalOf(section: Section, weighed: readonly WeighedPart[], main: readonly PagePart[]): PagePart[] {
  const [first, ...others] = main;
  const own = weighed.find(({ part }) => part === first);
  const rival = bestOf(weighed.filter(({ part }) => part !== first && isSaid(part)));
  const isNear =
    own !== undefined &&
    rival !== undefined &&
    !own.part.text.endsWith(':') &&
    !others.includes(rival.part) &&
    rival.score >= own.score - NEARLY;
  return isNear ? withNext(section, rival.part).filter((part) => !main.includes(part)) : [];
}

/** The status of what is in use. */
const inUse = /^(active|current)$/;

/** Whether something in the question asks for a field: its words, a near question that is kept, or what other records are asked in such words. */
const isAskedFor = ({ features }: WeighedPart): boolean =>
  (features['said'] ?? 0) >= WEAK || (features['near'] ?? 0) >= LEAST_NEAR || (features['likely'] ?? 0) >= LIKELY;

/**
 * The field of a record that answers best, those that are kept with it, and those that answer nearly as well; what the record is
 * and how it stands where nothing in the question asks for a field.
 */
export function chooseOfRecord({ section, near }: SectionMatch, weighed: readonly WeighedPart[]): PagePart[] {
  const [best, ...others] = weighed.toSorted((a, b) => b.score - a.score);
  if (best === undefined) {
    return section.parts.slice(0, 1);
  }
  // That it's in use goes without saying.
  const isInUse = section.entry !== null && inUse.test(readText(section.entry, 'status'));
  const whole = section.parts.filter(
    (part) => isSaidField(part) && (part.isLead || (part.field === 'status' && !isInUse)),
  );
  if (whole.length > 0 && !isAskedFor(best)) {
    return whole;
  }
  const at = section.parts.indexOf(best.part);
  const match = near.find(({ fact }) => fact.parts.includes(at));
  const kept = match !== undefined && match.nearness >= NEAR ? partsOf(section, match.fact) : [];
  const rivals = others.filter(({ score }) => score >= best.score - NEARLY).slice(0, MAX_RIVALS);
  return [...new Set([best.part, ...kept, ...rivals.map(({ part }) => part)])];
}

/** Whether a part may be said beside the main ones: none that only leads to what comes next. */
const isSaid = (part: PagePart): boolean =>
  !part.isCode &&
  part.text.length >= MIN_PART_LENGTH &&
  part.text.length <= MAX_PART_LENGTH &&
  !part.text.endsWith(':') &&
  !isAside(part);

export const lengthOf = (parts: readonly PagePart[]): number => parts.reduce((sum, { text }) => sum + text.length, 0);

/** The parts that an answer has room for: those that come next, and those that have words of the question. */
export function fillUp(
  { parts, entry }: Section,
  main: readonly PagePart[],
  more: readonly PagePart[],
  shareOf: Share,
): PagePart[] {
  const said = [...main, ...more];
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
function nextOf(parts: readonly PagePart[], shareOf: Share, last: number, at: number): number {
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

/** Of what is said of a page what has a number of the question comes first: "At most 39: …". */
export function numberedFirst({ words }: Question, { entry }: Section, parts: PagePart[]): PagePart[] {
  const numbers = words.flatMap(({ word, isNumber }) => (isNumber && word.length > 1 ? [word] : []));
  const hasNumber = new RegExp(`(?<![\\d.,])(${numbers.join('|')})(?![\\d.,]*\\d)`);
  const isFirst = (part: PagePart): boolean => numbers.length > 0 && !part.isCode && hasNumber.test(part.text);
  return entry === null ? [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))] : parts;
}
