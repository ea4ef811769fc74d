import { defineCheck } from '../../check.ts';
import { isMarkdown, isMarkdownText } from '../../facts/markdown.ts';
import { nginxLines } from '../../fixes/platforms/nginx.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { pagesWithMarkdown, twinAnswerOf, twinPages } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether the markdown of a page has an address of its own. */
export const twinAddress = defineCheck({
  id: 'twin-address',
  technique: 'markdown-negotiation',
  topic: 'Markdown addresses',
  titles: {
    pass: 'Pages have a markdown address',
    partial: 'Some pages have no proper markdown address',
    fail: 'Pages have no markdown address',
  },
  causes: ['no-markdown-address'],
  why: 'An address can be linked, and works for clients that cannot set a header.',
  reference: { title: 'llms.txt: markdown versions of pages', url: 'https://llmstxt.org/#format' },
  fix: () => ({
    text: 'Serve the markdown of /page at /page.md as well, as text/markdown.',
    snippet: nginxLines.markdownType,
    language: 'nginx',
  }),
  judge(evidence) {
    pagesWithMarkdown(evidence);
    return byShare(
      twinPages(evidence).flatMap(({ page }): Judged[] => {
        const twin = twinAnswerOf(evidence, page);
        if (twin === null) {
          return [];
        }
        const credit = isMarkdown(twin) ? 1 : isMarkdownText(twin) ? 0.5 : 0;
        const note =
          credit === 1
            ? 'Markdown came.'
            : credit === 0.5
              ? 'The text came, with a type that is not text/markdown.'
              : 'No markdown came.';
        return [{ credit, line: lineOf(twin, note, { header: 'content-type' }) }];
      }),
      bareLine(evidence, 'No markdown address gave an answer, or they are on another host, which is not asked.'),
    );
  },
});
