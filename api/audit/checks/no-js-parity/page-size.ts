import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { contentPages, servedPages } from '../../judging/sampled-pages.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

const goodCharacters = 300_000;
const mostCharacters = 1_000_000;

/** Whether a page fits into what agents read of it. */
export const pageSize = defineCheck({
  id: 'page-size',
  technique: 'no-js-parity',
  topic: 'Page size',
  titles: {
    pass: 'Pages have a size that agents read whole',
    partial: 'Some pages are longer than agents read',
    fail: 'Pages are longer than agents read',
  },
  causes: ['page-weight'],
  why: 'Fetch tools cut what they read, often at 100,000 characters of text or less. What comes after the cut is not read.',
  reference: {
    title: 'Google Search Central: Googlebot and the size of files',
    url: 'https://developers.google.com/search/docs/crawling-indexing/googlebot',
  },
  fix: () => ({
    text: 'Move inline data, styles and pictures into files, and divide very long pages.',
    snippet: '<link rel="stylesheet" href="/assets/site.css">\n<script type="module" src="/assets/site.js"></script>',
    language: 'html',
  }),
  judge(evidence) {
    const served = servedPages(evidence).filter(({ facts }) => facts.problem !== null || !facts.shell.likely);
    const judged = (served.length > 0 ? served : contentPages(evidence)).map(({ exchange, facts }): Judged => {
      if (facts.problem !== null) {
        return { credit: 0, line: lineOf(exchange, facts.problem) };
      }
      const isBig = facts.characters > mostCharacters || exchange.truncated;
      const isLong = facts.text.length > 100_000;
      const note = `${facts.characters} characters of source, ${facts.text.length} of them text${exchange.truncated ? ', cut at our limit' : ''}; up to ${goodCharacters} and 100000 are good.`;
      return {
        credit: isBig ? 0 : facts.characters > goodCharacters || isLong ? 0.5 : 1,
        line: lineOf(exchange, note),
      };
    });
    return byShare(judged);
  },
});
