import type { PageContent, PagePart, PageSection } from '../pages.ts';
import { type KeptFact, toAsks } from './kept.ts';
import { lazily } from './lazily.ts';
import { stemsOf } from './lexicon.ts';

/** A section of a page with its words. */
export interface Section extends PageSection {
  onPage: SitePage;
  ofHeading: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  /** What its parts answer, as it was written down. */
  facts: KeptFact[];
}

/** A page with what it's called and which words its sections share. */
export interface SitePage {
  sections: Section[];
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

/** How a word of a block of code counts. */
const CODE = 0.4;

/** Parts that only show where to go, or say how a recipe was tried. */
export const isAside = ({ text }: PagePart): boolean => /^(Picture|Form|Before, \d|Run by a test with)/.test(text);

function createPage(title: string, names: readonly string[]): SitePage {
  const sections: Section[] = [];
  const all = [title, ...names];
  const shared = lazily(() => {
    const count = new Map<string, number>();
    for (const stem of sections.flatMap(({ stems }) => [...stems])) {
      count.set(stem, (count.get(stem) ?? 0) + 1);
    }
    return count;
  });
  const page: SitePage = {
    sections,
    names: all.map(stemsOf),
    name: names[0] ?? title,
    title: new Set(all.flatMap(stemsOf)),
    stems: lazily(() => new Set([...page.title, ...sections.flatMap(({ stems }) => [...stems])])),
    tell: (stem) => {
      const many = sections.length;
      const share = Math.log(many / Math.max(1, shared().get(stem) ?? 1)) / Math.log(Math.max(2, many));
      return (many === 1 ? 1 : share) * (page.title.has(stem) ? 0.3 : 1);
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

/** All sections of all pages, and with each how often it has which word. */
export interface ReadSections {
  sections: Section[];
  counts: Map<string, number>[];
  lengths: number[];
}

export function readSections(content: PageContent): ReadSections {
  const named = new Map<string, Set<string>>();
  for (const { section, names } of content.facts) {
    const path = content.sections[section]?.path ?? '';
    named.set(path, new Set([...(named.get(path) ?? []), ...names]));
  }
  const lengths: number[] = [];
  const counts: Map<string, number>[] = [];
  const pages = new Map<string, SitePage>();
  const sections = content.sections.map((section): Section => {
    const onPage = pages.get(section.path) ?? createPage(section.page, [...(named.get(section.path) ?? [])]);
    pages.set(section.path, onPage);
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
    const ofHeading = new Set(stemsOf(section.heading));
    lengths.push(length);
    counts.push(count);
    const own = { ...section, onPage, ofHeading, stems: new Set([...ofHeading, ...count.keys()]), facts: [] };
    onPage.sections.push(own);
    return own;
  });
  for (const { section, parts, ask } of content.facts) {
    const own = sections[section];
    own?.facts.push({ section: own, parts, refs: [], asks: toAsks(ask) });
  }
  return { sections, counts, lengths };
}
