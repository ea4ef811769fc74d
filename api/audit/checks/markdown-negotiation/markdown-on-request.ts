import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import { mediaTypeOf } from '../../facts/headers.ts';
import { isMarkdown } from '../../facts/markdown.ts';
import { nginxLines } from '../../fixes/platforms/nginx.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { twinPages } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether a page answers in markdown when markdown is asked for. */
export const markdownOnRequest = defineCheck({
  id: 'markdown-on-request',
  technique: 'markdown-negotiation',
  topic: 'Markdown by Accept',
  titles: {
    pass: 'Markdown comes when an agent asks for it',
    partial: 'Markdown comes for some pages only',
    fail: 'No markdown when an agent asks for it',
  },
  causes: ['no-markdown', 'negotiation'],
  why: 'The address that a person shares is the address that an agent reads, at a fraction of the bytes.',
  reference: {
    title: 'RFC 9110, section 12.5.1: Accept',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1',
  },
  contested:
    'Some services send markdown by the User-Agent alone. RFC 9110 knows the Accept header for this, and a client that names itself truly should get what it asks for. We judge by Accept and give nothing for markdown by User-Agent.',
  fix: () => ({
    text: 'Write a markdown file next to each page at build time, and choose by Accept.',
    snippet: nginxLines.negotiation,
    language: 'nginx',
  }),
  judge(evidence) {
    const pages = twinPages(evidence);
    const judged = pages.flatMap(({ asked }): Judged[] =>
      asked === null
        ? []
        : [
            {
              credit: isMarkdown(asked) ? 1 : 0,
              line: lineOf(asked, noteOn(asked), { header: 'content-type', excerpt: asked.body.slice(0, 120) }),
            },
          ],
    );
    const verdict = byShare(judged, bareLine(evidence, 'No request for markdown came to an answer.'));
    return pages.some(({ markdown }) => markdown !== null) ? { ...verdict, cause: 'negotiation' } : verdict;
  },
});

function noteOn(asked: Exchange): string {
  if (isMarkdown(asked)) {
    return 'Markdown came.';
  }
  return mediaTypeOf(asked) === 'text/markdown'
    ? 'The type says markdown and the body is HTML, or the status is an error.'
    : `Markdown was asked for, and ${mediaTypeOf(asked) ?? 'an answer without a type'} came.`;
}
