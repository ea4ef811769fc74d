import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { markdownWords, mostCompared, pagesWithMarkdown, wordsOf } from '../../judging/twins.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** The share of `some` that is among `all`, each word as often as it is there. */
function shareOf(some: string[], all: string[]): number {
  const counts = new Map<string, number>();
  for (const word of all) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let found = 0;
  for (const word of some) {
    const left = counts.get(word) ?? 0;
    if (left > 0) {
      found += 1;
      counts.set(word, left - 1);
    }
  }
  return some.length === 0 ? 1 : found / some.length;
}

/** Each is searched for in the whole of both texts. */
const mostHeadings = 100;

/** Whether the markdown says what the page says. */
export const twinMatchesPage = defineCheck({
  id: 'twin-matches-page',
  technique: 'transparent-machine-layer',
  topic: 'Fidelity of markdown',
  titles: {
    pass: 'The markdown says what the page says',
    partial: 'The markdown differs from the page',
    fail: 'The markdown lacks most of the page',
  },
  causes: ['markdown-differs'],
  why: 'A second text for machines drifts from the first, and becomes a place to say what nobody checks.',
  reference: {
    title: 'Google Search Central: cloaking',
    url: 'https://developers.google.com/search/docs/essentials/spam-policies#cloaking',
  },
  fix: () => ({
    text: 'Make the markdown from the HTML of the page, at build time or on request, in place of writing it apart.',
    snippet:
      "import rehypeParse from 'rehype-parse';\nimport rehypeRemark from 'rehype-remark';\nimport remarkStringify from 'remark-stringify';\nimport { unified } from 'unified';\n\nconst twin = await unified().use(rehypeParse).use(rehypeRemark).use(remarkStringify).process(mainHtml);",
    language: 'js',
  }),
  judge(evidence) {
    const judged = pagesWithMarkdown(evidence).flatMap(({ facts, markdown }): Judged[] => {
      const page = wordsOf(facts.prose.slice(0, mostCompared.page));
      const twin = markdownWords(markdown);
      const kept = shareOf(page, twin);
      const own =
        1 -
        shareOf(
          twin,
          wordsOf(`${facts.title ?? ''} ${facts.description ?? ''} ${facts.text.slice(0, mostCompared.markdown)}`),
        );
      const text = ` ${twin.join(' ')} `;
      const compared = facts.text.slice(0, mostCompared.page);
      const lost = facts.headings
        .slice(0, mostHeadings)
        .filter(
          (heading) =>
            heading.text !== '' &&
            !heading.isMargin &&
            compared.includes(heading.text) &&
            !text.includes(` ${wordsOf(heading.text).join(' ')} `),
        );
      const isShort = kept < 0.5;
      const credit = kept >= 0.85 && lost.length === 0 ? (own > 0.5 ? 0.5 : 1) : isShort ? 0 : 0.5;
      const note = `${Math.floor(kept * 100)} % of the page's ${facts.prose.length > mostCompared.page ? 'first ' : ''}${page.length} words are in the markdown${lost.length === 0 ? ', and all headings' : `; ${lost.length} heading${lost.length === 1 ? ' is' : 's are'} not, the first "${lost[0]?.text.slice(0, 60)}"`}${own > 0.5 ? '; more than half of the markdown is not on the page' : ''}.`;
      return [{ credit, line: lineOf(markdown, note) }];
    });
    return byShare(judged);
  },
});
