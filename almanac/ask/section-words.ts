import { stemsOf } from './lexicon.ts';
import { Postings } from './postings.ts';
import { isAside, type Section } from './sections.ts';

/** Which section speaks of which word, and how much. */
export interface SectionWords {
  /** How much each section speaks of each word; of the words of its page's title that it doesn't have by itself, too. */
  postings: Postings;
  /** How many sections have a word only as one of their page's title. */
  ofTitle: ReadonlyMap<string, number>;
  /** Of each page of the site: of the words of its title how many of its sections have them without it. */
  titled: readonly ReadonlyMap<string, number>[];
}

/** How a word of a block of code counts. */
const CODE = 0.4;
const HEADING = 2;
const TITLE = 2;
const SATURATION = 1.5;

/** How much each section speaks of each word, by how often it has it, and whether its heading and its page's title do. */
function weighWords(sections: readonly Section[], lengths: readonly number[], postings: Postings): void {
  const { held, shares } = postings;
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const spreads = lengths.map((length) => 0.5 + 0.5 * (length / average));
  for (const { form, from, to } of postings.words()) {
    for (let at = from; at < to; at++) {
      const place = held[at] as number;
      const { ofHeading, onPage } = sections[place] as Section;
      const times =
        (shares[at] as number) / (spreads[place] as number) +
        (ofHeading.has(form) ? HEADING : 0) +
        (onPage.title.has(form) ? TITLE : 0);
      shares[at] = times / (times + SATURATION);
    }
  }
}

/** Reads the words of all sections. */
export function readSectionWords(sections: readonly Section[]): SectionWords {
  const postings = new Postings();
  const lengths: number[] = [];
  const ofTitle = new Map<string, number>();
  const titled: Map<string, number>[] = [];
  for (const { place, ofHeading, onPage, entry, parts } of sections) {
    let length = 0;
    for (const stem of ofHeading) {
      postings.add(stem, place, 0);
    }
    for (const isCode of [false, true]) {
      const own = parts.filter((part) => part.isCode === isCode && !isAside(part));
      const stems = stemsOf(own.map(({ text }) => text).join('\n'));
      const weight = isCode ? CODE : 1;
      length += stems.length * weight;
      for (const stem of stems) {
        postings.add(stem, place, weight);
      }
    }
    if (entry === null) {
      const having = titled[onPage.place] ?? new Map([...onPage.title].map((stem) => [stem, 0]));
      titled[onPage.place] = having;
      for (const [stem, count] of having) {
        if (postings.add(stem, place, 0)) {
          ofTitle.set(stem, (ofTitle.get(stem) ?? 0) + 1);
        } else {
          having.set(stem, count + 1);
        }
      }
    }
    lengths.push(length);
  }
  postings.pack();
  weighWords(sections, lengths, postings);
  return { postings, ofTitle, titled };
}

/** 0 to 1: how much a stem says: the more sections have it, the less. */
export function createWeigh({ postings, ofTitle }: SectionWords, sections: number): (stem: string) => number {
  const most = Math.log(1 + sections / 0.5);
  return (stem) => Math.log(1 + sections / (postings.count(stem) - (ofTitle.get(stem) ?? 0) + 0.5)) / most;
}
