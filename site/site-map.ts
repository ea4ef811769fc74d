import { z } from 'zod';
import { changesOfRecord } from '#almanac/change-list.ts';
import { type AlmanacRecord, datasets, models } from '#almanac/datasets/index.ts';
import { recordChanges } from '#almanac/record-changes.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { techniqueCatalog } from '#almanac/techniques.ts';
import { problemTypes } from '#api/contract/problem-types.ts';
import { priceColumns, pricePath } from './almanac/model-prices.ts';
import { pairs } from './almanac/pairs.ts';
import content from './content/pages.json' with { type: 'json' };
import { changedOn } from './page-dates.ts';
import { freeChapter, playbook } from './playbook.ts';
import { site } from './site.ts';

/** One page of the site, as the sitemap, the manifest, llms.txt and the page itself know it. */
export interface SitePage {
  path: string;
  title: string;
  /** One sentence; it is the page's meta description. */
  description: string;
  section: Section;
  /** What the page is, in the JSON twin's `kind`. */
  kind: string;
  /** Day of the last change of the page's content, YYYY-MM-DD. */
  updated: string;
  /** True for the page of one record, of one pair, of a table of records, or of the parts of pages: lists of pages name the page above it instead. */
  isRecord?: true;
}

export const sections = ['start', 'techniques', 'almanac', 'visitors', 'service', 'errors', 'site'] as const;
export type Section = (typeof sections)[number];

export const sectionTitles: Record<Section, string> = {
  start: 'Start here',
  techniques: 'Techniques',
  almanac: 'Almanac',
  visitors: 'Visitors',
  service: 'Tools and API',
  errors: 'Error types',
  site: 'About this site',
};

/** At most 160 characters, cut at a word: what a meta description has room for. */
const brief = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, '')} …`);

const recordLede = (record: AlmanacRecord): string =>
  'purpose' in record
    ? record.purpose
    : 'one_liner' in record
      ? record.one_liner
      : 'summary' in record
        ? record.summary
        : 'definition' in record
          ? record.definition
          : record.statement;

const almanacPages = datasets.flatMap((dataset): SitePage[] => [
  {
    path: `/${dataset.path}`,
    title: dataset.title,
    description: dataset.description,
    section: 'almanac',
    kind: 'dataset',
    updated: dataset.updated,
  },
  ...dataset.records.map(
    (record): SitePage => ({
      path: `/${dataset.path}/${record.id}`,
      title: brief(recordTitle(record)),
      description: brief(recordLede(record)),
      section: 'almanac',
      kind: `${dataset.path}-record`,
      updated: changesOfRecord(dataset.path, record.id)[0]?.date ?? dataset.updated,
      isRecord: true,
    }),
  ),
]);

const latest = (...days: string[]): string => days.toSorted().at(-1) ?? '';

const dayOf = (path: string): string => almanacPages.find((page) => page.path === path)?.updated ?? '';

/** A comparison changes when one of its two records does. */
const comparisonPages = pairs.map(
  ({ dataset, one, other, path, title }): SitePage => ({
    path,
    title,
    description: brief(`How they differ, field by field. ${recordTitle(one)}: ${recordLede(one)}`),
    section: 'almanac',
    kind: 'comparison',
    updated: latest(dayOf(`/${dataset}/${one.id}`), dayOf(`/${dataset}/${other.id}`)),
    isRecord: true,
  }),
);

/** A page as it is listed: where its data has no day of its own, the record of page dates has it. */
type ListedPage = Omit<SitePage, 'updated'> & { updated?: string };

/** What stands for something else in the list of pages: how many pairs are compared, and what the playbook is called. */
const filled = (text: string): string =>
  text.replace('{pairs}', String(pairs.length)).replace('{playbook}', playbook.title);

/** The pages that are made by hand. */
const ownPages: readonly ListedPage[] = z
  .array(
    z.strictObject({
      path: z.string().startsWith('/'),
      title: z.string(),
      description: z.string(),
      section: z.enum(sections),
      kind: z.string(),
      isRecord: z.literal(true).optional(),
    }),
  )
  .parse(content)
  .map((page) => ({ ...page, title: filled(page.title), description: filled(page.description) }));

/** The days of pages whose content is data. */
const days: Readonly<Record<string, string | undefined>> = {
  '/changes': recordChanges.at(-1)?.date,
  '/compare': latest(...comparisonPages.map(({ updated }) => updated)),
};

const pricePages = priceColumns.map((column): SitePage => {
  const order = column.title.toLowerCase();
  return {
    path: pricePath(column),
    title: column.slug === null ? 'Prices and limits of models' : `Prices and limits of models, by ${order}`,
    description: `Language models sorted by ${order}: price of input, cached input and output, context, longest output, cut-off.`,
    section: 'almanac',
    kind: 'model-prices',
    updated: models.updated,
    isRecord: true,
  };
});

/** The pages that are made of lists, by the page that they come after. */
const madePages: Readonly<Record<string, readonly ListedPage[]>> = {
  '/techniques': techniqueCatalog(site.origin).techniques.map(({ id, name, what }) => ({
    path: `/techniques/${id}`,
    title: name,
    description: what,
    section: 'techniques',
    kind: 'technique',
  })),
  '/changes': [...almanacPages, ...pricePages],
  '/compare': comparisonPages,
  '/playbook': [
    {
      path: `/playbook/${freeChapter.id}`,
      title: `Playbook: ${freeChapter.title}`,
      description: freeChapter.summary,
      section: 'service',
      kind: 'playbook-chapter',
    },
  ],
  '/problems': problemTypes.map(({ slug, title, status, when }) => ({
    path: `/problems/${slug}`,
    title,
    description: `${status}: ${when}`,
    section: 'errors',
    kind: 'problem',
  })),
};

const listed: ListedPage[] = [
  { path: '/', title: site.name, description: site.description, section: 'start', kind: 'home' },
  ...ownPages.flatMap((page) => [{ ...page, updated: days[page.path] }, ...(madePages[page.path] ?? [])]),
];

/** Every page of the site but the 404 page, in reading order. */
export const sitePages: readonly SitePage[] = listed.map((page) => ({
  ...page,
  updated: page.updated ?? changedOn(page.path),
}));

/** The pages whose day of change is in the record of page dates. */
export const datedPaths: readonly string[] = listed
  .filter(({ updated }) => updated === undefined)
  .map(({ path }) => path);

const byPath = new Map(sitePages.map((page) => [page.path, page]));

/** The page at a path; throws when the site map does not list it. */
export function pageAt(path: string): SitePage {
  const page = byPath.get(path);
  if (page === undefined) {
    throw new Error(`site/content/pages.json does not list ${path}`);
  }
  return page;
}

/** The addresses of a page's twins: `/about` has `/about.md` and `/about.json`, `/` has `/index.md`. */
export function twinPaths(path: string): { html: string; markdown: string; json: string } {
  const stem = path === '/' ? '/index' : path;
  return { html: path, markdown: `${stem}.md`, json: `${stem}.json` };
}
