import { defineCheck, type EvidenceLine, type Verdict } from '../../check.ts';
import { isSuccess, mediaTypeOf } from '../../facts/headers.ts';
import { robotsOf } from '../../facts/robots.ts';
import { isHtml } from '../../judging/gates.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { fail, partial, pass, requireVisible } from '../../judging/verdicts.ts';

const flawed = (line: EvidenceLine): Verdict => ({ ...partial(line), cause: 'robots-txt-silent' });

/** Whether there is a robots.txt that can be read. */
export const robotsValid = defineCheck({
  id: 'robots-valid',
  technique: 'robots-welcome',
  topic: 'robots.txt',
  titles: {
    pass: 'robots.txt is there and valid',
    partial: 'robots.txt has lines that do not parse',
    fail: 'There is no valid robots.txt',
  },
  causes: ['no-robots-txt', 'robots-txt-silent'],
  why: 'It is the first file that a well-behaved crawler reads. A line that does not parse is a rule that nobody keeps.',
  reference: { title: 'RFC 9309: Robots Exclusion Protocol', url: 'https://www.rfc-editor.org/rfc/rfc9309' },
  fix: ({ origin }) => ({
    text: 'Serve /robots.txt as text/plain with a group for everyone.',
    snippet: `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml`,
    language: 'text',
  }),
  judge(evidence) {
    const robots = requireVisible(evidence, 'robots');
    const line = (note: string, excerpt?: string) => lineOf(robots, note, { header: 'content-type', excerpt });
    if (robots.status !== null && robots.status >= 500) {
      return fail(line('The server failed. Crawlers take that as a ban on everything (RFC 9309 section 2.3.1.4).'));
    }
    if (!isSuccess(robots)) {
      return fail(line('There is no robots.txt.'));
    }
    if (isHtml(robots)) {
      return fail(line('An HTML page comes in place of the file.', robots.body.slice(0, 120)));
    }
    const facts = robotsOf(robots);
    if (facts.groups.length === 0 && facts.sitemaps.length === 0) {
      return fail(line('The file has neither a User-agent line nor a Sitemap line.', robots.body.slice(0, 120)));
    }
    const bad = facts.invalidLines[0];
    if (bad !== undefined) {
      return flawed(line(`Line ${bad.line} ${bad.reason}; ${facts.invalidLines.length} such in all.`, bad.text));
    }
    if (mediaTypeOf(robots) !== 'text/plain') {
      return flawed(line('The type is not text/plain, as RFC 9309 section 2.3 has it.'));
    }
    return facts.cut
      ? flawed(line('The file is longer than readers must read (500 KiB).'))
      : pass(
          line(
            `${counted(facts.groups.length, 'group')}, ${counted(facts.sitemaps.length, 'sitemap')}, and every line parses.`,
          ),
        );
  },
});
