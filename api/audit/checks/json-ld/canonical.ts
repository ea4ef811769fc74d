import { defineCheck } from '../../check.ts';
import { linkHeaderOf } from '../../facts/headers.ts';
import { lineOf } from '../../judging/lines.ts';
import { toMarkup } from '../../judging/own-pages.ts';
import { judgePages } from '../../judging/sampled-pages.ts';

/** Whether a page names its address. */
export const canonical = defineCheck({
  id: 'canonical',
  technique: 'json-ld',
  topic: 'Canonical address',
  titles: {
    pass: 'Each page names its canonical address',
    partial: 'Canonical addresses are missing or wrong on some pages',
    fail: 'Pages do not name their canonical address',
  },
  causes: ['page-metadata'],
  why: 'It joins the variants of a page, its twins among them, into one thing that can be cited.',
  reference: { title: 'RFC 6596: the canonical link relation', url: 'https://www.rfc-editor.org/rfc/rfc6596' },
  fix: ({ home }) => ({
    text: 'Add the absolute address of the page itself.',
    snippet: `<link rel="canonical" href="${toMarkup(home)}">`,
    language: 'html',
  }),
  judge: (evidence) =>
    judgePages(evidence, ({ exchange, facts }) => {
      const found =
        facts.canonical ?? linkHeaderOf(exchange).find((link) => link.rel.includes('canonical'))?.href ?? null;
      if (found === null) {
        return { credit: 0, line: lineOf(exchange, 'No canonical address is named.') };
      }
      const bare = (address: string): string => address.replace(/[?#].*$/, '').replace(/\/(?:index\.html?)?$/, '');
      const own = bare(found) === bare(exchange.url);
      const sameHost =
        URL.canParse(found) &&
        new URL(found).host.replace(/^www\./, '') === new URL(exchange.url).host.replace(/^www\./, '');
      const note = own
        ? 'The page names its own address.'
        : sameHost
          ? 'The page names another page of the site.'
          : 'The page names an address on another host.';
      return { credit: own ? 1 : sameHost ? 0.5 : 0, line: lineOf(exchange, note, { excerpt: `canonical ${found}` }) };
    }),
});
