import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { judgePages } from '../../judging/sampled-pages.ts';

/** Whether there is structured data that parses. */
export const jsonLdParses = defineCheck({
  id: 'json-ld-parses',
  technique: 'json-ld',
  topic: 'Structured data',
  titles: {
    pass: 'Structured data is there and parses',
    partial: 'Structured data is missing, broken or not JSON-LD on some pages',
    fail: 'There is no structured data that parses',
  },
  causes: ['structured-data'],
  why: 'A program reads dates, authors and prices as fields and does not have to guess them from the prose.',
  reference: {
    title: 'JSON-LD 1.1: embedding in HTML',
    url: 'https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents',
  },
  fix: ({ origin }) => ({
    text: 'Add a block to each page that repeats what the page shows.',
    snippet: `<script type="application/ld+json">\n{"@context": "https://schema.org", "@type": "WebSite", "name": "${new URL(origin).host}", "url": "${origin}/"}\n</script>`,
    language: 'html',
  }),
  judge: (evidence) =>
    judgePages(evidence, ({ exchange, facts }) => {
      const broken = facts.jsonLd.find((block) => block.problem !== null);
      const note =
        facts.jsonLd.length === 0
          ? facts.microdata.length === 0
            ? 'The page has no structured data.'
            : 'The page has microdata or RDFa, and no JSON-LD.'
          : (broken?.problem ?? `${facts.jsonLd.length} block${facts.jsonLd.length === 1 ? ' parses' : 's parse'}.`);
      const first = facts.jsonLd.find((block) => block.problem === null);
      return {
        credit: first === undefined ? (facts.microdata.length > 0 ? 0.5 : 0) : broken === undefined ? 1 : 0.5,
        line: lineOf(exchange, note, {
          excerpt:
            first === undefined ? facts.microdata.join(', ') || undefined : JSON.stringify(first.value).slice(0, 200),
        }),
      };
    }),
});
