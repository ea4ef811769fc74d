import type { PageContent, PagePart, PageSection } from '../pages.ts';
import type { Askable } from './askable.ts';
import { askedOf } from './asked.ts';
import { splitPart } from './candidate.ts';
import { type Entry, isStatement } from './entries.ts';
import { type KeptFact, toFact } from './kept.ts';
import { lazily } from './lazily.ts';
import { MEANS_SAME, stemsOf, synonymsOf } from './lexicon.ts';
import { OWN_NAME, toNames } from './names.ts';
import { isSaidField, placesOf, type SaidField, sayFields, sayWhole } from './said.ts';

/** A section of a page with its words, or a record as if it were a page of one section whose parts are its fields. */
export interface Section extends PageSection {
  /** The record; null for a section of a page. */
  entry: Entry | null;
  /** Its place among all. */
  place: number;
  onPage: SitePage;
  ofHeading: ReadonlySet<string>;
  /** What its parts answer, as it was written down. */
  facts: KeptFact[];
}

/** A page with what it's called. */
export interface SitePage {
  sections: Section[];
  /** Its place among all. */
  place: number;
  /** Names of its subject, each as its stems, and the first as it is. */
  names: string[][];
  name: string;
  /** All words of its names. */
  title: ReadonlySet<string>;
}

/** Parts that only show where to go, or say how a recipe was tried, and fields that are said where their name is asked for. */
export const isAside = (part: PagePart): boolean =>
  isSaidField(part) ? part.isAside : /^(Picture|Form):|^(Before, \d|Run by a test with)/.test(part.text);

function createPage(title: string, names: readonly string[], place: number): SitePage {
  const all = [title, ...names].map(stemsOf);
  return { sections: [], place, names: all, name: names[0] ?? title, title: new Set(all.flat()) };
}

/** The words of all parts that were read, and the number of each. */
const stemOfNumber: string[] = [];
const numberOf = new Map<string, number>();
const ofParts = new WeakMap<PagePart, readonly number[]>();

/** The words of a part, each once and by its number: there are thousands of parts, and sets take ten times the room. */
function numbersOfPart(part: PagePart): readonly number[] {
  const known = ofParts.get(part);
  if (known !== undefined) {
    return known;
  }
  const numbers = [...new Set(stemsOf(part.text))].map((stem) => {
    const number = numberOf.get(stem) ?? stemOfNumber.push(stem) - 1;
    numberOf.set(stem, number);
    return number;
  });
  ofParts.set(part, numbers);
  return numbers;
}

type Words = readonly { stem: string }[];
const sayings = new WeakMap<Words, ReturnType<typeof createSaying>>();

/** How much texts say each word of a question: all of it, part where they say another that means the same, or nothing. */
export function sayingOf({ words }: { words: Words }): ReturnType<typeof createSaying> {
  const known = sayings.get(words) ?? createSaying(words);
  sayings.set(words, known);
  return known;
}

function createSaying(words: Words) {
  const meanings = new Map<string, { position: number; share: number }[]>();
  words.forEach(({ stem }, position) => {
    for (const form of synonymsOf(stem)) {
      const own = meanings.get(form) ?? [];
      own.push({ position, share: form === stem ? 1 : MEANS_SAME });
      meanings.set(form, own);
    }
  });
  // Most words of a part mean nothing to the question, which their numbers tell at once.
  const isMeant = new Uint8Array(stemOfNumber.length);
  for (const form of meanings.keys()) {
    isMeant[numberOf.get(form) ?? -1] = 1;
  }
  const nothing: readonly number[] = words.map(() => 0);
  const known = new Map<PagePart, readonly number[]>();
  const of = (stems: Iterable<string>): readonly number[] => {
    let said: number[] | undefined;
    for (const stem of stems) {
      for (const { position, share } of meanings.get(stem) ?? []) {
        said ??= [...nothing];
        said[position] = Math.max(said[position] ?? 0, share);
      }
    }
    return said ?? nothing;
  };
  const meantBy = (part: PagePart): string[] => {
    const meant: string[] = [];
    for (const number of numbersOfPart(part)) {
      const stem = isMeant[number] === 0 ? '' : (stemOfNumber[number] as string);
      if (meanings.has(stem)) {
        meant.push(stem);
      }
    }
    return meant;
  };
  const ofPart = (part: PagePart): readonly number[] => {
    let said = known.get(part);
    if (said === undefined) {
      said = of(meantBy(part));
      known.set(part, said);
    }
    return said;
  };
  const ofParts = (parts: readonly PagePart[]): readonly number[] =>
    parts.map(ofPart).reduce((most, said) => most.map((share, at) => Math.max(share, said[at] ?? 0)), nothing);
  return { of, ofPart, ofParts };
}

/** What a statement is about besides its own words: what is measured, of whom, by whom. */
function toHint({ records }: Askable, { record, id }: Entry): string {
  const { series, unit, topic, entities } = record;
  const links = Array.isArray(entities) ? (entities as { dataset: string; id: string }[]) : [];
  const named = links.map((link) => records.get(link.dataset, link.id)?.title ?? link.id);
  return [series, unit, topic, id, ...named].join(' ').replace(/[\d-]+/g, ' ');
}

/**
 * What a record says of itself as a section. Where no questions are kept with it it's found by its name, or by what it is; the
 * questions that are kept with a model are about its summary and its note.
 */
const sayRecord = (askable: Askable, entry: Entry): SaidField[] =>
  (askedOf(entry).length > 0 && entry.dataset !== 'models') || isStatement(entry)
    ? sayFields(askable, entry)
    : sayWhole(askable, entry);

/** The names of a record by which it's surely meant, the title apart. */
const surelyNamed = (entry: Entry): string[] =>
  [...toNames(entry).values()].filter(({ strength }) => strength >= OWN_NAME).map(({ text }) => text);

/** The words of a record's names: what a question asks of it is said by the others. */
export const wordsOfNames = (entry: Entry): Set<string> =>
  new Set([entry.title, ...surelyNamed(entry)].flatMap(stemsOf));

/** A record as a section: its fields as sentences, which are read when it's looked at, and the questions that are kept with it. */
function toRecordSection(askable: Askable, entry: Entry, place: number, pagePlace: number): Section {
  const { title, path } = entry;
  const onPage = createPage(isStatement(entry) ? '' : title, surelyNamed(entry), pagePlace);
  const ofHeading = new Set(isStatement(entry) ? stemsOf(toHint(askable, entry)) : onPage.title);
  const said = lazily(() => sayRecord(askable, entry));
  const section: Section = {
    ...{ path, page: title, anchor: null, heading: title, tokens: 0 },
    ...{ place, entry, onPage, ofHeading, facts: [] },
    get parts() {
      return said();
    },
  };
  for (const { ask, say, from = '' } of askedOf(entry)) {
    const read = () => {
      const parts = say.flatMap((field) => placesOf(said(), field));
      const { sentences } = splitPart(said()[parts[0] ?? -1]?.text ?? '');
      return {
        parts,
        sentence: Math.max(
          0,
          sentences.findIndex((sentence) => sentence.includes(from)),
        ),
      };
    };
    section.facts.push(toFact({ section, refs: [], asks: ask }, read));
  }
  return section;
}

/** All sections of pages, and after them all records. */
export function readSections(content: PageContent, askable: Askable): Section[] {
  const named = new Map<string, Set<string>>();
  for (const { section, names } of content.facts) {
    const path = content.sections[section]?.path ?? '';
    named.set(path, new Set([...(named.get(path) ?? []), ...names]));
  }
  const sections: Section[] = [];
  const add = (section: Section): void => {
    sections.push(section);
    section.onPage.sections.push(section);
  };
  const pages = new Map<string, SitePage>();
  for (const [place, section] of content.sections.entries()) {
    const onPage =
      pages.get(section.path) ?? createPage(section.page, [...(named.get(section.path) ?? [])], pages.size);
    pages.set(section.path, onPage);
    add({ ...section, place, entry: null, onPage, ofHeading: new Set(stemsOf(section.heading)), facts: [] });
  }
  for (const { section, parts, ask, sentence = 0 } of content.facts) {
    const own = sections[section];
    own?.facts.push(toFact({ section: own, refs: [], asks: ask }, () => ({ parts, sentence })));
  }
  for (const [index, entry] of askable.records.entries.entries()) {
    add(toRecordSection(askable, entry, sections.length, pages.size + index));
  }
  return sections;
}
