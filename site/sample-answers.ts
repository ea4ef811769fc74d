import { createAlmanac } from '#almanac/almanac.ts';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import { identifyUserAgent } from '#almanac/identify.ts';
import { answerQuestion } from '#api/almanac/ask_almanac.ts';
import { identifyUserAgentTool } from '#api/almanac/identify_user_agent.ts';
import { findRecord, listAnswer } from '#api/almanac/operations.ts';
import { searchRecords } from '#api/almanac/search_almanac.ts';
import { site } from './site.ts';

const context = {
  config: { baseUrl: site.origin, siteName: site.name },
  almanac: createAlmanac(),
};

/** Answers by the name of their operation, to its example: computed when the site is built, by what answers the call. */
const answers: Readonly<Record<string, () => unknown>> = {
  get_crawler: () => findRecord(crawlers, 'gptbot', context),
  identify_user_agent: () => identifyUserAgent(String(identifyUserAgentTool.example?.['ua']), {}),
  search_almanac: () => searchRecords({ q: 'web bot auth' }, context),
  ask_almanac: () => answerQuestion('Who governs MCP?', context),
  list_crawlers: () => listAnswer(crawlers, { view: 'compact', limit: 3 }, site.origin),
};

/** Cuts what is long: texts after 120 characters, lists after their first member, inner objects after their sixth. */
function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return value.length > 120 ? `${value.slice(0, 110).replace(/\s+\S*$/, '')} …` : value;
  }
  if (Array.isArray(value)) {
    return [...value.slice(0, 1).map((each) => shorten(each, depth + 1)), ...(value.length > 1 ? ['…'] : [])];
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const members = Object.entries(value);
  const isLong = depth > 0 && members.length > 12;
  return Object.fromEntries([
    ...(isLong ? members.slice(0, 8) : members).map(([name, each]) => [name, shorten(each, depth + 1)]),
    ...(isLong ? [['…', '…']] : []),
  ]);
}

/** The answer to the example of an operation, cut where it is long, as JSON; undefined where it depends on the visitor. */
export function sampleAnswer(name: string): string | undefined {
  const answer = answers[name];
  return answer === undefined ? undefined : JSON.stringify(shorten(JSON.parse(JSON.stringify(answer()))), null, 2);
}
