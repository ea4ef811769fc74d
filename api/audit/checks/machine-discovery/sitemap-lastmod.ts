import { defineCheck } from '../../check.ts';
import { sitemapOf } from '../../facts/sitemap.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { toMarkup } from '../../judging/own-pages.ts';
import { isApiHost, noPages } from '../../judging/sampled-pages.ts';
import { sitemapEntries, sitemapExchanges } from '../../judging/sitemaps.ts';
import { absent, fail, notApplicable, partial, pass, requireFile, unchecked } from '../../judging/verdicts.ts';

const w3cDate = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?)?)?$/;

/** Whether the sitemap says when pages changed. */
export const sitemapLastmod = defineCheck({
  id: 'sitemap-lastmod',
  technique: 'machine-discovery',
  topic: 'Dates in the sitemap',
  titles: {
    pass: 'The sitemap says when pages changed',
    partial: 'The sitemap dates only some pages',
    fail: 'The sitemap does not say when pages changed',
  },
  causes: ['sitemap-flawed'],
  why: 'With lastmod a reader fetches what is new and leaves the rest.',
  reference: { title: 'sitemaps.org: lastmod', url: 'https://www.sitemaps.org/protocol.html#xmlTagDefinitions' },
  fix: ({ home, startedAt }) => ({
    text: "Write each page's own last change, not the time of the build.",
    snippet: `<url><loc>${toMarkup(home)}</loc><lastmod>${startedAt.slice(0, 10)}</lastmod></url>`,
    language: 'xml',
  }),
  judge(evidence) {
    if (isApiHost(evidence)) {
      return notApplicable(bareLine(evidence, noPages));
    }
    const [first] = sitemapExchanges(evidence);
    const entries = sitemapEntries(evidence);
    if (first === undefined) {
      return absent('sitemap-valid', lineOf(requireFile(evidence, 'sitemap'), 'There is no sitemap.'));
    }
    if (entries.length === 0) {
      const line = lineOf(first, 'The sitemaps that were read list no page.');
      return sitemapOf(first).kind === 'index' ? unchecked(line) : absent('sitemap-valid', line);
    }
    const dated = entries.filter(({ lastmod }) => lastmod !== null && w3cDate.test(lastmod));
    const wrong = entries.find(({ lastmod }) => lastmod !== null && !w3cDate.test(lastmod));
    const note = `${dated.length} of ${entries.length} entries have a lastmod that reads as a W3C date.`;
    const line = lineOf(first, note, {
      excerpt:
        wrong === undefined
          ? `${entries[0]?.loc} ${entries[0]?.lastmod ?? '(no lastmod)'}`
          : `${wrong.loc} ${wrong.lastmod}`,
    });
    const share = dated.length / entries.length;
    return share >= 0.9 ? pass(line) : share >= 0.3 ? partial(line) : fail(line);
  },
});
