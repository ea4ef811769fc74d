import { defineCheck, type Verdict } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { redirectStub } from '../../judging/redirect-stub.ts';
import { homeThatIsNoPage, pagesToJudge } from '../../judging/sampled-pages.ts';
import { byShare, capped, fail, type Judged } from '../../judging/verdicts.ts';

/** Whether the content is in the HTML that the server sends. */
export const contentWithoutScripts = defineCheck({
  id: 'content-without-scripts',
  technique: 'no-js-parity',
  topic: 'Content without scripts',
  titles: {
    pass: 'Content is there without JavaScript',
    partial: 'Some pages are empty without JavaScript',
    fail: 'Pages are empty without JavaScript',
  },
  causes: ['content-needs-scripts', 'no-page', 'script-redirect'],
  why: 'Most crawlers and fetch tools of AI systems run no scripts: what is not in the first response does not exist for them.',
  reference: {
    title: 'MDN: progressive enhancement',
    url: 'https://developer.mozilla.org/en-US/docs/Glossary/Progressive_Enhancement',
  },
  fix: () => ({
    text: 'Render the pages on the server or at build time, and let scripts add to what is there.',
    snippet:
      '<!-- in place of an empty mount point -->\n<main id="app">\n  <h1>Opening hours</h1>\n  <p>Monday to Friday, 9 to 17 h.</p>\n</main>',
    language: 'html',
  }),
  judge(evidence) {
    const other = homeThatIsNoPage(evidence);
    if (other !== null) {
      const note = 'The home address answers with something that is not a page.';
      const line = lineOf(other, note, { header: 'content-type', excerpt: other.body.slice(0, 120) });
      const title = 'The home address answers with something that is not a page';
      return { ...capped(fail(line), 15), cause: 'no-page', title };
    }
    const pages = pagesToJudge(evidence);
    const judged = pages.map(({ exchange, facts }): Judged => {
      const isEmpty = facts.shell.likely || facts.textLength === 0;
      const note = facts.shell.likely
        ? facts.shell.reasons.join(' ')
        : facts.frames > 0 && isEmpty
          ? 'The page is a set of frames: its content is at their addresses.'
          : `${facts.textLength} characters of text are there without scripts.`;
      const excerpt = facts.text.slice(0, 120) || facts.noscript.slice(0, 120);
      return { credit: isEmpty ? (facts.frames > 0 ? 0.5 : 0) : 1, line: lineOf(exchange, note, { excerpt }) };
    });
    const stub = redirectStub(evidence);
    if (stub !== null && stub.how === 'script') {
      judged.push({ credit: 0, line: stub.line });
    }
    const verdict = byShare(judged);
    const share = judged.filter(({ credit }) => credit === 0).length / judged.length;
    if (share >= 0.75) {
      const isShell = stub !== null || pages.some(({ facts }) => facts.shell.likely);
      const title = isShell ? {} : { title: 'Pages have no text' };
      return { ...capped(fail(...verdict.evidence), 15), ...title };
    }
    const onlyStub = stub !== null && judged.filter(({ credit }) => credit === 0).length === 1;
    const found: Verdict = onlyStub && stub.how === 'script' ? { ...verdict, cause: 'script-redirect' } : verdict;
    return share >= 0.5 ? capped(found, 39) : found;
  },
});
