import { defineCheck } from '../../check.ts';
import { markdownOf } from '../../facts/markdown.ts';
import { lineOf } from '../../judging/lines.ts';
import { listOfPages } from '../../judging/own-pages.ts';
import { pagesWithMarkdown } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether links work wherever the text is read. */
export const linksAbsolute = defineCheck({
  id: 'links-absolute',
  technique: 'markdown-negotiation',
  topic: 'Links in markdown',
  titles: {
    pass: 'Links in markdown are absolute',
    partial: 'Some links in markdown are relative',
    fail: 'Links in markdown are relative',
  },
  causes: ['markdown-differs'],
  why: 'A model that gets the text without its address cannot follow a relative link.',
  reference: {
    title: 'RFC 3986, section 5: reference resolution',
    url: 'https://www.rfc-editor.org/rfc/rfc3986#section-5',
  },
  fix: (evidence) => ({
    text: 'Write links with scheme and host when the markdown is made.',
    snippet: listOfPages(evidence),
    language: 'markdown',
  }),
  judge(evidence) {
    const judged = pagesWithMarkdown(evidence).flatMap(({ markdown }): Judged[] => {
      const { links } = markdownOf(markdown);
      const relative = links.filter((link) => !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(link.href));
      const share = links.length === 0 ? 0 : relative.length / links.length;
      const first = relative[0];
      return [
        {
          credit: relative.length === 0 ? 1 : share <= 0.2 ? 0.5 : 0,
          line: lineOf(markdown, `${relative.length} of ${links.length} links are relative.`, {
            excerpt: first === undefined ? undefined : `line ${first.line}: [${first.text}](${first.href})`,
          }),
        },
      ];
    });
    return byShare(judged);
  },
});
