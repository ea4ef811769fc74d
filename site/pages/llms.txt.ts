import type { APIRoute } from 'astro';
import { datasets } from '#almanac/datasets/index.ts';
import { endpoints } from '#api/catalog/endpoints.ts';
import { mcpPath } from '#api/catalog/to-mcp.ts';
import { tools } from '#api/catalog/tools.ts';
import { linkList } from '../link-list.ts';
import { absolute, site } from '../site.ts';

/**
 * The index for language models (llmstxt.org, version 2): one H1, a summary, notes, sections of links. A link leads to
 * markdown; files of other types are named in the notes, where a reader of the links does not take them for pages.
 */
export const GET: APIRoute = () => {
  const calls = tools.map((tool) => {
    const note = tool.routeOf === undefined ? '' : ` ${tool.notes?.note ?? ''}`;
    return `- [${tool.title}](${absolute(`/tools.md#${tool.name}`)}): \`${tool.method} ${tool.path}\`. ${tool.description}${note}`;
  });
  const files = endpoints
    .filter((endpoint) => endpoint.rel !== undefined && endpoint.path !== '/llms.txt')
    .map((endpoint) => `- \`${absolute(endpoint.path)}\`: ${endpoint.description}`);
  const indexes = datasets.map(
    ({ path, title, records }) =>
      `- [${title}](${absolute(`/${path}/llms.txt`)}): index of its ${records.length} records.`,
  );
  return new Response(
    [
      `# ${site.name}`,
      '',
      `> ${site.description}`,
      '',
      'Every page is also markdown: send `Accept: text/markdown`, or put `.md` behind its address. With `.json` it is JSON.',
      'This index leads to the main pages, the tools and the lists of records; `/sitemap.md` lists every page.',
      'Nothing needs an account. Errors of the API are `application/problem+json` and say what to do next; where `Accept`',
      'prefers `text/html` they are pages. An address that does not exist answers 404 as HTML, markdown or problem+json by',
      '`Accept`; one that ends in `.md`, `.txt` or `.json` answers in that form.',
      '',
      'Files for machines:',
      '',
      files.join('\n'),
      '',
      linkList({ records: false }),
      '## Records of the almanac',
      '',
      ...indexes,
      '',
      '## Tools over HTTP',
      '',
      `- [The same tools over MCP](${absolute('/developers.md#mcp')}): \`POST ${mcpPath}\`, Streamable HTTP without a session.`,
      calls.join('\n'),
      '',
    ].join('\n'),
  );
};
