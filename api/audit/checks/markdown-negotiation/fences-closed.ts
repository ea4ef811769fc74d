import { defineCheck } from '../../check.ts';
import { markdownOf } from '../../facts/markdown.ts';
import { lineOf } from '../../judging/lines.ts';
import { pagesWithMarkdown } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether code blocks end where they should. */
export const fencesClosed = defineCheck({
  id: 'fences-closed',
  technique: 'markdown-negotiation',
  topic: 'Code fences in markdown',
  titles: {
    pass: 'Code fences are closed, and nothing is cut',
    partial: 'Some markdown has an open code fence or is cut',
    fail: 'Markdown has an open code fence or is cut',
  },
  causes: ['markdown-differs'],
  why: 'After a fence that never closes all that follows is code, headings and links included.',
  reference: {
    title: 'CommonMark 0.31.2: fenced code blocks',
    url: 'https://spec.commonmark.org/0.31.2/#fenced-code-blocks',
  },
  fix: () => ({
    text: 'Close the fence. Where code itself holds a fence, open with one more mark.',
    snippet: '````markdown\n```sh\nls\n```\n````',
    language: 'markdown',
  }),
  judge(evidence) {
    const judged = pagesWithMarkdown(evidence).flatMap(({ markdown }): Judged[] => {
      const line = markdownOf(markdown).unclosedFence;
      const isWhole = line === null && !markdown.truncated;
      const note =
        line !== null
          ? `The fence of line ${line} never closes.`
          : markdown.truncated
            ? `The text is longer than is read in one fetch (${markdown.bodyBytes} bytes).`
            : 'All fences close, and the text is whole.';
      const excerpt =
        line === null
          ? undefined
          : markdown.body
              .split('\n')
              .slice(line - 1, line + 2)
              .join(' ');
      return [{ credit: isWhole ? 1 : 0, line: lineOf(markdown, note, { excerpt }) }];
    });
    return byShare(judged);
  },
});
