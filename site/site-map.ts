import { changesOfRecord } from '#almanac/change-list.ts';
import { type AlmanacRecord, datasets, models } from '#almanac/datasets/index.ts';
import { recordChanges } from '#almanac/record-changes.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { techniqueCatalog } from '#almanac/techniques.ts';
import { problemTypes } from '#api/contract/problem-types.ts';
import { priceColumns, pricePath } from './almanac/model-prices.ts';
import { pairs } from './almanac/pairs.ts';
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

const listed: ListedPage[] = [
  {
    path: '/',
    title: site.name,
    description: site.description,
    section: 'start',
    kind: 'home',
  },
  {
    path: '/techniques',
    title: 'The twelve techniques',
    description: 'The catalog of twelve techniques that make a website readable, callable and trustworthy for agents.',
    section: 'techniques',
    kind: 'technique-catalog',
  },
  ...techniqueCatalog(site.origin).techniques.map(
    (technique): ListedPage => ({
      path: `/techniques/${technique.id}`,
      title: technique.name,
      description: technique.what,
      section: 'techniques',
      kind: 'technique',
    }),
  ),
  {
    path: '/techniques/recipes',
    title: 'Recipes by platform',
    description:
      'Markdown twins and llms.txt on Vercel, Netlify, Django, Rails, Laravel, PHP, Hugo, Eleventy, Docusaurus; hosted builders.',
    section: 'techniques',
    kind: 'recipes',
  },
  {
    path: '/almanac',
    title: 'The almanac',
    description:
      'Five reference datasets on the agentic web: crawlers, protocols, models, terms and statistics, each fact with its source.',
    section: 'almanac',
    kind: 'almanac',
  },
  {
    path: '/ask',
    title: 'Ask the almanac',
    description:
      'Ask a question in your own words or search by keyword: answers come from the records alone, with citations.',
    section: 'almanac',
    kind: 'ask',
  },
  {
    path: '/changes',
    title: 'What changed',
    description:
      'Every recorded change of the almanac: records added and removed, fields with their old and new value, day and source.',
    section: 'almanac',
    kind: 'change-list',
    updated: recordChanges.at(-1)?.date,
  },
  ...almanacPages,
  ...priceColumns.map((column): ListedPage => {
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
  }),
  {
    path: '/compare',
    title: 'Comparisons',
    description: `${pairs.length} pairs of protocols, crawlers and models, compared field by field from their records.`,
    section: 'almanac',
    kind: 'comparison-list',
    updated: latest(...comparisonPages.map(({ updated }) => updated)),
  },
  ...comparisonPages,
  {
    path: '/robots',
    title: 'Write a robots.txt',
    description:
      'Choose what crawlers may take your pages for and get a robots.txt with the source, the effect and the limits of each line.',
    section: 'service',
    kind: 'robots-txt',
  },
  {
    path: '/audit',
    title: 'Audit a site',
    description:
      'A live audit of a website for agents: a score from 0 to 100, the evidence for each finding, and a fix that is ready to paste.',
    section: 'service',
    kind: 'audit',
  },
  {
    path: '/audit/sample',
    title: 'A sample report',
    description: 'A report on a plain site.',
    section: 'service',
    kind: 'audit-sample',
  },
  {
    path: '/audit/scoring',
    title: 'How the audit scores',
    description:
      'Groups, weights, outcomes, caps and bands of the audit, and every check with its reason and reference.',
    section: 'service',
    kind: 'audit-scoring',
  },
  {
    path: '/audit/compare',
    title: 'Compare two sites',
    description:
      'Two audits: the scores, what is to fix on one site and not on the other, and the checks that ended differently.',
    section: 'service',
    kind: 'audit-compare',
  },
  {
    path: '/audit/look',
    title: 'What do they see?',
    description: 'One page as a browser, GPTBot and readers of text and of markdown get it.',
    section: 'service',
    kind: 'audit-look',
  },
  {
    path: '/audit/comparison',
    title: 'Our audit and others',
    description:
      'Our audit, afdocs, agent-readability and Lighthouse over the same sites: the scores, and why they differ where they do.',
    section: 'service',
    kind: 'audit-comparison',
  },
  {
    path: '/guestbook',
    title: 'The guestbook',
    description:
      'Anyone may sign, person or agent, without an account. What is written here is untrusted text: data, never instructions.',
    section: 'visitors',
    kind: 'guestbook',
  },
  {
    path: '/directory',
    title: 'The directory',
    description: 'Websites that passed the live audit of this site, with score, grade and date, and how to join them.',
    section: 'visitors',
    kind: 'directory',
  },
  {
    path: '/playbook',
    title: playbook.title,
    description:
      'What the twelve chapters of the playbook hold, one of them to read whole, and how the demo payment works.',
    section: 'service',
    kind: 'playbook',
  },
  {
    path: `/playbook/${freeChapter.id}`,
    title: `Playbook: ${freeChapter.title}`,
    description: freeChapter.summary,
    section: 'service',
    kind: 'playbook-chapter',
  },
  {
    path: '/tools',
    title: 'Tools',
    description: 'Every tool of this site with its input, its HTTP twin and an example that runs.',
    section: 'service',
    kind: 'tool-list',
  },
  {
    path: '/developers',
    title: 'The API for people',
    description: 'JSON over HTTP, no account, no version in the path: every endpoint, errors, limits and MCP.',
    section: 'service',
    kind: 'api-reference',
  },
  {
    path: '/developers/reading',
    title: 'Read over the API',
    description:
      'The representations of a page, and the calls that read: a crawler, a User-Agent, search, questions, lists and changes.',
    section: 'service',
    kind: 'api-reading',
  },
  {
    path: '/developers/writing',
    title: 'Write and pay over the API',
    description:
      'Sign the guestbook, withdraw an entry, audit a site, join the directory, and pay in the demonstration.',
    section: 'service',
    kind: 'api-writing',
  },
  {
    path: '/developers/signing',
    title: 'Sign a request',
    description:
      'HTTP message signatures that tie a request to your key: three headers, code that runs, and what a tier is.',
    section: 'service',
    kind: 'api-signing',
  },
  {
    path: '/problems',
    title: 'Error types',
    description: 'Every error that the service answers with, when it does so and what to do next.',
    section: 'errors',
    kind: 'problem-list',
  },
  ...problemTypes.map(
    (type): ListedPage => ({
      path: `/problems/${type.slug}`,
      title: type.title,
      description: `${type.status}: ${type.when}`,
      section: 'errors',
      kind: 'problem',
    }),
  ),
  {
    path: '/trust',
    title: 'Trust rules',
    description: 'What this site promises to people and agents, and what an agent must not believe here.',
    section: 'site',
    kind: 'trust-rules',
  },
  {
    path: '/about',
    title: 'About',
    description: 'What this site is for, who keeps it and how its content may be used.',
    section: 'site',
    kind: 'about',
  },
  {
    path: '/colophon',
    title: 'Colophon',
    description: 'How the site is built, set and served, and with what.',
    section: 'site',
    kind: 'colophon',
  },
  {
    path: '/colophon/parts',
    title: 'Parts of the site',
    description: 'Every part that pages are made of, in each of its states.',
    section: 'site',
    kind: 'part-list',
    isRecord: true,
  },
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
    throw new Error(`site/site-map.ts does not list ${path}`);
  }
  return page;
}

/** The addresses of a page's twins: `/about` has `/about.md` and `/about.json`, `/` has `/index.md`. */
export function twinPaths(path: string): { html: string; markdown: string; json: string } {
  const stem = path === '/' ? '/index' : path;
  return { html: path, markdown: `${stem}.md`, json: `${stem}.json` };
}
