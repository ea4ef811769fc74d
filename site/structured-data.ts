import type {
  BreadcrumbList,
  Dataset,
  DefinedTerm,
  DefinedTermSet,
  TechArticle,
  Thing,
  WebAPI,
  WebApplication,
  WebPage,
  WebSite,
} from 'schema-dts';
import type { AlmanacDataset, AlmanacRecord } from '#almanac/datasets/index.ts';
import { snapshotPath } from '#almanac/edition-list.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { citationOf, coverageOf } from './almanac/citation.ts';
import { freeChapter, playbook } from './playbook.ts';
import { absolute, site } from './site.ts';
import type { SitePage } from './site-map.ts';

const publisher = () => ({ '@type': 'Organization', name: site.owner, url: site.origin }) as const;

export const breadcrumbList = (trail: { path: string; title: string }[]): BreadcrumbList => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map((page, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: page.title,
    item: absolute(page.path),
  })),
});

export const webSite = (): WebSite => ({
  '@type': 'WebSite',
  name: site.name,
  url: site.origin,
  description: site.description,
  inLanguage: site.language,
  license: site.licenseUrl,
  publisher: publisher(),
  // schema.org's `query-input` annotation is not among the typed properties of a SearchAction.
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${absolute('/ask')}?q={search_term_string}` },
    ...{ 'query-input': 'required name=search_term_string' },
  },
});

/** What an article and any other page say alike. */
const common = (page: SitePage) =>
  ({
    description: page.description,
    url: absolute(page.path),
    dateModified: page.updated,
    inLanguage: site.language,
    license: site.licenseUrl,
    publisher: publisher(),
    isPartOf: { '@type': 'WebSite', name: site.name, url: site.origin },
  }) as const;

export const techArticle = (page: SitePage): TechArticle => ({
  '@type': 'TechArticle',
  headline: page.title,
  datePublished: page.updated,
  author: publisher(),
  ...common(page),
});

export const webPage = (page: SitePage, type: 'WebPage' | 'AboutPage' | 'CollectionPage' = 'WebPage'): WebPage => ({
  '@type': type,
  name: page.title,
  ...common(page),
});

/** The page of the playbook with its chapters. There is no Offer in it: the price is a demonstration, and nothing is sold. */
export const playbookPage = (page: SitePage): WebPage => ({
  ...(webPage(page, 'CollectionPage') as WebPage & object),
  hasPart: playbook.chapters.map((chapter) => ({
    '@type': 'TechArticle',
    headline: chapter.title,
    description: chapter.summary,
    position: chapter.number,
    timeRequired: `PT${chapter.minutes}M`,
    inLanguage: site.language,
    ...(chapter.id === freeChapter.id
      ? { isAccessibleForFree: true, url: absolute(`/playbook/${chapter.id}`) }
      : { isAccessibleForFree: false }),
  })),
});

export const webApi = (page: SitePage): WebAPI => ({
  '@type': 'WebAPI',
  name: `${site.name} API`,
  description: page.description,
  url: site.origin,
  documentation: absolute(page.path),
  termsOfService: absolute('/trust'),
  provider: publisher(),
});

/** A page that does something for its visitor, free of charge. */
export const webApplication = (page: SitePage): WebApplication => ({
  '@type': 'WebApplication',
  name: `${site.name}: ${page.title}`,
  description: page.description,
  url: absolute(page.path),
  applicationCategory: 'DeveloperApplication',
  operatingSystem: 'Any',
  isAccessibleForFree: true,
  offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
  publisher: publisher(),
});

/** A dataset with its downloads; the glossary is a set of defined terms as well. */
export const datasetStatement = (page: SitePage, dataset: AlmanacDataset): Dataset | DefinedTermSet => {
  const common = {
    name: dataset.title,
    description: dataset.description,
    url: absolute(page.path),
    license: site.licenseUrl,
    dateModified: dataset.updated,
    version: snapshotPath(dataset.path).version,
    isAccessibleForFree: true,
    creator: publisher(),
    inLanguage: site.language,
  };
  if (dataset.path === 'glossary') {
    return {
      '@type': 'DefinedTermSet',
      ...common,
      hasDefinedTerm: dataset.records.map((record) => ({
        '@type': 'DefinedTerm',
        name: recordTitle(record),
        url: absolute(`/glossary/${record.id}`),
      })),
    };
  }
  const download = (encodingFormat: string, path: string) =>
    ({ '@type': 'DataDownload', encodingFormat, contentUrl: absolute(path) }) as const;
  return {
    '@type': 'Dataset',
    ...common,
    temporalCoverage: coverageOf(dataset),
    citation: citationOf({ title: dataset.title, path: page.path, snapshot: snapshotPath(dataset.path) }).apa,
    variableMeasured: dataset.fields,
    distribution: [
      download('application/json', `/api/${dataset.path}`),
      download('application/jsonl', `/${dataset.path}.jsonl`),
      download('text/csv', `/${dataset.path}.csv`),
    ],
  };
};

/** A record: a term is a DefinedTerm, everything else an article about the thing. */
export const recordStatement = (page: SitePage, path: string, record: AlmanacRecord): DefinedTerm | Thing =>
  'term' in record
    ? {
        '@type': 'DefinedTerm',
        name: record.term,
        termCode: record.id,
        description: record.definition,
        url: absolute(page.path),
        inDefinedTermSet: absolute(`/${path}`),
      }
    : techArticle(page);
