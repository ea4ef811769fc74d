import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess, mediaTypeOf } from '../facts/headers.ts';
import { llmsTxtOf } from '../facts/llms-txt.ts';
import type { ExchangeName } from './exchange-name.ts';
import type { RequestScheduler } from './request-scheduler.ts';
import { isSameSite } from './same-site.ts';
import { spread } from './spread.ts';

const places = [1, 2, 3, 4] as const;

const isFile = (exchange: Exchange): boolean => isSuccess(exchange) && mediaTypeOf(exchange) !== 'text/html';

/**
 * Asks for the llms.txt of a site, in its folder and, if there's none, at the root of the host; and for up to
 * four of its links.
 */
export function askLlmsTxt(
  scheduler: RequestScheduler,
  root: URL,
): { file: Promise<Exchange>; links: Promise<{ url: string; name: ExchangeName }[]> } {
  const own = scheduler.ask('llms-txt', new URL('llms.txt', root).href, { first: true });
  const ofHost =
    root.pathname === '/' ? null : scheduler.ask('llms-txt:root', new URL('/llms.txt', root).href, { first: true });
  const file = Promise.all([own, ofHost]).then(([first, second]) =>
    second !== null && !isFile(first) && isFile(second) ? second : first,
  );
  return { file, links: file.then((exchange) => askLinks(scheduler, root, exchange)) };
}

/** Asks for up to four links of llms.txt that lead to the site itself, spread over the file. */
async function askLinks(
  scheduler: RequestScheduler,
  root: URL,
  file: Exchange,
): Promise<{ url: string; name: ExchangeName }[]> {
  if (!isFile(file)) {
    return [];
  }
  const addresses = llmsTxtOf(file)
    .links.filter((link) => URL.canParse(link.href, file.url))
    .map((link) => {
      const url = new URL(link.href, file.url);
      url.hash = '';
      return url.href;
    })
    .filter((href, index, all) => isSameSite(root, href) && all.indexOf(href) === index);
  const chosen = spread(addresses, Math.min(places.length, scheduler.spare));
  return Promise.all(
    places.flatMap((place) => {
      const url = chosen[place - 1];
      return url === undefined ? [] : [askLink(scheduler, `llms-link:${place}`, url)];
    }),
  );
}

async function askLink(
  scheduler: RequestScheduler,
  name: ExchangeName,
  url: string,
): Promise<{ url: string; name: ExchangeName }> {
  await scheduler.ask(name, url);
  return { url, name };
}
