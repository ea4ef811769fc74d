import { z } from 'zod';
import { type Comparison, type Finding, goneFindings, parseJson, type Upstream } from '../upstream.ts';
import { createCrawlerFinder, newCrawler } from './crawler-names.ts';

const id = 'ai-robots-txt';
const address = 'https://raw.githubusercontent.com/ai-robots-txt/ai.robots.txt/main/robots.json';
const page = 'https://github.com/ai-robots-txt/ai.robots.txt/blob/main/robots.json';

const upstream = { id, title: 'ai.robots.txt', page };

/** Keys of the list that are words of many strings and name no bot. */
const tooGeneral: ReadonlySet<string> = new Set(['Code', 'OpenAI', 'Spider']);

const List = z
  .record(z.string().min(1).max(100), z.looseObject({ operator: z.string(), respect: z.string() }))
  .refine((list) => Object.keys(list).length > 0, 'the list is empty');

/** The text of a Markdown link, and other text as it is. */
const plain = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim();

/** "Yes", "[Yes](https://…)" and "No" are answers; everything else is prose. */
function answerOf(respect: string): boolean | null {
  const word = /^(yes|no)\b/i.exec(plain(respect))?.[1]?.toLowerCase();
  return word === undefined ? null : word === 'yes';
}

export const aiRobotsTxt: Upstream = {
  id,
  title: upstream.title,
  licence: 'MIT (https://github.com/ai-robots-txt/ai.robots.txt/blob/main/LICENSE)',
  compares: 'Which tokens are listed, and whether the answer on robots.txt contradicts ours.',
  cited: /github\.com\/ai-robots-txt\//,
  addresses: () => [address],
  parse: (text, from) => {
    const list = parseJson(text, List);
    return {
      address: from,
      version: null,
      entries: Object.fromEntries(
        Object.entries(list).map(([token, { operator, respect }]) => [
          token,
          { operator: plain(operator).slice(0, 200), respects_robots: answerOf(respect) },
        ]),
      ),
    };
  },
  compare: ([edition], known) => {
    const result: Comparison = { findings: [], covered: [] };
    if (edition === undefined) {
      return result;
    }
    const find = createCrawlerFinder(known.records.crawlers);
    for (const [token, fields] of Object.entries(edition.entries)) {
      const crawler = find(token);
      if (crawler !== undefined) {
        result.covered.push(`crawlers/${crawler.id}`);
        const { respects_robots: theirs } = fields;
        if (
          typeof theirs === 'boolean' &&
          typeof crawler.respects_robots === 'boolean' &&
          theirs !== crawler.respects_robots
        ) {
          result.findings.push(differsOnRobots(token, crawler.id, crawler.respects_robots, theirs));
        }
      } else if (!tooGeneral.has(token)) {
        const operator =
          typeof fields['operator'] === 'string' && !/^unclear/i.test(fields['operator']) ? fields['operator'] : null;
        const message = `lists ${token}, which no crawler record knows`;
        result.findings.push(newCrawler(token, { upstream, message, operator, userAgent: null, today: known.today }));
      }
    }
    result.findings.push(...goneFindings(edition, known, { upstream: id, source: () => page }));
    return result;
  },
};

const differsOnRobots = (token: string, crawler: string, ours: boolean, theirs: boolean): Finding => ({
  id: `${id}/crawlers/${crawler}/respects_robots`,
  kind: 'contradiction',
  upstream: id,
  source: page,
  message: `says that ${token} ${theirs ? 'follows' : "doesn't follow"} robots.txt`,
  record: { dataset: 'crawlers', id: crawler },
  difference: { field: 'respects_robots', ours, theirs },
});
