import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import type { RequestScheduler } from './request-scheduler.ts';
import { isSameSite } from './same-site.ts';

/** A redirect by meta element that takes longer is a page that reloads itself. */
const maxSeconds = 10;

/** A page with more text than this is read before it redirects. */
const maxStubText = 300;

/** Where a page that is nothing but a redirect leads, by meta element or script; null for every other page. */
function stubTarget(exchange: Exchange): string | null {
  if (
    !isSuccess(exchange) ||
    !/^(?:text\/html|application\/xhtml)/i.test(exchange.headers['content-type']?.[0] ?? '')
  ) {
    return null;
  }
  const { refresh, scriptRedirect, textLength } = htmlOf(exchange);
  const found = refresh !== null && refresh.seconds <= maxSeconds ? refresh.href : scriptRedirect;
  if (found === null || textLength > maxStubText) {
    return null;
  }
  const url = new URL(found);
  url.hash = '';
  return url.href === exchange.url ? null : url.href;
}

/**
 * Asks for the home page. One that only redirects, by meta element or script, is kept as `home-stub`, and the page it leads
 * to on the same site becomes `home`.
 */
export async function askHome(scheduler: RequestScheduler, target: URL): Promise<Exchange> {
  const options = { accept: 'text/html', first: true };
  const found = await scheduler.ask('home', target.href, options);
  const next = found.outcome === 'ok' ? stubTarget(found) : null;
  if (next === null || !isSameSite(new URL(found.url), next)) {
    return found;
  }
  await scheduler.ask('home-stub', target.href, options);
  return scheduler.ask('home', next, options);
}
