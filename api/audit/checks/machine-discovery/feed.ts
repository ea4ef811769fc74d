import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { isHtml } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { fail, notApplicable, partial, pass, requireFile, unchecked } from '../../judging/verdicts.ts';

const feedType = /^application\/(?:atom|rss)\+xml$|^application\/feed\+json$/;

/** The kind of a feed and whether it has entries with a date; null when it is none. */
function feedOf(exchange: Exchange): { kind: string; entries: boolean; dated: boolean } | null {
  const { value } = jsonOf(exchange);
  if (findStrings(value, 'version')[0]?.startsWith('https://jsonfeed.org/')) {
    const dates = [...find(value, 'items', '*', 'date_published'), ...find(value, 'items', '*', 'date_modified')];
    return { kind: 'JSON Feed', entries: find(value, 'items', '*').length > 0, dated: dates.length > 0 };
  }
  const { body } = exchange;
  const root = /<(?:\w{1,20}:)?(feed|rss|RDF)[\s>]/.exec(body.slice(0, 5000))?.[1];
  if (root === undefined) {
    return null;
  }
  return root === 'feed'
    ? { kind: 'Atom', entries: /<entry[\s>]/.test(body), dated: /<updated>/.test(body) }
    : { kind: 'RSS', entries: /<item[\s>]/.test(body), dated: /<pubDate>|<dc:date>/.test(body) };
}

/** Whether the feed that pages name tells what is new. */
export const feed = defineCheck({
  id: 'feed',
  technique: 'machine-discovery',
  topic: 'Feed',
  titles: {
    pass: 'The feed that pages name is there and dated',
    partial: 'The feed has no entries, no dates or another type',
    fail: 'The feed that pages name is not there',
  },
  causes: ['feed'],
  why: 'An agent that watches a site reads what changed, in place of everything again.',
  reference: { title: 'RFC 4287: Atom', url: 'https://www.rfc-editor.org/rfc/rfc4287' },
  fix: ({ origin, startedAt }) => ({
    text: 'Write the feed at build time, and name it in the head of each page.',
    snippet: `<link rel="alternate" type="application/atom+xml" href="${origin}/feed.atom">\n\n<feed xmlns="http://www.w3.org/2005/Atom">\n  <id>${origin}/</id>\n  <title>${new URL(origin).host}</title>\n  <updated>${startedAt}</updated>\n  <entry>…</entry>\n</feed>`,
    language: 'xml',
  }),
  judge(evidence) {
    const page = pagesToJudge(evidence).find(({ facts }) =>
      facts.headLinks.some(({ rel, type }) => rel.includes('alternate') && feedType.test(type ?? '')),
    );
    if (evidence.exchanges['feed'] === undefined) {
      return page === undefined
        ? notApplicable(bareLine(evidence, 'No page names a feed.'))
        : unchecked(
            lineOf(page.exchange, 'A feed is named that was not asked for: on another host, or not by the home page.'),
          );
    }
    const exchange = requireFile(evidence, 'feed');
    const line = (note: string) =>
      lineOf(exchange, note, { header: 'content-type', excerpt: exchange.body.slice(0, 160) });
    const found = isSuccess(exchange) ? feedOf(exchange) : null;
    if (found === null) {
      return fail(line('The home page names a feed, and none is there.'));
    }
    if (isHtml(exchange)) {
      return partial(line(`${found.kind}, sent as HTML.`));
    }
    return found.entries && found.dated
      ? pass(line(`${found.kind}, with dated entries.`))
      : partial(line(`${found.kind}, without entries or without dates.`));
  },
});
