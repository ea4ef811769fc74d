import { defineCheck } from '../../check.ts';
import { isSuccess, mediaTypeOf } from '../../facts/headers.ts';
import { lineOf } from '../../judging/lines.ts';
import { negotiatingPages } from '../../judging/twins.ts';
import { fail, pass, requireVisible } from '../../judging/verdicts.ts';

/** Whether a type that is refused is left out. */
export const qZero = defineCheck({
  id: 'q-zero',
  technique: 'markdown-negotiation',
  topic: 'Refusals in Accept',
  titles: {
    pass: 'A type with q=0 is not sent',
    partial: 'A type with q=0 is sent at times',
    fail: 'A type with q=0 is sent all the same',
  },
  causes: ['negotiation'],
  why: 'q=0 is how a client says that it cannot read a type. A word search sends it that very type.',
  reference: {
    title: 'RFC 9110, section 12.4.2: a value of 0 means "not acceptable"',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2',
  },
  fix: () => ({
    text: 'Choose with a library that knows quality values.',
    snippet:
      "import Negotiator from 'negotiator';\n\nconst type = new Negotiator(request).mediaType(['text/html', 'text/markdown']) ?? 'text/html';",
    language: 'js',
  }),
  judge(evidence) {
    negotiatingPages(evidence);
    const refused = requireVisible(evidence, 'home-markdown-refused');
    const came = mediaTypeOf(refused) === 'text/markdown' && isSuccess(refused);
    const line = lineOf(refused, came ? 'Markdown was refused and came.' : 'Markdown was refused and did not come.', {
      header: 'content-type',
    });
    return came ? fail(line) : pass(line);
  },
});
