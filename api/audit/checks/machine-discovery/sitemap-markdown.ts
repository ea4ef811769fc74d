import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { llmsTxtOf } from '../../facts/llms-txt.ts';
import { markdownOf } from '../../facts/markdown.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, counted, lineOf } from '../../judging/lines.ts';
import { listOfPages } from '../../judging/own-pages.ts';
import { isApiHost, noPages } from '../../judging/sampled-pages.ts';
import { sitemapExchanges } from '../../judging/sitemaps.ts';
import { absent, fail, notApplicable, partial, pass, requireFile } from '../../judging/verdicts.ts';

/** Whether the list of pages can be read as text. */
export const sitemapMarkdown = defineCheck({
  id: 'sitemap-markdown',
  technique: 'machine-discovery',
  topic: 'Sitemap in markdown',
  titles: {
    pass: 'The sitemap can be read as markdown',
    partial: 'Only llms.txt lists the pages as text',
    fail: 'The sitemap cannot be read as markdown',
  },
  causes: ['sitemap-flawed'],
  why: 'A model reads a list of links with a line on each more easily than XML without titles.',
  reference: {
    title: 'The auditor that asks for it: @vercel/agent-readability',
    url: 'https://www.npmjs.com/package/@vercel/agent-readability',
  },
  contested:
    'One public auditor looks for /sitemap.md; no specification knows it, and a complete llms.txt says the same. Its weight is the smallest, and an llms.txt that lists at least twenty pages counts as half.',
  fix: (evidence) => ({
    text: 'Write /sitemap.md from the same list as sitemap.xml, by section, with a line on each page.',
    snippet: `# Sitemap\n\n## Pages\n\n${listOfPages(evidence)}`,
    language: 'markdown',
  }),
  judge(evidence) {
    if (isApiHost(evidence)) {
      return notApplicable(bareLine(evidence, noPages));
    }
    const file = requireFile(evidence, 'sitemap-md');
    if (isSuccess(file) && !isHtml(file) && !markdownOf(file).isHtml) {
      const count = markdownOf(file).links.length;
      const line = lineOf(file, `The file lists ${counted(count, 'link')}.`, { header: 'content-type' });
      return count === 0 ? fail(line) : pass(line);
    }
    if (sitemapExchanges(evidence).length === 0) {
      return absent('sitemap-valid', lineOf(file, 'There is no sitemap of any kind.'));
    }
    const index = evidence.exchanges['llms-txt'] ?? null;
    const listed = isSuccess(index) && !isHtml(index) ? llmsTxtOf(index).links.length : 0;
    return listed >= 20 && index !== null
      ? partial(
          lineOf(file, 'There is no sitemap.md.'),
          lineOf(index, `The llms.txt lists ${counted(listed, 'link')}.`),
        )
      : fail(lineOf(file, 'There is no sitemap.md.'));
  },
});
