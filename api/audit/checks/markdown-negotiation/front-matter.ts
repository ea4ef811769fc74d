import { defineCheck } from '../../check.ts';
import { linkHeaderOf } from '../../facts/headers.ts';
import { markdownOf } from '../../facts/markdown.ts';
import { lineOf } from '../../judging/lines.ts';
import { pagesWithMarkdown } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

const wanted: [what: string, keys: string[]][] = [
  ['a title', ['title']],
  ['a description', ['description', 'summary']],
  ['the address', ['url', 'canonical', 'canonical_url', 'source', 'permalink']],
  ['the day of the last change', ['updated', 'last_updated', 'lastmod', 'modified', 'date', 'last-updated']],
];

/** Whether the markdown says what it is of. */
export const frontMatter = defineCheck({
  id: 'front-matter',
  technique: 'markdown-negotiation',
  topic: 'Front matter',
  titles: {
    pass: 'Markdown says what it is: title, description, address, date',
    partial: 'Markdown says only in part what it is',
    fail: 'Markdown does not say what it is',
  },
  causes: ['markdown-differs'],
  why: 'Text that was taken out of its page keeps its source and its age.',
  reference: { title: 'Jekyll: front matter', url: 'https://jekyllrb.com/docs/front-matter/' },
  contested:
    'Front matter is a habit of site generators and no part of CommonMark: a strict parser shows it as a rule and text. One public auditor asks for it. We ask for it at a small weight, and take a Link header with rel="canonical" for the address.',
  fix: ({ home, startedAt }) => ({
    text: 'Begin each markdown text with these four.',
    snippet: `---\ntitle: What the page is called\ndescription: What it says, in a sentence.\nurl: ${home}\nupdated: ${startedAt.slice(0, 10)}\n---`,
    language: 'yaml',
  }),
  judge(evidence) {
    const judged = pagesWithMarkdown(evidence).flatMap(({ markdown }): Judged[] => {
      const given = markdownOf(markdown).frontMatter;
      const hasCanonical = linkHeaderOf(markdown).some((link) => link.rel.includes('canonical'));
      const missing = wanted.filter(
        ([what, keys]) => !keys.some((key) => (given?.[key] ?? '') !== '') && !(what === 'the address' && hasCanonical),
      );
      const note =
        given === null
          ? 'There is no front matter.'
          : missing.length === 0
            ? 'All four are there.'
            : `Missing: ${missing.map(([what]) => what).join(', ')}.`;
      return [
        {
          credit: missing.length === 0 ? 1 : given !== null && missing.length <= 2 ? 0.5 : 0,
          line: lineOf(markdown, note, { excerpt: markdown.body.slice(0, 200) }),
        },
      ];
    });
    return byShare(judged);
  },
});
