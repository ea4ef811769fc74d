import { defineCheck } from '../../check.ts';
import { isSameSite } from '../../evidence/same-site.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { machineResource } from '../../judging/machine-layer.ts';
import { judgeContent } from '../../judging/sampled-pages.ts';
import { absent, requireFile } from '../../judging/verdicts.ts';

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
  judge(evidence) {
    if (machineResource(evidence) === null) {
      requireFile(evidence, 'llms-txt');
      return absent('llms-txt-valid', bareLine(evidence, 'The site has nothing for programs that a page could show.'));
    }
    const base = new URL(evidence.origin);
    return judgeContent(evidence, ({ exchange, facts }) => {
      const found = facts.links.find(({ href }) => isSameSite(base, href) && machinePath.test(new URL(href).pathname));
      return {
        credit: found === undefined ? 0 : 1,
        line: lineOf(
          exchange,
          found === undefined
            ? 'No visible link leads to anything of this site that is for machines.'
            : 'A visible link leads there.',
          { excerpt: found === undefined ? undefined : `${found.text} → ${found.href}` },
        ),
      };
    });
  },
});
