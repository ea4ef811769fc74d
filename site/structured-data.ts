import type { BreadcrumbList, TechArticle, WebAPI, WebPage, WebSite } from 'schema-dts';
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
});

export const techArticle = (page: SitePage): TechArticle => ({
  '@type': 'TechArticle',
  headline: page.title,
  description: page.description,
  url: absolute(page.path),
  datePublished: page.updated,
  dateModified: page.updated,
  inLanguage: site.language,
  license: site.licenseUrl,
  author: publisher(),
  publisher: publisher(),
  isPartOf: { '@type': 'WebSite', name: site.name, url: site.origin },
});

export const webPage = (page: SitePage, type: 'WebPage' | 'AboutPage' | 'CollectionPage' = 'WebPage'): WebPage => ({
  '@type': type,
  name: page.title,
  description: page.description,
  url: absolute(page.path),
  dateModified: page.updated,
  inLanguage: site.language,
  license: site.licenseUrl,
  publisher: publisher(),
  isPartOf: { '@type': 'WebSite', name: site.name, url: site.origin },
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
