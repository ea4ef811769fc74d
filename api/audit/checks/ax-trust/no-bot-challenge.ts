import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import type { ExchangeName } from '../../evidence.ts';
import { htmlOf } from '../../facts/html.ts';
import { challengeOf, isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { byShare, capped, fail, type Judged, requireAnswer, unchecked } from '../../judging/verdicts.ts';

/** Whether a challenge that tells people from machines blocks the page. */
export const noBotChallenge = defineCheck({
  id: 'no-bot-challenge',
  technique: 'ax-trust',
  topic: 'Bot challenges',
  titles: {
    pass: 'No bot challenge',
    partial: 'A bot challenge blocks some requests',
    fail: 'A bot challenge blocks the pages',
  },
  causes: ['bot-challenge'],
  why: 'An agent cannot solve a captcha and should not. What is behind one does not exist for it.',
  reference: { title: 'W3C Note: inaccessibility of CAPTCHA', url: 'https://www.w3.org/TR/turingtest/' },
  fix: ({ origin }) => ({
    text: 'Exempt the pages that anyone may read from the challenge. Keep it, if it must be, for forms that write.',
    snippet: `# Cloudflare: Security → WAF → Custom rules → Skip\n(http.host eq "${new URL(origin).host}" and http.request.method in {"GET" "HEAD"})`,
    language: 'text',
  }),
  judge(evidence) {
    const names: ExchangeName[] = [
      'home',
      'home-browser',
      'home-gptbot',
      'home-claudebot',
      ...evidence.pages.slice(1).map((page) => page.html),
    ];
    const exchanges = names
      .map((name) => evidence.exchanges[name] ?? null)
      .filter((exchange): exchange is Exchange => exchange?.outcome === 'ok');
    if (exchanges.length === 0) {
      return unchecked(lineOf(requireAnswer(evidence, 'home'), 'Nothing was answered.'));
    }
    const judged = exchanges.map((exchange): Judged => {
      const challenge = challengeOf(exchange);
      const note = challenge === null ? 'No challenge.' : `A challenge: ${challenge}.`;
      const excerpt = challenge === null || !isHtml(exchange) ? undefined : (htmlOf(exchange).title ?? undefined);
      return { credit: challenge === null ? 1 : 0, line: lineOf(exchange, note, { excerpt }) };
    });
    const verdict = byShare(judged);
    const share = judged.filter(({ credit }) => credit === 0).length / judged.length;
    return share >= 0.75 ? capped(fail(...verdict.evidence), 15) : share >= 0.5 ? capped(verdict, 39) : verdict;
  },
});
