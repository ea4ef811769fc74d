import { z } from 'zod';
import { type TechniqueId, techniqueIds } from '#almanac/techniques.ts';
import document from './content/playbook/index.json' with { type: 'json' };

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

const Index = z.object({
  title: z.string(),
  description: z.string(),
  free_chapter: z.enum(techniqueIds),
  tested_with: z.array(z.object({ name: z.string(), version: z.string() })).min(1),
  first_week: z.array(z.object({ day: z.string(), chapters: z.array(z.enum(techniqueIds)).min(1), why: z.string() })),
  chapters: z.array(
    z.object({ id: z.enum(techniqueIds), title: z.string(), summary: z.string(), minutes: z.int().min(1) }),
  ),
});

const index = Index.parse(document);

/** What the playbook holds. */
export const playbook = {
  title: index.title,
  description: index.description,
  /** The programs that read the files in a test of ours. */
  testedWith: index.tested_with,
  /** In which order to build. */
  firstWeek: index.first_week,
  chapters: index.chapters.map(
    (chapter): ChapterHead => ({ ...chapter, number: techniqueIds.indexOf(chapter.id) + 1 }),
  ),
} as const;

/** The chapter on a technique. Throws an Error when there is none. */
export function chapterOf(technique: TechniqueId): ChapterHead {
  const chapter = playbook.chapters.find(({ id }) => id === technique);
  if (chapter === undefined) {
    throw new Error(`site/content/playbook/index.json has no chapter ${technique}`);
  }
  return chapter;
}

/** The chapter that can be read without paying. */
export const freeChapter: ChapterHead = chapterOf(index.free_chapter);
