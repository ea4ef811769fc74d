import type { Evidence } from './evidence.ts';
import type { HtmlFacts } from './facts/html.ts';
import { findStrings } from './facts/json.ts';
import { loginOf } from './judging/gates.ts';
import { excerptOf } from './judging/lines.ts';
import { isApiHost, type ReadPage, readPages } from './judging/sampled-pages.ts';

/** The kinds of sites that are distinguished. `site` has no marks of another kind; `unknown` could not be read. */
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

/** Types of structured data, and what one says when it is on half of the sampled pages, or on fewer. */
const schemaMarks: [type: SiteTypeId, pattern: RegExp, onHalf: number, once: number][] = [
  ['documentation', /^(?:TechArticle|APIReference)$/, 3, 1],
  ['shop', /^(?:Product|ProductGroup)$/, 3, 2],
  ['shop', /^(?:Store|OnlineStore)$/, 3, 3],
  ['shop', /^(?:Offer|AggregateOffer)$/, 1, 0],
  ['blog', /^(?:BlogPosting|NewsArticle)$/, 3, 1],
  ['blog', /^Blog$/, 2, 2],
  ['application', /^WebApplication$/, 3, 3],
];

const generators: [SiteTypeId, RegExp][] = [
  [
    'documentation',
    /docusaurus|mkdocs|zensical|vitepress|vuepress|sphinx|starlight|mintlify|gitbook|readthedocs|docsify|antora|hugo-book|docsy|mdbook|quarto|nextra|fumadocs|rspress|typedoc|jsdoc|javadoc|rustdoc|docfx|doxygen/i,
  ],
  ['shop', /shopify|woocommerce|magento|prestashop|shopware|bigcommerce/i],
  ['blog', /\bghost\b|hexo|substack|\bbear blog\b/i],
];

/** Marks in the source that themes of documentation generators leave. */
const documentationThemes =
  /\b(?:VPDoc|vp-doc|md-content__inner|theme-doc-markdown|sl-markdown-content|rst-content|sphinxsidebar|wy-nav-side|mdbook-|nextra-|docsearch-btn|DocSearch-Button|MkDocs version|Documentation built with)\b/;

const pathMarks: [type: SiteTypeId, pattern: RegExp, what: string, onHalf: number, onFifth: number][] = [
  [
    'documentation',
    /(?:^|\/)(?:docs?|documentation|guides?|reference|manual|tutorials?|api|getting-started)(?:\/|$)/i,
    'documentation',
    3,
    2,
  ],
  ['shop', /^\/(?:products?|shop|store|collections?|cart|basket|checkout)(?:\/|$)/i, 'a shop', 3, 2],
  ['blog', /^\/(?:blog|posts?|articles?)\/.|^\/20\d\d\/\d\d/i, 'articles', 3, 1],
];

const basket =
  /(?:^|\/)(?:cart|basket|checkout|warenkorb|panier|carrito|carrinho|carrello|winkelwagen|koszyk|kosik)(?:\/|$|\.)/i;
const editLink = /^(?:edit|improve|suggest (?:an )?edits?)\b.{0,20}\b(?:page|github|gitlab|source)\b/i;

const isAmong = (values: string[], pattern: RegExp): string | undefined => values.find((value) => pattern.test(value));

function schemaMarksOf(pages: ReadPage[]): Mark[] {
  return schemaMarks.flatMap(([type, pattern, onHalf, once]): Mark[] => {
    const found = pages.flatMap(({ facts }) => isAmong(typesOf(facts), pattern) ?? []);
    const [first] = found;
    const points = first === undefined ? 0 : found.length >= pages.length / 2 ? onHalf : once;
    return points === 0
      ? []
      : [{ type, points, says: `Structured data of type ${first} on ${found.length} of ${pages.length} pages.` }];
  });
}

function pathMarksOf(evidence: Evidence, pages: ReadPage[]): Mark[] {
  const home = pages.find(({ page }) => page.html === 'home');
  const root = new URL('.', evidence.home).pathname;
  const paths = [
    ...evidence.pages.slice(1).map(({ url }) => url),
    ...(home?.facts.links ?? [])
      .map(({ href }) => href)
      .filter((href) => URL.canParse(href) && new URL(href).origin === evidence.origin),
  ]
    .map((href) => new URL(href).pathname)
    .map((path) => (path.startsWith(root) ? `/${path.slice(root.length)}` : path));
  return pathMarks.flatMap(([type, pattern, what, onHalf, onFifth]): Mark[] => {
    const found = paths.filter((path) => pattern.test(path)).length;
    const share = paths.length === 0 ? 0 : found / paths.length;
    const points = share >= 0.5 ? onHalf : share >= 0.2 ? onFifth : 0;
    return points === 0 ? [] : [{ type, points, says: `${found} of ${paths.length} addresses have paths of ${what}.` }];
  });
}

/** What the pages themselves look like: generators, themes, baskets, links to edit a page. */
function sourceMarksOf(pages: ReadPage[]): Mark[] {
  const named = [...new Set(pages.flatMap(({ facts }) => facts.generators))];
  const links = pages.flatMap(({ facts }) => facts.links);
  const theme = pages
    .map(({ exchange }) => documentationThemes.exec(exchange.body.slice(0, 500_000))?.[0])
    .find((found) => found !== undefined);
  const made = generators.flatMap(([type, pattern]): Mark[] => {
    const generator = isAmong(named, pattern);
    return generator === undefined ? [] : [{ type, points: 4, says: `Made by ${generator.slice(0, 60)}.` }];
  });
  const edit = links.find(({ text }) => editLink.test(text.trim()));
  const toBasket = links.find(({ href }) => URL.canParse(href) && basket.test(new URL(href).pathname));
  return [
    ...made,
    ...(theme === undefined
      ? []
      : [
          {
            type: 'documentation' as const,
            points: 3,
            says: `The source has marks of a documentation theme: ${theme}.`,
          },
        ]),
    ...(edit === undefined
      ? []
      : [{ type: 'documentation' as const, points: 2, says: `A link reads "${edit.text.slice(0, 40)}".` }]),
    ...(toBasket === undefined
      ? []
      : [
          {
            type: 'shop' as const,
            points: 2,
            says: `A link leads to ${new URL(toBasket.href).pathname.slice(0, 60)}.`,
          },
        ]),
  ];
}

function marksOf(evidence: Evidence, pages: ReadPage[]): Mark[] {
  const { hostname } = new URL(evidence.origin);
  const shells = pages.filter(({ facts }) => facts.shell.likely).length;
  const first = evidence.exchanges['home'];
  const login = first === undefined ? null : loginOf(first);
  return [
    ...schemaMarksOf(pages),
    ...sourceMarksOf(pages),
    ...pathMarksOf(evidence, pages),
    ...(/^(?:docs?|developers?|manual|wiki|help)\./.test(hostname)
      ? [{ type: 'documentation' as const, points: 3, says: `The host is named ${hostname}.` }]
      : []),
    ...(pages.length > 0 && shells / pages.length >= 0.5
      ? [
          {
            type: 'application' as const,
            points: 4,
            says: `${shells} of ${pages.length} pages are empty until scripts fill them.`,
          },
        ]
      : []),
    ...(login === null
      ? []
      : [{ type: 'application' as const, points: 3, says: `The home page asks for a login: ${login}.` }]),
  ];
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
