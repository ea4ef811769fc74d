import { z } from 'zod';
import { type Comparison, goneEntries, parseJson, type Upstream } from '../upstream.ts';
import { createCrawlerFinder, newCrawler } from './crawler-names.ts';

const id = 'crawler-user-agents';
const page = 'https://github.com/monperrus/crawler-user-agents/blob/master/crawler-user-agents.json';

const upstream = { id, title: id, page };

const List = z
  .array(
    z.looseObject({
      pattern: z.string().min(1).max(500),
      instances: z.array(z.string().max(4000)),
      url: z.string().optional(),
      tags: z.array(z.string()).optional(),
    }),
  )
  .min(1, 'the list is empty');

/** The token that a pattern stands for. Patterns come from outside, so they are never run as expressions. */
const tokenOf = (pattern: string): string =>
  pattern
    .replace(/\\/g, '')
    .replace(/[\^$()|[\]?*+{}].*$/g, '')
    .replace(/\/$/, '');

/** The patterns of AI crawlers, and of the bots that the records know. */
export const crawlerUserAgents: Upstream = {
  id,
  title: 'crawler-user-agents',
  licence: 'MIT (https://github.com/monperrus/crawler-user-agents/blob/master/LICENSE)',
  compares: 'Whether each User-Agent string it gives for a bot is recognised as the record of that bot.',
  cited: /github\.com\/monperrus\/crawler-user-agents/,
  keep: ({ url = null, is_ai_crawler = null }) => ({ url, is_ai_crawler }),
  addresses: () => ['npm:crawler-user-agents/crawler-user-agents.json'],
  parse: (text, address) => ({
    address,
    version: null,
    entries: Object.fromEntries(
      parseJson(text, List).map(({ pattern, instances, url, tags }) => [
        pattern,
        { url: url ?? null, is_ai_crawler: tags?.includes('ai-crawler') ?? false, instances },
      ]),
    ),
  }),
  compare: ([edition], known) => {
    const result: Comparison = { findings: [], covered: [] };
    if (edition === undefined) {
      return result;
    }
    const find = createCrawlerFinder(known.records.crawlers);
    for (const [pattern, { instances, is_ai_crawler }] of Object.entries(edition.entries)) {
      const strings = Array.isArray(instances) ? instances.filter((each) => typeof each === 'string') : [];
      const token = tokenOf(pattern);
      const found = [token, ...strings].flatMap((each) => find(each)?.id ?? []);
      result.covered.push(...new Set(found.map((crawler) => `crawlers/${crawler}`)));
      if (is_ai_crawler === true && found.length === 0) {
        const message = `lists ${token} as an AI crawler, and no record recognises its strings`;
        const [userAgent = null] = strings;
        result.findings.push(newCrawler(token, { upstream, message, operator: null, userAgent, today: known.today }));
      }
    }
    for (const pattern of goneEntries(edition, known)) {
      if (known.previous[edition.address]?.[pattern]?.['is_ai_crawler'] !== true) {
        continue;
      }
      result.findings.push({
        id: `${id}/gone/${tokenOf(pattern)}`,
        kind: 'gone',
        upstream: id,
        source: page,
        message: `no longer has the pattern ${pattern}`,
      });
    }
    return result;
  },
};
