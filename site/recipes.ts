import { type ContentFile, readContentFile } from './content-file.ts';

const sources = import.meta.glob<string>('./content/recipes/*.md', { query: '?raw', import: 'default', eager: true });

/** How to serve markdown twins and llms.txt on one platform. */
export type Recipe = ContentFile<'recipe'>['head'] & { id: string; markdown: string };

/** In the order of the page: where sites are hosted, frameworks, then generators. */
const order = ['vercel', 'netlify', 'django', 'rails', 'laravel', 'php', 'hugo', 'eleventy', 'docusaurus'];

/** The recipes by platform. Throws an Error that names the file when one is missing or has a wrong head. */
export const recipes: readonly Recipe[] = order.map((id) => {
  const path = `recipes/${id}.md`;
  const { head, markdown } = readContentFile('recipe', path, sources[`./content/${path}`]);
  return { id, markdown, ...head };
});

/** A hosted site builder, and what its owner can change. Null: not confirmed. */
interface Builder {
  name: string;
  robots: string | null;
  llms: string | null;
  structuredData: string | null;
  headers: string | null;
  source: { title: string; url: string };
}

/** What owners of hosted builders can do, as their documentation or, where named, a report has it. */
export const builders: readonly Builder[] = [
  {
    name: 'Shopify',
    robots: 'yes: robots.txt.liquid in the theme',
    llms: 'yes, as reported in 2026: templates/llms.txt.liquid in the theme; older guides describe a redirect to a page',
    structuredData: 'yes, in the theme',
    headers: 'no',
    source: {
      title: 'Shopify: robots.txt.liquid',
      url: 'https://shopify.dev/docs/storefronts/themes/architecture/templates/robots-txt-liquid',
    },
  },
  {
    name: 'Wix',
    robots: 'yes: an editor in the SEO tools',
    llms: null,
    structuredData: 'yes, for each page',
    headers: 'no',
    source: {
      title: 'Wix: the robots.txt of a site',
      url: 'https://dev.wix.com/docs/rest/business-management/marketing/txt-file-server/robots-txt/robots-txt-object',
    },
  },
  {
    name: 'Squarespace',
    robots: 'no: one switch for search engines and one for a list of AI crawlers',
    llms: 'not at the root: a page, and a redirect to it',
    structuredData: 'yes, by code injection on the larger plans',
    headers: 'no',
    source: {
      title: 'Squarespace: AI crawlers',
      url: 'https://support.squarespace.com/hc/en-us/articles/360022347072',
    },
  },
  {
    name: 'Webflow',
    robots: 'yes: site settings, SEO, indexing',
    llms: null,
    structuredData: 'yes, by custom code',
    headers: null,
    source: {
      title: 'Webflow: robots.txt rules',
      url: 'https://help.webflow.com/hc/en-us/articles/41954080897683-Set-robots-txt-rules',
    },
  },
];
