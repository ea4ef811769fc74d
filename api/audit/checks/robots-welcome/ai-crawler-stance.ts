import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { robotsOf } from '../../facts/robots.ts';
import { isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { absent, fail, partial, pass, requireFile } from '../../judging/verdicts.ts';

const crawlers = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'anthropic-ai',
  'Google-Extended',
  'PerplexityBot',
  'Perplexity-User',
  'CCBot',
  'Applebot-Extended',
  'Amazonbot',
  'meta-externalagent',
  'Bytespider',
  'MistralAI-User',
  'DuckAssistBot',
];

/** Whether robots.txt takes a stance on AI crawlers, whichever it is. */
export const aiCrawlerStance = defineCheck({
  id: 'ai-crawler-stance',
  technique: 'robots-welcome',
  topic: 'Stance on AI crawlers',
  titles: {
    pass: 'robots.txt says what AI crawlers may do',
    partial: 'robots.txt speaks of AI crawlers only in part',
    fail: 'robots.txt does not mention AI crawlers',
  },
  causes: ['robots-txt-silent'],
  why: 'Silence is read as permission by some and as refusal by others. A group by name settles it.',
  reference: {
    title: 'RFC 9309, section 2.2.1: the user-agent line',
    url: 'https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1',
  },
  contested:
    'Some auditors give points for allowing AI crawlers, others for any rule about them. We judge that there is a clear stance, and leave to the owner which.',
  fix: () => ({
    text: 'Name the crawlers you mean. A named group replaces the one for * completely: repeat what shall hold.',
    snippet: 'User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: PerplexityBot\nAllow: /\nDisallow: /private/',
    language: 'text',
  }),
  judge(evidence) {
    const robots = requireFile(evidence, 'robots');
    if (!isSuccess(robots) || isHtml(robots)) {
      return absent('robots-valid', lineOf(robots, 'There is no robots.txt.'));
    }
    const { groups } = robotsOf(robots);
    const product = (agent: string): string => /^[a-z_-]+/i.exec(agent)?.[0].toLowerCase() ?? '';
    const tokens = groups.flatMap((group) => group.agents.map(product));
    const named = crawlers.filter((crawler) => tokens.includes(crawler.toLowerCase()));
    const torn = crawlers.find((crawler) => {
      const rules = groups
        .filter((group) => group.agents.some((agent) => product(agent) === crawler.toLowerCase()))
        .flatMap((group) => group.rules);
      return (
        rules.some((rule) => rule.allow && rule.pattern === '/') &&
        rules.some((rule) => !rule.allow && rule.pattern === '/')
      );
    });
    if (torn !== undefined) {
      return partial(
        lineOf(robots, 'The file allows and forbids everything to one crawler; readers take Allow.', {
          excerpt: `${torn}: Allow: / and Disallow: /`,
        }),
      );
    }
    const signals = groups.some((group) => group.contentSignals.length > 0 || group.contentUsage.length > 0);
    const note =
      named.length === 0
        ? signals
          ? 'No AI crawler is named; signals say what may be done with the content.'
          : 'No AI crawler is named and no signal is given.'
        : `AI crawlers that are named: ${named.length}.`;
    const line = lineOf(robots, note, { excerpt: named.length === 0 ? undefined : named.join(', ') });
    return named.length >= 3 ? pass(line) : named.length > 0 || signals ? partial(line) : fail(line);
  },
});
