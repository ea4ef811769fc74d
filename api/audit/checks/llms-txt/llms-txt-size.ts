import { defineCheck } from '../../check.ts';
import { llmsTxtOf } from '../../facts/llms-txt.ts';
import { lineOf } from '../../judging/lines.ts';
import { requireLlmsTxt } from '../../judging/llms-txt.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

/** Whether the index is small enough to be read first. */
export const llmsTxtSize = defineCheck({
  id: 'llms-txt-size',
  technique: 'llms-txt',
  topic: 'Size of llms.txt',
  titles: {
    pass: 'llms.txt has a size that can be read at once',
    partial: 'llms.txt is longer or shorter than is useful',
    fail: 'llms.txt is too long or nearly empty',
  },
  causes: ['llms-txt-flawed'],
  why: 'An index that fills the context leaves no room for what it points to.',
  reference: { title: 'llmstxt.org: background', url: 'https://llmstxt.org/#background' },
  fix: ({ origin }) => ({
    text: 'Keep the index under 50,000 characters. Put the whole text into llms-full.txt, and parts of a large site into an llms.txt of their own.',
    snippet: `## Parts\n\n- [Collection](${origin}/collection/llms.txt): the index of 4,000 objects`,
    language: 'markdown',
  }),
  judge(evidence) {
    const file = requireLlmsTxt(evidence);
    const { length } = file.body;
    const line = lineOf(file, `${length} characters; up to 50000 are good, up to 100000 are bearable.`);
    if (file.truncated || length > 100_000 || length < 50) {
      return fail(line);
    }
    // A site of three pages has a short index. Without a link, a short file says next to nothing.
    const isNearlyEmpty = length < 200 && llmsTxtOf(file).links.length === 0;
    return length > 50_000 || isNearlyEmpty ? partial(line) : pass(line);
  },
});
