import { defineCheck } from '../../check.ts';
import { find } from '../../facts/json.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { absent, byShare, type Judged } from '../../judging/verdicts.ts';

/** The things that a block describes, those of a graph and of an array each for itself. */
const thingsOf = (value: unknown): unknown[] => {
  const top = Array.isArray(value) ? value : [value];
  return top.flatMap((one) => [one, ...find(one, '@graph', '*')]);
};

/** Whether the structured data says something that can be used. */
export const jsonLdDescribes = defineCheck({
  id: 'json-ld-describes',
  technique: 'json-ld',
  topic: 'Content of structured data',
  titles: {
    pass: 'Structured data uses schema.org and names things',
    partial: 'Structured data says little on some pages',
    fail: 'Structured data names nothing in schema.org',
  },
  causes: ['structured-data'],
  why: 'A type and a name are the least that lets a program say what a page is about.',
  reference: { title: 'Schema.org: getting started', url: 'https://schema.org/docs/gs.html' },
  fix: ({ home, startedAt }) => ({
    text: 'Give each block the context of schema.org, a type, and a name or headline.',
    snippet: `<script type="application/ld+json">\n{"@context": "https://schema.org", "@type": "WebPage", "name": "What the page is called", "url": "${home}", "dateModified": "${startedAt.slice(0, 10)}"}\n</script>`,
    language: 'html',
  }),
  judge(evidence) {
    const pages = pagesToJudge(evidence).filter(({ facts }) => facts.jsonLd.some(({ problem }) => problem === null));
    if (pages.length === 0) {
      return absent('json-ld-parses', bareLine(evidence, 'No page has a block of structured data that parses.'));
    }
    return byShare(
      pages.map(({ exchange, facts }): Judged => {
        const blocks = facts.jsonLd.filter((block) => block.problem === null).map((block) => block.value);
        const contexts = blocks.flatMap((block) => [...find(block, '@context'), ...find(block, '*', '@context')]);
        const isSchema = contexts.some((context) => /schema\.org/.test(JSON.stringify(context)));
        const typed = blocks.flatMap(thingsOf).filter((thing) => find(thing, '@type').length > 0);
        const named = typed.filter((thing) =>
          ['name', 'headline', 'itemListElement', 'url'].some((key) => find(thing, key).length > 0),
        );
        const types = typed
          .flatMap((thing) => find(thing, '@type'))
          .flat()
          .filter((type) => typeof type === 'string')
          .slice(0, 6)
          .join(', ');
        const isGood = isSchema && named.length > 0;
        const note = isGood
          ? 'Types and names are given.'
          : isSchema
            ? 'No thing has a type and a name.'
            : 'The context is not schema.org.';
        return {
          credit: isGood ? 1 : isSchema && typed.length > 0 ? 0.5 : 0,
          line: lineOf(exchange, note, { excerpt: types === '' ? undefined : types }),
        };
      }),
    );
  },
});
