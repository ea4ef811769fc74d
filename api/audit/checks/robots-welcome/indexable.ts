import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { htmlOf } from '../../facts/html.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { byShare, type Judged, requireVisible, unchecked } from '../../judging/verdicts.ts';

/** True for directives that keep a page out of every index: those after the name of one crawler are for it alone. */
function forbidsIndex(directives: string): boolean {
  for (const part of directives.slice(0, 2000).split(',')) {
    const [name = '', value] = part.split(':').map((piece) => piece.trim().toLowerCase());
    if (value !== undefined && !/^(?:max-|unavailable_after)/.test(name)) {
      return false;
    }
    if (name === 'noindex' || name === 'none') {
      return true;
    }
  }
  return false;
}

/** Whether pages are kept out of indexes, as happens with settings left over from a test. */
export const indexable = defineCheck({
  id: 'indexable',
  technique: 'robots-welcome',
  topic: 'noindex',
  titles: {
    pass: 'No accidental noindex',
    partial: 'Some pages ask to be kept out of indexes',
    fail: 'All pages ask to be kept out of indexes',
  },
  causes: ['noindex'],
  why: 'A noindex left over from staging takes a page out of every index that agents search.',
  reference: {
    title: 'Google Search Central: robots meta tag and X-Robots-Tag',
    url: 'https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag',
  },
  contested:
    'Some sites put noindex on their markdown twins, so that search engines list the HTML alone. That is judged here for HTML pages only.',
  fix: () => ({
    text: 'Remove the directive from the template or the header of the pages that are listed in the sitemap.',
    snippet: '<meta name="robots" content="index, follow">',
    language: 'html',
  }),
  judge(evidence) {
    const judged = evidence.pages.flatMap((page): Judged[] => {
      const exchange = evidence.exchanges[page.html] ?? null;
      if (!isSuccess(exchange)) {
        return [];
      }
      const meta = isHtml(exchange) ? (htmlOf(exchange).meta['robots'] ?? '') : '';
      const headers = exchange.headers['x-robots-tag'] ?? [];
      const bad = [...headers, meta].find(forbidsIndex);
      const line = lineOf(
        exchange,
        bad === undefined ? 'Nothing forbids an index.' : 'The page is kept out of indexes.',
        {
          ...(headers.length === 0 ? {} : { header: 'x-robots-tag' }),
          excerpt: meta === '' ? undefined : `<meta name="robots" content="${meta}">`,
        },
      );
      return [{ credit: bad === undefined ? 1 : 0, line }];
    });
    if (judged.length === 0) {
      requireVisible(evidence, 'home');
      return unchecked(bareLine(evidence, 'No page answered.'));
    }
    return byShare(judged);
  },
});
