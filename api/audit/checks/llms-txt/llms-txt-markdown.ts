import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { markdownOf } from '../../facts/markdown.ts';
import { isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { requireLlmsTxt } from '../../judging/llms-txt.ts';
import { listOfPages } from '../../judging/own-pages.ts';
import { byShare, type Judged, notApplicable } from '../../judging/verdicts.ts';

/** Whether the index leads to text. */
export const llmsTxtMarkdown = defineCheck({
  id: 'llms-txt-markdown',
  technique: 'llms-txt',
  topic: 'Targets of llms.txt',
  titles: {
    pass: 'Links of llms.txt lead to markdown',
    partial: 'Some links of llms.txt lead to HTML',
    fail: 'Links of llms.txt lead to HTML',
  },
  causes: ['llms-txt-flawed'],
  why: 'From the index to the content without a parser for HTML: that is the point of the file.',
  reference: { title: 'llmstxt.org: proposal', url: 'https://llmstxt.org/#proposal' },
  fix: (evidence) => ({
    text: 'Link to the markdown address of each page.',
    snippet: listOfPages(evidence),
    language: 'markdown',
  }),
  judge(evidence) {
    const file = requireLlmsTxt(evidence);
    const judged = evidence.llmsLinks.flatMap(({ name }): Judged[] => {
      const exchange = evidence.exchanges[name] ?? null;
      if (!isSuccess(exchange)) {
        return [];
      }
      const isText = !isHtml(exchange) && !markdownOf(exchange).isHtml;
      return [
        {
          credit: isText ? 1 : 0,
          line: lineOf(exchange, isText ? 'Text comes.' : 'HTML comes.', { header: 'content-type' }),
        },
      ];
    });
    return judged.length === 0 ? notApplicable(lineOf(file, 'No link to this site leads to a page.')) : byShare(judged);
  },
});
