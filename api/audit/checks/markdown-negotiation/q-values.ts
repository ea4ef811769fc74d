import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { isMarkdown } from '../../facts/markdown.ts';
import { isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { negotiatingPages } from '../../judging/twins.ts';
import { fail, pass, requireVisible } from '../../judging/verdicts.ts';

/** Whether preferences between types are honoured. */
export const qValues = defineCheck({
  id: 'q-values',
  technique: 'markdown-negotiation',
  topic: 'Preferences in Accept',
  titles: {
    pass: 'Preferences (q-values) are honoured',
    partial: 'Preferences (q-values) are honoured in part',
    fail: 'Preferences (q-values) are ignored',
  },
  causes: ['negotiation'],
  why: 'A client that reads both says which it likes better. A server that looks for the word "markdown" in the header gets that wrong.',
  reference: {
    title: 'RFC 9110, section 12.4.2: quality values',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2',
  },
  fix: () => ({
    text: 'Choose with a library that knows quality values, in place of a search for a word.',
    snippet:
      "import Negotiator from 'negotiator';\n\nconst type = new Negotiator(request).mediaType(['text/html', 'text/markdown']);",
    language: 'js',
  }),
  judge(evidence) {
    negotiatingPages(evidence);
    const html = requireVisible(evidence, 'home-html-preferred');
    const good = isSuccess(html) && isHtml(html);
    const markdown = requireVisible(evidence, 'home-markdown');
    const lines = [
      lineOf(html, good ? 'HTML was liked better and came.' : 'HTML was liked better and did not come.', {
        header: 'content-type',
      }),
      lineOf(
        markdown,
        isMarkdown(markdown)
          ? 'Markdown alone was asked for and came.'
          : 'Markdown alone was asked for and did not come.',
        { header: 'content-type' },
      ),
    ];
    return good ? pass(...lines) : fail(...lines);
  },
});
