import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { llmsTxtOf } from '../../facts/llms-txt.ts';
import { gaveNoAnswer, isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { byShare, fail, type Judged, requireFile, unchecked } from '../../judging/verdicts.ts';

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
    const file = requireFile(evidence, 'llms-txt');
    if (!isSuccess(file) || isHtml(file)) {
      return fail(lineOf(file, 'There is no llms.txt.'));
    }
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
      const own = llmsTxtOf(file).links.length;
      const line = lineOf(file, own === 0 ? 'There is no link.' : 'No link to this site could be followed.');
      return own === 0 || evidence.llmsLinks.length === 0 ? fail(line) : unchecked(line);
    }
    return byShare(judged);
  },
});
