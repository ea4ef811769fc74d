import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { llmsTxtOf } from '../../facts/llms-txt.ts';
import { gaveNoAnswer } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { requireLlmsTxt } from '../../judging/llms-txt.ts';
import { byShare, fail, type Judged, notApplicable, unchecked } from '../../judging/verdicts.ts';

/** Whether the links of the index lead somewhere. */
export const llmsTxtLinks = defineCheck({
  id: 'llms-txt-links',
  technique: 'llms-txt',
  topic: 'Links of llms.txt',
  titles: {
    pass: 'Links of llms.txt lead to pages that are there',
    partial: 'Some links of llms.txt lead nowhere',
    fail: 'Links of llms.txt lead nowhere',
  },
  causes: ['llms-txt-flawed'],
  why: 'A stale index is worse than none: each dead link costs a request and an explanation.',
  reference: { title: 'llmstxt.org: format', url: 'https://llmstxt.org/#format' },
  fix: ({ origin }) => ({
    text: 'Make llms.txt from the same list as the pages, and have the build fail on a link that leads nowhere.',
    snippet: `curl -s ${origin}/llms.txt | grep -o '](http[^)]*)' | tr -d '()]' |\n  xargs -I{} curl -s -o /dev/null -w '%{http_code} {}\\n' {}`,
    language: 'sh',
  }),
  judge(evidence) {
    const file = requireLlmsTxt(evidence);
    const judged = evidence.llmsLinks.flatMap(({ name }): Judged[] => {
      const exchange = evidence.exchanges[name];
      return exchange === undefined || gaveNoAnswer(exchange)
        ? []
        : [
            {
              credit: isSuccess(exchange) ? 1 : 0,
              line: lineOf(exchange, isSuccess(exchange) ? 'The link leads to a page.' : 'The link leads nowhere.'),
            },
          ];
    });
    if (judged.length === 0) {
      const { length } = llmsTxtOf(file).links;
      if (length === 0) {
        return notApplicable(lineOf(file, 'The file names no page.'));
      }
      return evidence.llmsLinks.length === 0
        ? fail(lineOf(file, 'No link leads to this site.'))
        : unchecked(lineOf(file, 'No link to this site came to an answer.'));
    }
    return byShare(judged);
  },
});
