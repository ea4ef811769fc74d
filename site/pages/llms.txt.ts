import type { APIRoute } from 'astro';
import { datasets } from '#almanac/datasets/index.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import { endpoints } from '#api/catalog/endpoints.ts';
import { mcpPath } from '#api/catalog/to-mcp.ts';
import { tools } from '#api/catalog/tools.ts';
import { absolute, site } from '../site.ts';
import { pageAt, sitePages, twinPaths } from '../site-map.ts';
import { tokenCount } from '../token-count.ts';

/** The files of `.well-known` that the notes do not name otherwise. */
const wellKnown = endpoints
  .map(({ path }) => path)
  .filter((path) => path.startsWith('/.well-known/') && path !== '/.well-known/agents.json');

/** What a reader comes for first, in this order; the other pages are under Optional. */
const first = [
  '/',
  '/ask',
  '/audit',
  '/robots',
  '/developers',
  '/tools',
  '/guestbook',
  '/directory',
  '/playbook',
  '/trust',
];

const twinLink = (path: string, description: string): string => {
  const { markdown } = twinPaths(path);
  return `- [${pageAt(path).title}](${absolute(markdown)}): ${description} ${tokenCount(markdown)}`;
};

const toPage = (path: string): string => twinLink(path, pageAt(path).description);

/** The first sentence of a description. */
const brief = (text: string): string => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;

/** What a description says before its first colon, semicolon or stop. */
const clause = (text: string): string => `${text.split(/[:;.](?=\s|$)/, 1)[0]}.`;

const start = (): string[] => [
  'Every page is also markdown: send `Accept: text/markdown`, or put `.md` behind its address; `.json` is JSON. Nothing needs',
  'an account. Token counts are of the linked file.',
  '',
  `- MCP: \`POST ${absolute(mcpPath)}\`, Streamable HTTP without a session, has every tool.`,
  `- A question in your own words: \`GET ${absolute('/api/ask?q=…')}\`. Keywords: \`${absolute('/api/search?q=…')}\`.`,
  `- Lists: \`GET ${absolute('/api/{crawlers,protocols,models,glossary,state}')}\` is long without parameters. Ask for less:`,
  '  `view=compact` or `fields=name,operator`; filter with `robots_use=training` or `open_weights=true`, by range with',
  '  `released_from=2026-09-01`, by month with `released=2026-10`; then `sort=-released`, `limit=20`, `cursor=`. A wrong value is answered',
  '  with the right ones.',
  `- One section of a page: \`${absolute('/developers/signing.md?section=sign-body')}\`.`,
  `- One record: \`GET ${absolute('/api/{dataset}/{id}')}\`. One technique: \`GET ${absolute('/api/techniques/{id}')}\`.`,
  `- A robots.txt for what you allow: \`GET ${absolute('/api/robots?training=no&search=yes&user=yes')}\`.`,
  `- Errors are \`application/problem+json\`: \`detail\` says what to do next. Error types: [list](${absolute('/problems/llms.txt')}).`,
  `- Full descriptions: \`${absolute('/openapi.json')}\` (${tokenCount('/openapi.json')}), \`${absolute('/.well-known/agents.json')}\` (${tokenCount('/.well-known/agents.json')}).`,
  `- At well-known addresses: ${wellKnown.map((path) => `\`${absolute(path)}\``).join(', ')}.`,
  `- For an index of your own: \`${absolute('/llms-full.txt')}\`: every page, ${tokenCount('/llms-full.txt')}.`,
];

/**
 * The index for language models (llmstxt.org, version 2): one H1, a summary, notes, sections of links. A link leads to
 * markdown; files of other types are named in the notes, where a reader of the links does not take them for pages.
 */
export const GET: APIRoute = () => {
  const indexes = datasets.map(
    ({ path, title, records }) =>
      `- [${title}](${absolute(`/${path}/llms.txt`)}): its ${records.length} records. ${tokenCount(`/${path}/llms.txt`)}`,
  );
  const furtherTwins = ['/compare', '/models/prices'].map(toPage);
  const techniques = techniqueIds.map((id) => twinLink(`/techniques/${id}`, 'how it works.'));
  const calls = tools.map((tool) => {
    const path = tool.name === 'get_technique' ? `${tool.path}/{id}` : tool.path;
    return `- [${tool.title}](${absolute(`/tools.md#${tool.name}`)}): \`${tool.method} ${path}\`. ${brief(tool.description)}`;
  });
  const rest = sitePages.filter(
    ({ path, isRecord, section }) =>
      // What belongs to a page of the section `site` has no index of its own.
      !first.includes(path) &&
      (isRecord !== true || section === 'site') &&
      section !== 'errors' &&
      !/^\/techniques\/.|^\/compare$/.test(path),
  );
  return new Response(
    [
      `# ${site.name}`,
      '',
      `> ${site.description}`,
      '',
      ...start(),
      '',
      '## Start here',
      '',
      // What the home page is about stands above.
      ...first.map((path) => (path === '/' ? twinLink(path, 'the home page.') : toPage(path))),
      '',
      '## Almanac',
      '',
      ...indexes,
      ...furtherTwins,
      '',
      '## Techniques',
      '',
      `- [What each of them is](${absolute('/techniques/llms.txt')}): an index. ${tokenCount('/techniques/llms.txt')}`,
      ...techniques,
      '',
      '## Tools over HTTP',
      '',
      ...calls,
      '',
      '## Optional',
      '',
      `- [Error types](${absolute('/problems/llms.txt')}): index of them. ${tokenCount('/problems/llms.txt')}`,
      `- [Sitemap](${absolute('/sitemap.md')}): every page. ${tokenCount('/sitemap.md')}`,
      ...rest.map(({ path }) => twinLink(path, clause(pageAt(path).description))),
      '',
    ].join('\n'),
  );
};
