import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { challengeOf, loginOf } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { isApiHost } from '../../judging/sampled-pages.ts';
import { byShare, capped, fail, type Judged, pass, requireAnswer, unchecked } from '../../judging/verdicts.ts';

/** Whether the pages that the site lists can be read without an account. */
export const noLoginWall = defineCheck({
  id: 'no-login-wall',
  technique: 'ax-trust',
  topic: 'Logins',
  titles: {
    pass: 'Public pages are not behind a login',
    partial: 'Some public pages ask for a login',
    fail: 'Public pages ask for a login',
  },
  causes: ['login-wall'],
  why: 'An agent has no account with you. A page that is listed in the sitemap or linked from the home page promises that it can be read.',
  reference: {
    title: 'RFC 9110, section 15.5.2: 401 Unauthorized',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2',
  },
  fix: () => ({
    text: 'Serve the public pages without a session, and ask for the login at the first page that needs an account. Take what is private out of the sitemap.',
    snippet:
      "// Express: guard what is private, not everything\napp.use('/account', requireLogin);\napp.use(publicPages);",
    language: 'js',
  }),
  judge(evidence) {
    const exchanges = evidence.pages
      .map((page) => evidence.exchanges[page.html] ?? null)
      .filter((exchange): exchange is Exchange => exchange?.outcome === 'ok')
      .filter((exchange) => loginOf(exchange) !== null || (isSuccess(exchange) && challengeOf(exchange) === null));
    if (exchanges.length === 0) {
      return isApiHost(evidence)
        ? pass(lineOf(requireAnswer(evidence, 'home'), 'The host answers without a login.'))
        : unchecked(lineOf(requireAnswer(evidence, 'home'), 'No page was let through to us, with or without a login.'));
    }
    const judged = exchanges.map((exchange): Judged => {
      const login = loginOf(exchange);
      return {
        credit: login === null ? 1 : 0,
        line: lineOf(exchange, login === null ? 'No login is asked for.' : `A login is asked for: ${login}.`),
      };
    });
    const verdict = byShare(judged);
    const share = judged.filter(({ credit }) => credit === 0).length / judged.length;
    return share >= 0.75 ? capped(fail(...verdict.evidence), 15) : share >= 0.5 ? capped(verdict, 39) : verdict;
  },
});
