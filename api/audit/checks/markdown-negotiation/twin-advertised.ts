import { defineCheck } from '../../check.ts';
import { customaryTwin } from '../../evidence/pages.ts';
import { linkHeaderOf } from '../../facts/headers.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import type { ReadPage } from '../../judging/sampled-pages.ts';
import { isMarkdownText, pagesWithMarkdown, twinAnswerOf, twinPages } from '../../judging/twins.ts';
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
    if (!pages.some((page) => alternateOf(page) !== undefined)) {
      pagesWithMarkdown(evidence);
    }
    return byShare(
      pages.flatMap(({ page, exchange, facts }): Judged[] => {
        const named = alternateOf({ exchange, facts });
        if (named === undefined) {
          return [{ credit: 0, line: lineOf(exchange, 'The page names no alternate of type text/markdown.') }];
        }
        const twin = twinAnswerOf(evidence, page);
        if (twin === null) {
          return [];
        }
        const isThere = isMarkdownText(twin);
        const note = `The page names its markdown, and it is ${isThere ? '' : 'not '}there.`;
        return [{ credit: isThere ? 1 : 0, line: lineOf(exchange, note, { excerpt: named.href }) }];
      }),
      bareLine(evidence, 'The markdown addresses that pages name gave no answer, or are on another host.'),
    );
  },
});

const alternateOf = ({ exchange, facts }: Pick<ReadPage, 'exchange' | 'facts'>): { href: string } | undefined =>
  [...linkHeaderOf(exchange), ...facts.headLinks].find(
    (link) => link.rel.includes('alternate') && link.type === 'text/markdown',
  );
