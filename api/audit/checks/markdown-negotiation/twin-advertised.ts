import { defineCheck } from '../../check.ts';
import { advertisedTwin, customaryTwin } from '../../evidence/twin-addresses.ts';
import { isMarkdownText } from '../../facts/markdown.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { pagesWithMarkdown, twinAnswerOf, twinPages } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether pages point to their markdown. */
export const twinAdvertised = defineCheck({
  id: 'twin-advertised',
  technique: 'markdown-negotiation',
  topic: 'Links to markdown',
  titles: {
    pass: 'Pages point to their markdown (rel=alternate)',
    partial: 'Only some pages point to their markdown',
    fail: 'Pages do not point to their markdown',
  },
  causes: ['not-linked'],
  why: 'An agent that has the HTML need not guess where the markdown is.',
  reference: { title: 'RFC 8288: Web Linking', url: 'https://www.rfc-editor.org/rfc/rfc8288' },
  fix: ({ home }) => ({
    text: 'Name the markdown address in the head of each page, or in a Link header.',
    snippet: `<link rel="alternate" type="text/markdown" href="${customaryTwin(home)}">`,
    language: 'html',
  }),
  judge(evidence) {
    const pages = twinPages(evidence);
    if (!pages.some(({ exchange }) => advertisedTwin(exchange) !== null)) {
      pagesWithMarkdown(evidence);
    }
    return byShare(
      pages.flatMap(({ page, exchange }): Judged[] => {
        const named = advertisedTwin(exchange);
        if (named === null) {
          return [{ credit: 0, line: lineOf(exchange, 'The page names no alternate of type text/markdown.') }];
        }
        const twin = twinAnswerOf(evidence, page);
        if (twin === null) {
          return [];
        }
        const isThere = isMarkdownText(twin);
        const note = `The page names its markdown, and it is ${isThere ? '' : 'not '}there.`;
        return [{ credit: isThere ? 1 : 0, line: lineOf(exchange, note, { excerpt: named }) }];
      }),
      bareLine(evidence, 'The markdown addresses that pages name gave no answer, or are on another host.'),
    );
  },
});
