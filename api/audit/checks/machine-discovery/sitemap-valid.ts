import { defineCheck, type EvidenceLine, type Verdict } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { sitemapOf } from '../../facts/sitemap.ts';
import { bareLine, excerptOf, lineOf } from '../../judging/lines.ts';
import { ownPages, toMarkup } from '../../judging/own-pages.ts';
import { isApiHost, noPages } from '../../judging/sampled-pages.ts';
import { sitemapEntries, sitemapExchanges } from '../../judging/sitemaps.ts';
import { fail, notApplicable, pass, requireFile } from '../../judging/verdicts.ts';

const flawed = (status: 'partial' | 'fail', ...evidence: EvidenceLine[]): Verdict => ({
  status,
  evidence,
  cause: 'sitemap-flawed',
  ...(status === 'fail' ? { title: 'The sitemap lists no page of this site' } : {}),
});

/** Whether there is a sitemap that lists pages of the site. */
export const sitemapValid = defineCheck({
  id: 'sitemap-valid',
  technique: 'machine-discovery',
  topic: 'Sitemap',
  titles: {
    pass: 'There is a sitemap, and it lists this site',
    partial: 'The sitemap is incomplete or lists other sites',
    fail: 'There is no sitemap for this site',
  },
  causes: ['no-sitemap', 'sitemap-flawed'],
  why: 'It is how a client learns of all pages without following every link.',
  reference: { title: 'sitemaps.org: protocol', url: 'https://www.sitemaps.org/protocol.html' },
  fix(evidence) {
    const urls = ownPages(evidence)
      .map(({ url }) => `  <url><loc>${toMarkup(url)}</loc><lastmod>${evidence.startedAt.slice(0, 10)}</lastmod></url>`)
      .join('\n');
    return {
      text: 'Make /sitemap.xml from the list of pages at build time.',
      snippet: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>`,
      language: 'xml',
    };
  },
  judge(evidence) {
    if (isApiHost(evidence)) {
      return notApplicable(bareLine(evidence, noPages));
    }
    const found = sitemapExchanges(evidence);
    if (found.length === 0) {
      const usual = requireFile(evidence, 'sitemap');
      return fail(
        lineOf(usual, isSuccess(usual) ? 'What came is no sitemap.' : 'There is no sitemap.', {
          header: 'content-type',
        }),
      );
    }
    const lines = found.slice(0, 4).map((exchange) =>
      lineOf(exchange, `${sitemapOf(exchange).kind}, entries: ${sitemapOf(exchange).entries.length}.`, {
        header: 'content-type',
      }),
    );
    const entries = sitemapEntries(evidence);
    if (entries.length === 0) {
      const isIndex = found.some((exchange) => sitemapOf(exchange).kind === 'index');
      return isIndex
        ? flawed(
            'partial',
            ...lines,
            bareLine(evidence, 'The sitemaps that the index names list no page, as far as they were read.'),
          )
        : flawed('fail', ...lines, bareLine(evidence, 'No page is listed.'));
    }
    const own = new URL(evidence.origin).host.replace(/^www\./, '');
    const strangers = entries.filter(
      ({ loc }) => !URL.canParse(loc) || new URL(loc).host.replace(/^www\./, '') !== own,
    );
    if (strangers.length === entries.length) {
      return flawed(
        'fail',
        ...lines,
        bareLine(evidence, `All addresses are of another origin, the first ${excerptOf(strangers[0]?.loc ?? '')}.`),
      );
    }
    return strangers.length > 0
      ? flawed(
          'partial',
          ...lines,
          bareLine(
            evidence,
            `${strangers.length} of ${entries.length} addresses are relative or of another origin, the first ${excerptOf(strangers[0]?.loc ?? '')}.`,
          ),
        )
      : pass(...lines);
  },
});
