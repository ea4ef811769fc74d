import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { llmsTxtOf } from '../../facts/llms-txt.ts';
import { isHtml } from '../../judging/gates.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { llmsTxtAnswer } from '../../judging/llms-txt.ts';
import { listOfPages } from '../../judging/own-pages.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

/** Whether there is an llms.txt of the right form. */
export const llmsTxtValid = defineCheck({
  id: 'llms-txt-valid',
  technique: 'llms-txt',
  topic: 'llms.txt',
  titles: {
    pass: 'llms.txt is there and has its form',
    partial: 'llms.txt is there, but lacks parts of its form',
    fail: 'There is no llms.txt',
  },
  causes: ['no-llms-txt', 'llms-txt-flawed'],
  why: 'An agent that reads one small file picks the right page on the first request.',
  reference: { title: 'llmstxt.org: format', url: 'https://llmstxt.org/#format' },
  contested:
    'Search engines say that they do not read llms.txt; coding agents and documentation tools do. All public auditors of agent-readiness look for it, and so do we.',
  fix: (evidence) => ({
    text: 'Write /llms.txt: a first-level heading, a quoted summary, sections with lists of links.',
    snippet: `# ${new URL(evidence.origin).host}\n\n> What the site is and for whom, in a sentence or two.\n\n## Pages\n\n${listOfPages(evidence)}`,
    language: 'markdown',
  }),
  judge(evidence) {
    const file = llmsTxtAnswer(evidence);
    const line = (note: string) =>
      lineOf(file, note, { header: 'content-type', excerpt: isSuccess(file) ? file.body.slice(0, 200) : undefined });
    if (!isSuccess(file)) {
      return fail(line('There is no llms.txt.'));
    }
    if (isHtml(file)) {
      return fail(line('An HTML page comes in place of the file.'));
    }
    const { problems, summary, sections, links } = llmsTxtOf(file);
    if (problems.length > 0) {
      const verdict = links.length > 0 ? partial(line(problems.join(' '))) : fail(line(problems.join(' ')));
      const title = links.length > 0 ? {} : { title: 'llms.txt is there, and is no index' };
      return { ...verdict, cause: 'llms-txt-flawed', ...title };
    }
    // The proposal requires the heading alone; an index that names nothing is of no use all the same.
    if (links.length === 0) {
      return { ...partial(line('The file has its heading, and names no page.')), cause: 'llms-txt-flawed' };
    }
    const parts = [
      'Heading',
      ...(summary === null ? [] : ['summary']),
      ...(sections.length === 0 ? [] : [counted(sections.length, 'section')]),
      counted(links.length, 'link'),
    ];
    return pass(line(`${parts.join(', ')}.`));
  },
});
