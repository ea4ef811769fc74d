import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import type { Evidence } from '../../evidence.ts';
import { isSuccess } from '../../facts/headers.ts';
import { htmlOf } from '../../facts/html.ts';
import { llmsTxtOf } from '../../facts/llms-txt.ts';
import { isHtml } from '../../judging/gates.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { requireLlmsTxt } from '../../judging/llms-txt.ts';
import { listOfPages } from '../../judging/own-pages.ts';
import { sitemapEntries } from '../../judging/sitemaps.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const partOf = (address: string, base: string): string | null =>
  URL.canParse(address, base)
    ? (new URL(address, base).pathname.split('/')[1] ?? '').replace(/\.(?:md|mdx|html?)$/, '').replace(/^index$/, '')
    : null;

/** The first-level headings of the sampled pages. */
const titlesOf = (evidence: Evidence): string[] =>
  evidence.pages.flatMap(({ html }) => {
    const exchange = evidence.exchanges[html] ?? null;
    const title =
      isSuccess(exchange) && isHtml(exchange) ? htmlOf(exchange).headings.find(({ level }) => level === 1) : null;
    return title?.text ? [title.text] : [];
  });

/** A text file that the index leads to and that holds every sampled page, known by its first heading; null without one. */
function wholeText(evidence: Evidence): Exchange | null {
  const titles = titlesOf(evidence);
  if (titles.length < 2) {
    return null;
  }
  const files = evidence.llmsLinks
    .map(({ name }) => evidence.exchanges[name] ?? null)
    .filter((exchange) => isSuccess(exchange) && !isHtml(exchange) && /\.txt$/.test(new URL(exchange.url).pathname));
  return (
    files.find((file) => {
      const headings = new Set(
        (file?.body ?? '').match(/^#{1,3} .+$/gm)?.map((line) => line.replace(/^#+ /, '').trim()),
      );
      return titles.every((title) => headings.has(title));
    }) ?? null
  );
}

/** Whether the index speaks of the whole site. */
export const llmsTxtCovers = defineCheck({
  id: 'llms-txt-covers',
  technique: 'llms-txt',
  topic: 'Coverage of llms.txt',
  titles: {
    pass: 'llms.txt covers the parts of the site',
    partial: 'llms.txt leaves out parts of the site',
    fail: 'llms.txt leaves out most of the site',
  },
  causes: ['llms-txt-flawed'],
  why: 'What the index leaves out does not exist for a reader who trusts it.',
  reference: { title: 'llmstxt.org: proposal', url: 'https://llmstxt.org/#proposal' },
  fix: (evidence) => ({
    text: 'List at least one page of each part of the site.',
    snippet: `## Pages\n\n${listOfPages(evidence)}`,
    language: 'markdown',
  }),
  judge(evidence) {
    const file = requireLlmsTxt(evidence);
    const { host } = new URL(evidence.origin);
    const links = llmsTxtOf(file)
      .links.map(({ href }) => href)
      .filter((href) => URL.canParse(href, file.url) && new URL(href, file.url).host === host);
    const named = new Set(links.map((href) => partOf(href, file.url)));
    const home = evidence.exchanges['home'] ?? null;
    const listed = sitemapEntries(evidence).map(({ loc }) => loc);
    const known =
      listed.length > 0 ? listed : isSuccess(home) && isHtml(home) ? htmlOf(home).links.map(({ href }) => href) : [];
    const parts = [
      ...new Set(
        known
          .filter((loc) => URL.canParse(loc) && new URL(loc).host === host)
          .map((loc) => partOf(loc, evidence.origin)),
      ),
    ].filter((part): part is string => part !== null && part !== '' && part !== '404');
    if (parts.length === 0) {
      return links.length > 0
        ? pass(lineOf(file, `${counted(links.length, 'link')}; the site has no other part.`))
        : fail(lineOf(file, 'There is no link to this site.'));
    }
    const whole = wholeText(evidence);
    if (whole !== null) {
      return pass(lineOf(whole, 'The index leads to this file, and all sampled pages are in it.'));
    }
    const left = parts.filter((part) => !named.has(part)).sort();
    const share = 1 - left.length / parts.length;
    const excerpt =
      left.length === 0
        ? undefined
        : `left out: ${left
            .slice(0, 8)
            .map((part) => `/${part}`)
            .join(' ')}`;
    const line = lineOf(
      file,
      `${parts.length - left.length} of ${parts.length} parts of the site are named, with ${counted(links.length, 'link')}.`,
      { excerpt },
    );
    return share >= 0.8 || links.length >= 100
      ? pass(line)
      : share >= 0.4 || links.length >= 30
        ? partial(line)
        : fail(line);
  },
});
