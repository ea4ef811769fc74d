import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { byShare, type Judged } from '../../judging/verdicts.ts';

/** Whether pages say what they are in a line. */
export const titleAndDescription = defineCheck({
  id: 'title-and-description',
  technique: 'json-ld',
  topic: 'Title and description',
  titles: {
    pass: 'Title and description, different on each page',
    partial: 'Titles or descriptions are missing or repeated',
    fail: 'Pages have no title',
  },
  causes: ['page-metadata'],
  why: 'They are what a search result, a list of links and an index of the site show of a page.',
  reference: {
    title: 'HTML Standard: standard metadata names',
    url: 'https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names',
  },
  fix: () => ({
    text: 'Give each page a title of its own and a description of one or two sentences.',
    snippet:
      '<title>Opening hours · The Lantern</title>\n<meta name="description" content="When the museum is open, by season and on holidays.">',
    language: 'html',
  }),
  judge(evidence) {
    const pages = pagesToJudge(evidence);
    return byShare(
      pages.map((one): Judged => {
        const { title, description } = one.facts;
        const hasTwin = (key: 'title' | 'description'): boolean =>
          one.facts[key] !== null &&
          pages.some(({ facts, exchange }) => facts[key] === one.facts[key] && exchange.url !== one.exchange.url);
        const twice = hasTwin('title');
        const described = hasTwin('description');
        const note =
          title === null
            ? 'The page has no title.'
            : twice
              ? 'Another page has the same title.'
              : description === null
                ? 'The page has no description.'
                : described
                  ? 'Another page has the same description.'
                  : 'The page has a title and a description.';
        return {
          credit: title === null ? 0 : twice || description === null || described ? 0.5 : 1,
          line: lineOf(one.exchange, note, { excerpt: `${title ?? ''} | ${description ?? ''}` }),
        };
      }),
    );
  },
});
