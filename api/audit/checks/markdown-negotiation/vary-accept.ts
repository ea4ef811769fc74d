import { defineCheck } from '../../check.ts';
import { tokensOf } from '../../facts/headers.ts';
import { lineOf } from '../../judging/lines.ts';
import { negotiatingPages } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether caches learn that the answer depends on Accept. */
export const varyAccept = defineCheck({
  id: 'vary-accept',
  technique: 'markdown-negotiation',
  topic: 'Vary: Accept',
  titles: {
    pass: 'Vary: Accept on both representations',
    partial: 'Vary: Accept is missing on some answers',
    fail: 'Vary: Accept is missing',
  },
  causes: ['negotiation'],
  why: 'Without it a shared cache hands markdown to a browser, or HTML to an agent.',
  reference: { title: 'RFC 9110, section 12.5.5: Vary', url: 'https://www.rfc-editor.org/rfc/rfc9110#section-12.5.5' },
  fix: () => ({
    text: 'Send Vary: Accept with each response of an address that negotiates, the HTML included.',
    snippet: 'add_header Vary Accept always;',
    language: 'nginx',
  }),
  judge(evidence) {
    return byShare(
      negotiatingPages(evidence).flatMap(({ exchange, asked }) =>
        [exchange, asked].map((one): Judged => {
          const tokens = tokensOf(one, 'vary');
          const says = tokens.includes('accept') || tokens.includes('*');
          return {
            credit: says ? 1 : 0,
            line: lineOf(one, says ? 'Caches are told.' : 'Caches are not told that Accept decides.', {
              header: 'vary',
            }),
          };
        }),
      ),
    );
  },
});
