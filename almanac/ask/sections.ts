import type { PageContent, PagePart, PageSection } from '../pages.ts';
import type { Askable } from './askable.ts';
import { askedOf } from './asked.ts';
import { type Entry, isStatement } from './entries.ts';
import { type KeptFact, toAsks } from './kept.ts';
import { stemsOf } from './lexicon.ts';
import { toNames } from './names.ts';
import { Postings } from './postings.ts';
import { isSaidField, placesOf, sayFields, sayWhole } from './said.ts';

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
  /** Of the words of its title how many sections have them without it. */
  titled: Map<string, number>;
}

/** How a word of a block of code counts. */
const CODE = 0.4;

/** Parts that only show where to go, or say how a recipe was tried, and fields that are said where their name is asked for. */
export const isAside = (part: PagePart): boolean =>
  isSaidField(part) ? part.isAside : /^(Picture|Form):|^(Before, \d|Run by a test with)/.test(part.text);

function createPage(title: string, names: readonly string[], place: number): SitePage {
  const all = [title, ...names].map(stemsOf);
  const words = new Set(all.flat());
  const titled = new Map([...words].map((stem) => [stem, 0]));
  return { sections: [], place, names: all, name: names[0] ?? title, title: words, titled };
}

const ofParts = new WeakMap<PagePart, ReadonlySet<string>>();

/** The words of a part. */
export function stemsOfPart(part: PagePart): ReadonlySet<string> {
  const stems = ofParts.get(part) ?? new Set(stemsOf(part.text));
  ofParts.set(part, stems);
  return stems;
}

/** All sections of all pages and all records with their words. */
export interface ReadSections {
  sections: Section[];
  /** How many words each section has. */
  lengths: number[];
  /** How often each section has which word; of those of its page's title that it doesn't have, none. */
  postings: Postings;
  /** How many sections have each word. */
  frequency: ReadonlyMap<string, number>;
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
function toRecordSection(askable: Askable, entry: Entry, place: number): Omit<Section, 'place'> {
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
  const sections: Section[] = [];
  const lengths: number[] = [];
  const postings = new Postings();
  const frequency = new Map<string, number>();
  const add = (section: Omit<Section, 'place'>): Section => {
    const { ofHeading, onPage } = section;
    const own = { ...section, place: sections.length };
    const count = new Map([...ofHeading].map((stem) => [stem, 0]));
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
    for (const [stem, times] of count) {
      postings.add(stem, own.place, times);
      frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    }
    for (const [stem, having] of onPage.titled) {
      if (count.has(stem)) {
        onPage.titled.set(stem, having + 1);
      } else if (section.entry === null) {
        postings.add(stem, own.place, 0);
      }
    }
    lengths.push(length);
    sections.push(own);
    onPage.sections.push(own);
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
    const own = sections[section];
    own?.facts.push({ section: own, parts, refs: [], asks: toAsks(ask) });
  }
  for (const [index, entry] of askable.records.entries.entries()) {
    const own = add(toRecordSection(askable, entry, pages.size + index));
    for (const { ask, say } of askedOf(entry)) {
      const at = say.flatMap((field) => placesOf(own.parts, field));
      own.facts.push({ section: own, parts: at, refs: [], asks: toAsks(ask) });
    }
  }
  postings.pack();
  return { sections, lengths, postings, frequency };
}
