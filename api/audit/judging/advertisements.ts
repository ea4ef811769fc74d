import type { Exchange } from '../../fetch/exchange.ts';
import { type ExchangeName, namedExchanges } from '../evidence/exchange-name.ts';
import type { Evidence } from '../evidence.ts';
import { isSuccess, linkHeaderOf } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import { jsonOf } from '../facts/json.ts';
import { llmsTxtOf } from '../facts/llms-txt.ts';
import { oncePerExchange } from '../facts/once-per-exchange.ts';
import { isHtml } from './gates.ts';

const maxStrings = 5000;

/** The addresses that a JSON document names, at any depth, absolute. */
export const addressesIn = oncePerExchange((exchange): Set<string> => {
  const found = new Set<string>();
  let strings = 0;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      strings += 1;
      if (
        strings <= maxStrings &&
        /^(?:https?:\/)?\/[^\s{}]{0,2000}$/i.test(value) &&
        URL.canParse(value, exchange.url)
      ) {
        found.add(new URL(value, exchange.url).href);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) {
        visit(child);
      }
    }
  };
  visit(jsonOf(exchange).value);
  return found;
});

const linksOfLlmsTxt = oncePerExchange(
  (exchange): Set<string> =>
    new Set(
      llmsTxtOf(exchange)
        .links.filter(({ href }) => URL.canParse(href, exchange.url))
        .map(({ href }) => new URL(href, exchange.url).href),
    ),
);

const manifests: [name: ExchangeName, what: string][] = [
  ['agents-json', 'agents.json'],
  ['ard', 'ard.json'],
  ['ai-catalog', 'ai-catalog.json'],
  ['ai-plugin', 'ai-plugin.json'],
  ['api-catalog', 'the API catalog'],
];

/** The document of a name, when it was served and is no HTML page put in its place. */
function served(evidence: Evidence, name: ExchangeName): Exchange | null {
  const exchange = evidence.exchanges[name] ?? null;
  return isSuccess(exchange) && !isHtml(exchange) ? exchange : null;
}

/** What points to an address: the home page, a manifest at any depth, or llms.txt; null when nothing does. */
export function advertiserOf(evidence: Evidence, address: string): string | null {
  const home = evidence.exchanges['home'] ?? null;
  if (isSuccess(home)) {
    if (linkHeaderOf(home).some(({ href }) => href === address)) {
      return "the home page's Link header";
    }
    if (isHtml(home) && htmlOf(home).headLinks.some(({ href }) => href === address)) {
      return 'a link element of the home page';
    }
    if (isHtml(home) && htmlOf(home).links.some(({ href }) => href === address)) {
      return 'a link of the home page';
    }
  }
  for (const [name, what] of manifests) {
    const exchange = served(evidence, name);
    if (exchange !== null && exchange.request.url !== address && addressesIn(exchange).has(address)) {
      return what;
    }
  }
  const index = served(evidence, 'llms-txt');
  return index !== null && linksOfLlmsTxt(index).has(address) ? 'llms.txt' : null;
}

/** The exchanges with addresses that a document names, as far as they were asked with GET and answered. */
export function answersNamedBy(evidence: Evidence, document: Exchange): Exchange[] {
  const addresses = addressesIn(document);
  const found = new Map<string, Exchange>();
  for (const [, exchange] of namedExchanges(evidence.exchanges)) {
    const { method, url } = exchange.request;
    if (method === 'GET' && exchange.outcome === 'ok' && url !== document.request.url && addresses.has(url)) {
      found.set(url, found.get(url) ?? exchange);
    }
  }
  return [...found.values()];
}

/** True when an answer says that there is nothing: what points there is a dead advertisement. */
export const isGone = (exchange: Exchange): boolean => exchange.status === 404 || exchange.status === 410;
