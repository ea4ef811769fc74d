import { type TechniqueId, techniqueIds } from '#almanac/techniques.ts';
import { textsOf, textWith } from './content-texts.ts';
import { playbookHead } from './playbook-head.ts';

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

const texts = await textsOf('playbook');

/** The chapters with their texts, in the order of the techniques. */
export const chapterTexts = techniqueIds.map((id, place) => {
  const { data, body } = textWith(texts, 'playbook', id);
  return { id, number: place + 1, ...data, markdown: body };
});

/** What the playbook holds. */
export const playbook = {
  title: playbookHead.title,
  description: playbookHead.description,
  chapters: chapterTexts.map(
    ({ id, number, title, summary, minutes }): ChapterHead => ({ id, number, title, summary, minutes }),
  ),
};

/** The chapter on a technique. Throws an Error when there is none. */
export function chapterOf(technique: TechniqueId): ChapterHead {
  const chapter = playbook.chapters.find(({ id }) => id === technique);
  if (chapter === undefined) {
    throw new Error(`site/content/playbook/ has no chapter ${technique}`);
  }
  return chapter;
}

/** The chapter that can be read without paying. */
export const freeChapter: ChapterHead = chapterOf(playbookHead.freeChapter);
