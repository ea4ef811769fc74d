import type { Exchange } from '../../fetch/exchange.ts';
import { headerOf, isSuccess, mediaTypeOf } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import { oncePerExchange } from '../facts/once-per-exchange.ts';

const challengeWords =
  /just a moment\b|attention required|checking (?:if the site connection is secure|your browser)|are you (?:a )?(?:human|robot)|verify(?:ing)? (?:that )?you(?:'re|’re| are) (?:a )?(?:human|not a robot)|verification required|complete the (?:captcha|security check)|solve (?:the|this) captcha|enable (?:javascript and )?cookies to continue|access to this page has been denied|request unsuccessful\. incapsula|unusual traffic|pardon our interruption/i;

/** True when a response is an HTML page. */
export const isHtml = (exchange: Exchange): boolean =>
  ['text/html', 'application/xhtml+xml'].includes(mediaTypeOf(exchange) ?? '') ||
  (mediaTypeOf(exchange) === null && /^\s*<(?:!doctype html|html)/i.test(exchange.body));

/**
 * What shows that a response is a challenge to bots and not the content, or null. Words count only on a page that has
 * next to nothing else: the scripts of such services are on ordinary pages as well.
 */
export const challengeOf = oncePerExchange((exchange): string | null => {
  if (headerOf(exchange, 'cf-mitigated')?.trim().toLowerCase() === 'challenge') {
    return 'cf-mitigated: challenge';
  }
  if (headerOf(exchange, 'x-amzn-waf-action') !== null) {
    return `x-amzn-waf-action: ${headerOf(exchange, 'x-amzn-waf-action')?.slice(0, 40)}`;
  }
  if (!isHtml(exchange) || exchange.body === '') {
    return null;
  }
  const page = htmlOf(exchange);
  if (page.textLength > 1500) {
    return null;
  }
  const found = challengeWords.exec(`${page.title ?? ''} ${page.text.slice(0, 1000)} ${page.noscript.slice(0, 500)}`);
  return found === null ? null : `the page says "${found[0]}"`;
});

/** True when a request came to nothing that says what the site has: no response, a limit of the rate, a fault, a challenge. */
export const gaveNoAnswer = (exchange: Exchange): boolean =>
  exchange.outcome !== 'ok' ||
  exchange.status === 429 ||
  (exchange.status ?? 0) >= 500 ||
  challengeOf(exchange) !== null;

const loginPath =
  /\/(?:log-?in|sign-?in|signon|sso|oauth2?|auth|authorize|session\/new|account\/login|wp-login\.php)(?:[/?.]|$)/i;

/** What shows that a response is a demand to log in and not the content, or null. */
export const loginOf = oncePerExchange((exchange): string | null => {
  if (exchange.status === 401) {
    return `status 401, WWW-Authenticate: ${(headerOf(exchange, 'www-authenticate') ?? '(not sent)').slice(0, 80)}`;
  }
  const asked = new URL(exchange.request.url);
  const found = new URL(exchange.url);
  if (exchange.hops.length > 0 && loginPath.test(found.pathname) && !loginPath.test(asked.pathname)) {
    return `a redirect to ${found.pathname.slice(0, 80)}`;
  }
  if (!isSuccess(exchange) || !isHtml(exchange) || loginPath.test(asked.pathname)) {
    return null;
  }
  const page = htmlOf(exchange);
  const hasPassword = page.forms.some((form) => form.fields.some((field) => field.type === 'password'));
  return hasPassword && page.textLength < 600 ? 'a page that is little more than a form with a password field' : null;
});
