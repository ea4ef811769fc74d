import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { contentPages } from '../../judging/sampled-pages.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether the content begins before a reader gives up. */
export const contentStartsEarly = defineCheck({
  id: 'content-starts-early',
  technique: 'no-js-parity',
  topic: 'Start of the content',
  titles: {
    pass: 'Content starts early in the source',
    partial: 'Content starts late on some pages',
    fail: 'Content starts late in the source',
  },
  causes: ['page-weight'],
  why: 'What a reader meets first are menus, styles and inline data. A tool that cuts a page cuts its end, and that is where the content is then.',
  reference: {
    title: 'HTML Standard: the main element',
    url: 'https://html.spec.whatwg.org/multipage/grouping-content.html#the-main-element',
  },
  fix: () => ({
    text: 'Put main near the top of the body, and large inline styles, scripts and menus into files or after it.',
    snippet:
      '<body>\n  <a href="#content">Skip to the content</a>\n  <header>…</header>\n  <main id="content">…</main>\n</body>',
    language: 'html',
  }),
  judge(evidence) {
    const pages = contentPages(evidence);
    const judged = pages.flatMap(({ exchange, facts }): Judged[] => {
      const at = facts.contentStartsAt;
      if (at === null) {
        return [];
      }
      const share = at / Math.max(1, facts.characters);
      const isEarly = at <= 20_000 || (share <= 0.2 && at <= 60_000);
      const note = `The content starts at character ${at} of ${facts.characters}.`;
      return [{ credit: isEarly ? 1 : at <= 60_000 ? 0.5 : 0, line: lineOf(exchange, note) }];
    });
    const note = 'There is no main element, h1, article or long paragraph that would show where the content starts.';
    return byShare(judged, ...pages.slice(0, 1).map(({ exchange }) => lineOf(exchange, note)));
  },
});
