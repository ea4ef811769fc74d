import { datasets } from '#almanac/datasets/index.ts';
import { techniqueCatalog } from '#almanac/techniques.ts';
import { describeScoring } from '#api/audits/scoring.ts';
import { shortNameOf } from './audit-words.ts';
import content from './content/navigation.json' with { type: 'json' };
import { freeChapter, playbook } from './playbook.ts';
import { site } from './site.ts';

/** The pages of a section, as the navigation at the side of each lists them. */
export interface SectionNav {
  title: string;
  entries: { path: string; label: string; note?: string }[];
  note?: string;
}

const { checks } = describeScoring();

/** What the checks of a technique weigh together, of 100. */
export const weightOf = (id: string): number =>
  Math.round(
    checks.filter(({ technique }) => technique === id).reduce((total, { weight }) => total + weight, 0) * 100,
  ) / 100;

/** The twelve techniques with what they are worth in the audit. */
export const techniqueNav: SectionNav = {
  title: 'Techniques',
  entries: [
    ...techniqueCatalog(site.origin).techniques.map(({ id, name }) => ({
      path: `/techniques/${id}`,
      label: shortNameOf(id, name),
      note: String(weightOf(id)),
    })),
    { path: '/techniques/recipes', label: 'Recipes by platform' },
  ],
  note: 'The number says what it is worth of 100 points.',
};

/** The chapters of the playbook with the minutes that they take; one of them has a page of its own. */
export const playbookNav: SectionNav = {
  title: 'Playbook',
  entries: playbook.chapters.map(({ id, title, minutes }) => ({
    path: id === freeChapter.id ? `/playbook/${id}` : `/playbook#chapter-${id}`,
    label: shortNameOf(id, title),
    note: `${minutes} min`,
  })),
};

/** The pages of the almanac that are no record. */
export const almanacNav: SectionNav = {
  title: 'Almanac',
  entries: [
    ...datasets.map(({ path, title, records }) => ({ path: `/${path}`, label: title, note: String(records.length) })),
    { path: '/models/prices', label: 'Prices and limits' },
    { path: '/compare', label: 'Comparisons' },
    { path: '/changes', label: 'What changed' },
    { path: '/robots', label: 'Write a robots.txt' },
    { path: '/ask', label: 'Ask' },
  ],
};

/** The pages about the site itself, and those for people who build on it. */
export const { about: aboutNav, developers: developerNav } = content as Record<'about' | 'developers', SectionNav>;
