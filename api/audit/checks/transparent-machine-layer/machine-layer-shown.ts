import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { judgePages } from '../../judging/sampled-pages.ts';

const machinePath =
  /\/llms(?:-full)?\.txt$|\.md$|\/\.well-known\/(?:agents\.json|ai-catalog\.json|api-catalog|agent-card\.json)$|\/openapi\.(?:json|ya?ml)$|\/(?:mcp|for-agents|agents|developers|api-docs)\/?$/i;

/** Whether people can see that there is a layer for machines, and where. */
export const machineLayerShown = defineCheck({
  id: 'machine-layer-shown',
  technique: 'transparent-machine-layer',
  topic: 'Visible machine layer',
  titles: {
    pass: 'Pages show where their machine layer is',
    partial: 'Only some pages show where their machine layer is',
    fail: 'Pages do not show where their machine layer is',
  },
  causes: ['not-linked'],
  why: 'What is served to machines stays honest when a person can follow a link to it and compare.',
  reference: { title: 'llmstxt.org: proposal', url: 'https://llmstxt.org/#proposal' },
  fix: ({ origin }) => ({
    text: 'Link the index, and the markdown of the page itself, where a reader sees it. The footer will do.',
    snippet: `<footer>\n  <a href="${origin}/llms.txt">llms.txt</a>\n  <a rel="alternate" type="text/markdown" href="${origin}/index.md">This page as markdown</a>\n</footer>`,
    language: 'html',
  }),
  judge: (evidence) =>
    judgePages(evidence, ({ exchange, facts }) => {
      const found = facts.links.find(({ href }) => machinePath.test(new URL(href).pathname));
      return {
        credit: found === undefined ? 0 : 1,
        line: lineOf(
          exchange,
          found === undefined ? 'No visible link leads to anything for machines.' : 'A visible link leads there.',
          {
            excerpt: found === undefined ? undefined : `${found.text} → ${found.href}`,
          },
        ),
      };
    }),
});
