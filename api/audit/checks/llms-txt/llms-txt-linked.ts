import { defineCheck } from '../../check.ts';
import { isSameSite } from '../../evidence/same-site.ts';
import { linkHeaderOf } from '../../facts/headers.ts';
import { lineOf } from '../../judging/lines.ts';
import { requireLlmsTxt } from '../../judging/llms-txt.ts';
import { judgePages } from '../../judging/sampled-pages.ts';

/** Whether pages lead to the index. */
export const llmsTxtLinked = defineCheck({
  id: 'llms-txt-linked',
  technique: 'llms-txt',
  topic: 'Links to llms.txt',
  titles: {
    pass: 'Every page points to llms.txt',
    partial: 'Only some pages point to llms.txt',
    fail: 'No page points to llms.txt',
  },
  causes: ['not-linked'],
  why: 'Agents come in at any page, from a search or a link, and seldom guess that there is an index.',
  reference: { title: 'RFC 8288: Web Linking', url: 'https://www.rfc-editor.org/rfc/rfc8288' },
  fix: ({ origin }) => ({
    text: 'Put a link into the head of each page, and one into its footer for readers of text.',
    snippet: `<link rel="describedby" type="text/markdown" href="${origin}/llms.txt">\n<!-- in the footer -->\n<a href="${origin}/llms.txt">llms.txt</a>`,
    language: 'html',
  }),
  judge(evidence) {
    requireLlmsTxt(evidence);
    const base = new URL(evidence.origin);
    return judgePages(evidence, ({ exchange, facts }) => {
      const links = [...linkHeaderOf(exchange), ...facts.headLinks, ...facts.links];
      const found = links.find(({ href }) => /\/llms(?:-full)?\.txt(?:[?#]|$)/.test(href) && isSameSite(base, href));
      return {
        credit: found === undefined ? 0 : 1,
        line: lineOf(
          exchange,
          found === undefined ? "Nothing on the page leads to the site's llms.txt." : 'The page leads to it.',
          { excerpt: found?.href },
        ),
      };
    });
  },
});
