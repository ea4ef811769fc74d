import type { APIRoute } from 'astro';
import { endpoints } from '#api/registry/endpoints.ts';
import { tools } from '#api/registry/tools/index.ts';
import { linkList } from '../link-list.ts';
import { absolute, site } from '../site.ts';

/** The index for language models (llmstxt.org, version 2): one H1, a summary, sections of links that lead to markdown. */
export const GET: APIRoute = () => {
  const calls = tools
    .filter((tool) => tool.routeOf === undefined)
    .map(
      (tool) =>
        `- [${tool.title}](${absolute(`/tools.md#${tool.name}`)}): \`${tool.method} ${tool.path}\`. ${tool.description}`,
    );
  const files = endpoints
    .filter((endpoint) => endpoint.path !== '/llms.txt')
    .map((endpoint) => `- [${endpoint.title}](${absolute(endpoint.path)}): ${endpoint.description}`);
  return new Response(
    [
      `# ${site.name}`,
      '',
      `> ${site.description}`,
      '',
      'Every page is also markdown: send `Accept: text/markdown`, or put `.md` behind its address. With `.json` it is JSON.',
      'Nothing needs an account. Errors are `application/problem+json` and say what to do next.',
      '',
      linkList(),
      '## Tools over HTTP',
      '',
      calls.join('\n'),
      '',
      '## Machine-readable files',
      '',
      files.join('\n'),
      '',
    ].join('\n'),
  );
};
