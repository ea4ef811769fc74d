import { createAlmanac } from '#almanac/almanac.ts';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import { identifyUserAgent } from '#almanac/identify.ts';
import { answerQuestion } from '../almanac/ask_almanac.ts';
import type { AlmanacContext } from '../almanac/context.ts';
import { identifyUserAgentTool } from '../almanac/identify_user_agent.ts';
import { findRecord, listAnswer } from '../almanac/operations.ts';
import { searchRecords } from '../almanac/search_almanac.ts';

const almanac = createAlmanac();

/** What answers each operation, given its example. */
const answers: Readonly<Record<string, (context: AlmanacContext) => unknown>> = {
  get_crawler: (context) => findRecord(crawlers, 'gptbot', context),
  identify_user_agent: () => identifyUserAgent(String(identifyUserAgentTool.example?.['ua']), {}),
  search_almanac: (context) => searchRecords({ q: 'web bot auth' }, context),
  ask_almanac: (context) => answerQuestion('Who governs MCP?', context),
  list_crawlers: (context) => listAnswer(crawlers, { view: 'compact', limit: 3 }, context),
};

/** The operations that have a sample answer, by name. */
export const sampledOperations: readonly string[] = Object.keys(answers);

/**
 * Cuts what is long: texts after 120 characters, lists after their first member, inner objects of over 12 members after
 * their eighth.
 */
export function shorten(value: unknown, depth = 0): unknown {
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

/**
 * The answer to the example of an operation, as JSON, cut where it is long: computed by what answers the call. It is
 * undefined where the answer depends on the visitor.
 */
export function sampleAnswer(name: string, config: AlmanacContext['config']): string | undefined {
  const answer = answers[name];
  return answer === undefined
    ? undefined
    : JSON.stringify(shorten(JSON.parse(JSON.stringify(answer({ config, almanac, now: () => new Date() })))), null, 2);
}
