import { defineCheck } from '../../check.ts';
import { namedExchanges } from '../../evidence/exchange-name.ts';
import { isSuccess } from '../../facts/headers.ts';
import { robotsOf } from '../../facts/robots.ts';
import { isGone } from '../../judging/advertisements.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { isApiHost, noPages } from '../../judging/sampled-pages.ts';
import { sitemapExchanges } from '../../judging/sitemaps.ts';
import { absent, fail, notApplicable, partial, pass, requireFile } from '../../judging/verdicts.ts';

/** Whether robots.txt leads to the sitemap. */
export const sitemapInRobots = defineCheck({
  id: 'sitemap-in-robots',
  technique: 'robots-welcome',
  topic: 'Sitemap line',
  titles: {
    pass: 'robots.txt names the sitemap',
    partial: 'robots.txt names the sitemap by a relative address',
    fail: 'robots.txt does not name the sitemap',
  },
  causes: ['robots-txt-silent'],
  why: 'It is the one place where every crawler looks for it.',
  reference: {
    title: 'sitemaps.org: specifying the location in robots.txt',
    url: 'https://www.sitemaps.org/protocol.html#submit_robots',
  },
  fix: ({ origin }) => ({
    text: 'Add the absolute address of the sitemap.',
    snippet: `Sitemap: ${origin}/sitemap.xml`,
    language: 'text',
  }),
  judge(evidence) {
    const robots = requireFile(evidence, 'robots');
    if (isApiHost(evidence)) {
      return notApplicable(bareLine(evidence, noPages));
    }
    if (!isSuccess(robots) || isHtml(robots)) {
      return absent('robots-valid', lineOf(robots, 'There is no robots.txt.'));
    }
    const [first] = robotsOf(robots).sitemaps;
    if (sitemapExchanges(evidence).length === 0) {
      const usual = requireFile(evidence, 'sitemap');
      return absent('sitemap-valid', lineOf(usual, 'There is no sitemap to name.'));
    }
    if (first === undefined) {
      return fail(lineOf(robots, 'There is no Sitemap line.'));
    }
    const excerpt = `Sitemap: ${first}`;
    if (!URL.canParse(first)) {
      return partial(lineOf(robots, 'The address is not absolute.', { excerpt }));
    }
    const found = namedExchanges(evidence.exchanges).find(
      ([, { request }]) => request.url === new URL(first).href,
    )?.[1];
    if (found !== undefined && isGone(found)) {
      return fail(lineOf(robots, 'A sitemap is named.', { excerpt }), lineOf(found, 'It is not there.'));
    }
    return pass(lineOf(robots, 'The sitemap is named.', { excerpt }));
  },
});
