import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { judgeContent } from '../../judging/sampled-pages.ts';

/** Whether the headings make an outline. */
export const headings = defineCheck({
  id: 'headings',
  technique: 'accessibility-tree',
  topic: 'Headings',
  titles: {
    pass: 'One h1, and headings in order',
    partial: 'Headings are out of order on some pages',
    fail: 'Pages have no first-level heading',
  },
  causes: ['page-structure'],
  why: 'Headings are the outline by which an agent cuts a page into parts and cites one of them.',
  reference: {
    title: 'WCAG 2.2, success criterion 1.3.1: info and relationships',
    url: 'https://www.w3.org/TR/WCAG22/#info-and-relationships',
  },
  contested:
    'The HTML Standard allows several first-level headings and WCAG asks for none. Two of the public auditors want exactly one. We want one, and count a skipped level as half.',
  fix: () => ({
    text: 'Give each page one h1 that names it, and go down one level at a time.',
    snippet: '<h1>Opening hours</h1>\n<h2>In winter</h2>\n<h3>Holidays</h3>',
    language: 'html',
  }),
  judge: (evidence) =>
    judgeContent(evidence, ({ exchange, facts }) => {
      const firsts = facts.headings.filter((heading) => heading.level === 1).length;
      const skip = facts.headings.find((heading, index) => {
        const before = facts.headings[index - 1];
        return before !== undefined && heading.level > before.level + 1;
      });
      const outline = facts.headings
        .slice(0, 8)
        .map((heading) => `h${heading.level} ${heading.text.slice(0, 40)}`)
        .join(' · ');
      const note =
        firsts !== 1
          ? `The page has ${firsts} first-level headings.`
          : skip !== undefined
            ? `The order skips a level before h${skip.level} "${skip.text.slice(0, 60)}".`
            : 'One h1, and no level is skipped.';
      return {
        credit: firsts === 0 ? 0 : firsts > 1 || skip !== undefined ? 0.5 : 1,
        line: lineOf(exchange, note, { excerpt: outline }),
      };
    }),
});
