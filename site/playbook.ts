import { type TechniqueId, techniqueIds } from '#almanac/techniques.ts';
import index from './content/playbook/index.json' with { type: 'json' };

/** A chapter of the playbook as its table of contents names it. */
interface ChapterHead {
  id: TechniqueId;
  /** From 1, in the order of the techniques. */
  number: number;
  title: string;
  summary: string;
  /** How long it takes to build, roughly. */
  minutes: number;
}

function toHead({ id, title, summary, minutes }: (typeof index.chapters)[number]): ChapterHead {
  const technique = techniqueIds.find((each) => each === id);
  if (technique === undefined) {
    throw new Error(`site/content/playbook/index.json lists ${id}, which is no technique`);
  }
  return { id: technique, number: techniqueIds.indexOf(technique) + 1, title, summary, minutes };
}

/** What the playbook holds. */
export const playbook = {
  title: index.title,
  description: index.description,
  chapters: index.chapters.map(toHead),
} as const;

const free = playbook.chapters.find(({ id }) => id === index.free_chapter);
if (free === undefined) {
  throw new Error(`site/content/playbook/index.json has no chapter ${index.free_chapter}, which it says is free`);
}

/** The chapter that can be read without paying. */
export const freeChapter: ChapterHead = free;
