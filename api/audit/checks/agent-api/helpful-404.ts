import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import type { Evidence } from '../../evidence.ts';
import { isSuccess, mediaTypeOf } from '../../facts/headers.ts';
import { htmlOf } from '../../facts/html.ts';
import { markdownOf } from '../../facts/markdown.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { isSoft404 } from '../../judging/missing-page.ts';
import { addressOf } from '../../judging/own-address.ts';
import { isApiHost, noPages } from '../../judging/sampled-pages.ts';
import { absent, fail, notApplicable, partial, pass, requireVisible } from '../../judging/verdicts.ts';

/** A menu has at least this many of the site's own pages. */
const leastMenu = 3;

/** True when links lead to the home page, to an index or a search, or are a menu of the site. */
function leadsOn(evidence: Evidence, { url }: Exchange, links: { href: string; text: string }[]): boolean {
  const home = addressOf(evidence.home);
  const root = addressOf(evidence.origin);
  const own = links
    .filter(({ href }) => URL.canParse(href, url) && new URL(href, url).origin === evidence.origin)
    .map(({ href }) => addressOf(new URL(href, url).href));
  return (
    own.some((address) => address === home || address === root) ||
    new Set(own.filter((address) => address !== addressOf(url))).size >= leastMenu ||
    links.some(({ href, text }) => /llms\.txt|sitemap|search/i.test(`${href} ${text}`))
  );
}

/** Whether the answer to a missing page leads an agent on. */
export const helpful404 = defineCheck({
  id: 'helpful-404',
  technique: 'agent-api',
  topic: 'Help on missing pages',
  titles: {
    pass: 'A missing page leads on, in markdown',
    partial: 'A missing page leads on, but not in markdown',
    fail: 'A missing page leads nowhere',
  },
  causes: ['bare-404'],
  why: 'An agent with a stale address recovers in one request when the answer names the index, the sitemap or a search.',
  reference: {
    title: 'RFC 9110, section 15.5: an error explains itself',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5',
  },
  fix: ({ origin }) => ({
    text: 'Answer a missing page with status 404 in the type that was asked for, with links to the index and the sitemap.',
    snippet: `# Nothing is here\n\nThe address may be mistyped, or the page may have moved.\n\n- [Index for language models](${origin}/llms.txt)\n- [Sitemap](${origin}/sitemap.xml)\n- [Home](${origin}/)`,
    language: 'markdown',
  }),
  judge(evidence) {
    if (isApiHost(evidence)) {
      return notApplicable(bareLine(evidence, `${noPages} Its errors are judged by structured-errors.`));
    }
    const missing = requireVisible(evidence, 'missing-markdown');
    const line = (note: string) =>
      lineOf(missing, note, { header: 'content-type', excerpt: missing.body.slice(0, 400) });
    if (isSuccess(missing)) {
      const note = 'The status is no error, so that the body is taken for the page.';
      return isSoft404(evidence) ? absent('real-404', line(note)) : fail(line(note));
    }
    const isMarkdown = mediaTypeOf(missing) === 'text/markdown' && !markdownOf(missing).isHtml;
    const links = isHtml(missing) ? htmlOf(missing).links : markdownOf(missing).links;
    const leads = leadsOn(evidence, missing, links);
    if (isMarkdown && leads) {
      return pass(line('The answer is markdown and leads on.'));
    }
    if (isMarkdown || leads) {
      return partial(
        line(
          isMarkdown
            ? 'The answer is markdown and leads nowhere.'
            : 'The answer leads on, and is not markdown, which was asked for.',
        ),
      );
    }
    return fail(line('The answer is neither markdown nor does it lead on.'));
  },
});
