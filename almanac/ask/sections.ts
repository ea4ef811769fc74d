import type { PageContent, PagePart, PageSection } from '../pages.ts';
import type { Askable } from './askable.ts';
import { askedOf } from './asked.ts';
import { type Entry, isStatement } from './entries.ts';
import { type KeptFact, toAsks } from './kept.ts';
import { lazily } from './lazily.ts';
import { stemsOf } from './lexicon.ts';
import { toNames } from './names.ts';
import { isSaidField, placesOf, sayFields, sayWhole } from './said.ts';

/** A section of a page with its words, or a record as if it were a page of one section whose parts are its fields. */
export interface Section extends PageSection {
  /** The record; null for a section of a page. */
  entry: Entry | null;
  /** Its place among all. */
  place: number;
  onPage: SitePage;
  ofHeading: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** What its parts answer, as it was written down. */
  facts: KeptFact[];
}

/** A page with what it's called and which words its sections share. */
export interface SitePage {
  sections: Section[];
  /** Its place among all. */
  place: number;
  /** Names of its subject, each as its stems, and the first as it is. */
  names: string[][];
  name: string;
  /** All words of its names. */
  title: ReadonlySet<string>;
  /** All words of the page. */
  stems(): ReadonlySet<string>;
  /** 0 to 1: how much a word tells about which section of the page is meant. */
  tell(stem: string): number;
}

/** How much a word of the title tells about which section is meant. */
const OF_TITLE = 0.3;
/** How a word of a block of code counts. */
const CODE = 0.4;

/** Parts that only show where to go, or say how a recipe was tried, and fields that are said where their name is asked for. */
export const isAside = (part: PagePart): boolean =>
  isSaidField(part) ? part.isAside : /^(Picture|Form):|^(Before, \d|Run by a test with)/.test(part.text);

function createPage(title: string, names: readonly string[], place: number): SitePage {
  const sections: Section[] = [];
  const all = [title, ...names];
  const shared = lazily(() => {
    const count = new Map<string, number>();
    for (const stem of sections.flatMap(({ stems }) => [...stems])) {
      count.set(stem, (count.get(stem) ?? 0) + 1);
    }
    return count;
  });
  const told = new Map<string, number>();
  const tell = (stem: string): number => {
    const many = sections.length;
    const share = Math.log(many / Math.max(1, shared().get(stem) ?? 1)) / Math.log(Math.max(2, many));
    return share * (page.title.has(stem) ? OF_TITLE : 1);
  };
  const page: SitePage = {
    sections,
    place,
    names: all.map(stemsOf),
    name: names[0] ?? title,
    title: new Set(all.flatMap(stemsOf)),
    stems: lazily(() => new Set([...page.title, ...sections.flatMap(({ stems }) => [...stems])])),
    tell: (stem) => {
      if (sections.length === 1) {
        return page.title.has(stem) ? OF_TITLE : 1;
      }
      const known = told.get(stem) ?? tell(stem);
      told.set(stem, known);
      return known;
    },
  };
  return page;
}

const ofParts = new WeakMap<PagePart, ReadonlySet<string>>();

/** The words of a part. */
export function stemsOfPart(part: PagePart): ReadonlySet<string> {
  const stems = ofParts.get(part) ?? new Set(stemsOf(part.text));
  ofParts.set(part, stems);
  return stems;
}

/** All sections of all pages and all records, and with each how often it has which word. */
export interface ReadSections {
  sections: Section[];
  counts: Map<string, number>[];
  lengths: number[];
}

/** From this strength on a name is one of the record's own. */
const OWN_NAME = 0.9;

/** What a statement is about besides its own words: what is measured, of whom, by whom. */
function toHint({ records }: Askable, { record, id }: Entry): string {
  const { series, unit, topic, entities } = record;
  const links = Array.isArray(entities) ? (entities as { dataset: string; id: string }[]) : [];
  const named = links.map((link) => records.get(link.dataset, link.id)?.title ?? link.id);
  return [series, unit, topic, id, ...named].join(' ').replace(/[\d-]+/g, ' ');
}

/** A record as a section: its fields as sentences, and the questions that are kept with it. */
function toRecordSection(askable: Askable, entry: Entry, place: number): Omit<Section, 'stems' | 'place'> {
  const { title, path } = entry;
  // Where no questions are kept with a record it's found by its name, or by what it is.
  const parts = askedOf(entry).length > 0 || isStatement(entry) ? sayFields(askable, entry) : sayWhole(askable, entry);
  const names = [...toNames(entry).values()].filter(({ strength }) => strength >= OWN_NAME).map(({ text }) => text);
  const onPage = createPage(isStatement(entry) ? '' : title, names, place);
  const ofHeading = new Set(isStatement(entry) ? stemsOf(toHint(askable, entry)) : onPage.title);
  const shown = { path, page: title, anchor: null, heading: title, tokens: 0 };
  return { ...shown, entry, parts, onPage, ofHeading, facts: [] };
}

/** All sections of pages and all records, each with its words. */
export function readSections(content: PageContent, askable: Askable): ReadSections {
  const named = new Map<string, Set<string>>();
  for (const { section, names } of content.facts) {
    const path = content.sections[section]?.path ?? '';
    named.set(path, new Set([...(named.get(path) ?? []), ...names]));
  }
  const read: ReadSections = { sections: [], counts: [], lengths: [] };
  const add = (section: Omit<Section, 'stems' | 'place'>): Section => {
    const count = new Map<string, number>();
    let length = 0;
    for (const isCode of [false, true]) {
      const parts = section.parts.filter((part) => part.isCode === isCode && !isAside(part));
      const stems = stemsOf(parts.map(({ text }) => text).join('\n'));
      const weight = isCode ? CODE : 1;
      length += stems.length * weight;
      for (const stem of stems) {
        count.set(stem, (count.get(stem) ?? 0) + weight);
      }
    }
    const own = { ...section, place: read.sections.length, stems: new Set([...section.ofHeading, ...count.keys()]) };
    read.lengths.push(length);
    read.counts.push(count);
    read.sections.push(own);
    own.onPage.sections.push(own);
    return own;
  };
  const pages = new Map<string, SitePage>();
  for (const section of content.sections) {
    const onPage =
      pages.get(section.path) ?? createPage(section.page, [...(named.get(section.path) ?? [])], pages.size);
    pages.set(section.path, onPage);
    add({ ...section, entry: null, onPage, ofHeading: new Set(stemsOf(section.heading)), facts: [] });
  }
  for (const { section, parts, ask } of content.facts) {
    const own = read.sections[section];
    own?.facts.push({ section: own, parts, refs: [], asks: toAsks(ask) });
  }
  for (const [index, entry] of askable.records.entries.entries()) {
    const own = add(toRecordSection(askable, entry, pages.size + index));
    for (const { ask, say } of askedOf(entry)) {
      const at = say.flatMap((field) => placesOf(own.parts, field));
      own.facts.push({ section: own, parts: at, refs: [], asks: toAsks(ask) });
    }
  }
  return read;
}
