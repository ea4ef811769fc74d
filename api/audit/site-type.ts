import type { Evidence } from './evidence.ts';
import type { HtmlFacts } from './facts/html.ts';
import { findStrings } from './facts/json.ts';
import { loginOf } from './judging/gates.ts';
import { excerptOf } from './judging/lines.ts';
import { isApiHost, type ReadPage, readPages } from './judging/sampled-pages.ts';

/** The kinds of sites that are told apart. `site` has no marks of another kind; `unknown` could not be read. */
export const siteTypes = {
  documentation: 'Documentation',
  shop: 'Shop',
  blog: 'Blog or magazine',
  application: 'Application',
  api: 'API host',
  site: 'Site',
  unknown: 'Unknown',
} as const;

export type SiteTypeId = keyof typeof siteTypes;

export interface SiteType {
  id: SiteTypeId;
  name: string;
  /** What it was recognised by, one sentence each. */
  judgedBy: string[];
}

/** A mark of a kind of site: how much it speaks for it, and how that is said. */
interface Mark {
  type: SiteTypeId;
  points: number;
  says: string;
}

const typesOf = ({ jsonLd }: HtmlFacts): string[] =>
  jsonLd.flatMap(({ value }) => [
    ...findStrings(value, '@type'),
    ...findStrings(value, '@type', '*'),
    ...findStrings(value, '*', '@type'),
    ...findStrings(value, '@graph', '*', '@type'),
  ]);

const schemaMarks: [SiteTypeId, RegExp][] = [
  ['documentation', /^(?:TechArticle|APIReference|HowTo)$/],
  ['shop', /^(?:Product|ProductGroup|Offer|AggregateOffer|Store|OnlineStore)$/],
  ['blog', /^(?:Blog|BlogPosting|NewsArticle)$/],
  ['application', /^(?:WebApplication|SoftwareApplication)$/],
];

const generators: [SiteTypeId, RegExp][] = [
  [
    'documentation',
    /docusaurus|mkdocs|vitepress|sphinx|starlight|mintlify|gitbook|readthedocs|docsify|antora|hugo-book/i,
  ],
  ['shop', /shopify|woocommerce|magento|prestashop|shopware|bigcommerce/i],
  ['blog', /ghost|hexo|jekyll|substack/i],
];

const pathMarks: [SiteTypeId, RegExp, string][] = [
  ['documentation', /^\/(?:docs?|documentation|guides?|reference|manual|tutorials?|learn)(?:\/|$)/i, 'documentation'],
  ['shop', /^\/(?:products?|shop|store|collections?|cart|basket|checkout)(?:\/|$)/i, 'a shop'],
  ['blog', /^\/(?:blog|posts?|articles?|news|20\d\d)(?:\/|$)/i, 'articles'],
];

const isAmong = (values: string[], pattern: RegExp): string | undefined => values.find((value) => pattern.test(value));

function marksOf(evidence: Evidence, pages: ReadPage[]): Mark[] {
  const marks: Mark[] = [];
  const types = pages.flatMap(({ facts }) => typesOf(facts));
  for (const [type, pattern] of schemaMarks) {
    const found = isAmong(types, pattern);
    if (found !== undefined) {
      marks.push({ type, points: 3, says: `Structured data of type ${found}.` });
    }
  }
  const generator = pages.map(({ facts }) => facts.meta['generator'] ?? '').find((value) => value !== '') ?? '';
  for (const [type, pattern] of generators) {
    if (pattern.test(generator)) {
      marks.push({ type, points: 3, says: `Made by ${generator.slice(0, 60)}.` });
    }
  }
  if (/^(?:docs?|developers?|manual|wiki|help)\./.test(new URL(evidence.origin).hostname)) {
    marks.push({ type: 'documentation', points: 3, says: `The host is named ${new URL(evidence.origin).hostname}.` });
  }
  const home = pages.find(({ page }) => page.html === 'home');
  const paths = [
    ...evidence.pages.slice(1).map(({ url }) => new URL(url).pathname),
    ...(home?.facts.links ?? [])
      .filter(({ href }) => URL.canParse(href) && new URL(href).origin === evidence.origin)
      .map(({ href }) => new URL(href).pathname),
  ];
  for (const [type, pattern, what] of pathMarks) {
    const found = paths.filter((path) => pattern.test(path)).length;
    if (found > 0 && found / paths.length >= 0.2) {
      marks.push({
        type,
        points: found / paths.length >= 0.5 ? 3 : 2,
        says: `${found} of ${paths.length} addresses have paths of ${what}.`,
      });
    }
  }
  const shells = pages.filter(({ facts }) => facts.shell.likely).length;
  if (pages.length > 0 && shells / pages.length >= 0.5) {
    marks.push({
      type: 'application',
      points: 4,
      says: `${shells} of ${pages.length} pages are empty until scripts fill them.`,
    });
  }
  const first = evidence.exchanges['home'];
  const login = first === undefined ? null : loginOf(first);
  if (login !== null) {
    marks.push({ type: 'application', points: 3, says: `The home page asks for a login: ${login}.` });
  }
  return marks;
}

/** Finds out of what kind a site is. It decides over no check: it tells a reader what the score was measured on. */
export function siteTypeOf(evidence: Evidence): SiteType {
  const as = (id: SiteTypeId, judgedBy: string[]): SiteType => ({
    id,
    name: siteTypes[id],
    judgedBy: judgedBy.map(excerptOf),
  });
  if (isApiHost(evidence)) {
    return as('api', ['What was asked for answers with data, and no page with HTML.']);
  }
  const pages = readPages(evidence);
  const marks = marksOf(evidence, pages);
  if (pages.length === 0 && marks.length === 0) {
    return as('unknown', ['No page could be read.']);
  }
  const pointsOf = (type: SiteTypeId): number =>
    marks.filter((mark) => mark.type === type).reduce((total, { points }) => total + points, 0);
  const kinds: SiteTypeId[] = ['documentation', 'shop', 'blog', 'application'];
  const best = kinds.reduce((leader, kind) => (pointsOf(kind) > pointsOf(leader) ? kind : leader));
  return pointsOf(best) >= 3
    ? as(
        best,
        marks.filter(({ type }) => type === best).map(({ says }) => says),
      )
    : as('site', ['No marks of documentation, a shop, a blog or an application stand out.']);
}
