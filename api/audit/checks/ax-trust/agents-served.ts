import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { htmlOf } from '../../facts/html.ts';
import { challengeOf, isHtml, loginOf } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { capped, fail, partial, pass, requireAnswer, unchecked } from '../../judging/verdicts.ts';

const isRefused = (exchange: Exchange): boolean =>
  challengeOf(exchange) !== null || [401, 402, 403, 407, 451].includes(exchange.status ?? 0);

const isBusy = (exchange: Exchange): boolean =>
  challengeOf(exchange) === null && (exchange.status === 429 || (exchange.status ?? 0) >= 500);

/** The share of the text that a browser gets; 1 where the two cannot be compared. */
const shareOf = (exchange: Exchange, browser: Exchange): number =>
  [exchange, browser].every((one) => isSuccess(one) && isHtml(one)) && htmlOf(browser).textLength > 0
    ? htmlOf(exchange).textLength / htmlOf(browser).textLength
    : 1;

const isThin = (exchange: Exchange, browser: Exchange): boolean => shareOf(exchange, browser) < 0.5;

/** True for a page that only looks as if it were there. */
const isEmpty = (exchange: Exchange, browser: Exchange): boolean => shareOf(exchange, browser) < 0.1;

function noteOn(exchange: Exchange, browser: Exchange): string {
  if (isRefused(exchange)) {
    return `Refused: ${challengeOf(exchange) ?? `status ${exchange.status}`}.`;
  }
  return isThin(exchange, browser)
    ? `Served ${htmlOf(exchange).textLength} characters of text, where a browser gets ${htmlOf(browser).textLength}.`
    : `Answered with status ${exchange.status}.`;
}

/** Whether clients that say they are AI agents get the page that a browser gets. */
export const agentsServed = defineCheck({
  id: 'agents-served',
  technique: 'ax-trust',
  topic: 'Access for agents',
  titles: {
    pass: 'Agents get what browsers get',
    partial: 'Some agents get less than browsers',
    fail: 'Agents are refused what browsers get',
  },
  causes: ['agents-refused'],
  why: 'A site that refuses clients by their User-Agent is closed to honest agents and open to those that lie about it.',
  reference: {
    title: 'RFC 9110, section 10.1.5: User-Agent',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5',
  },
  contested:
    'Services that verify crawlers by address turn away a foreign client that names GPTBot, and call that right. We name the crawler and ourselves in one header, and count a refusal in full only when both crawler names are refused, or when we are refused under our own. A price per page (402) counts as a refusal: an agent without a wallet is turned away by it.',
  fix: ({ origin }) => ({
    text: 'Find the rule of the web server, firewall or content delivery network that denies by User-Agent, and remove AI agents from it. Limit by rate, or ask for signatures, where load is the worry.',
    snippet: `curl -s -o /dev/null -w '%{http_code}\\n' -A 'GPTBot/1.3' ${origin}/\ncurl -s -o /dev/null -w '%{http_code}\\n' -A 'ClaudeBot/1.0' ${origin}/\n# both print the status that a browser gets`,
    language: 'sh',
  }),
  judge(evidence) {
    const ours = requireAnswer(evidence, 'home');
    const browser = requireAnswer(evidence, 'home-browser');
    const bots = [requireAnswer(evidence, 'home-gptbot'), requireAnswer(evidence, 'home-claudebot')];
    const busy = [ours, browser, ...bots].find(isBusy);
    if (busy !== undefined) {
      return unchecked(lineOf(busy, 'The site limited our rate or failed, which says nothing of whom it serves.'));
    }
    const lines = [ours, browser, ...bots]
      .sort((a, b) => Number(isRefused(b)) - Number(isRefused(a)))
      .map((exchange) => lineOf(exchange, noteOn(exchange, browser)));
    const refused = bots.filter(isRefused).length;
    if (isRefused(ours) && isRefused(browser) && loginOf(browser) !== null) {
      return fail(...lines);
    }
    if (isRefused(ours) || refused === bots.length) {
      return capped(fail(...lines), isRefused(ours) && refused === bots.length ? 15 : 39);
    }
    if (bots.some((bot) => isEmpty(bot, browser))) {
      return capped(fail(...lines), 59);
    }
    return refused > 0 || bots.some((bot) => isThin(bot, browser)) ? partial(...lines) : pass(...lines);
  },
});
