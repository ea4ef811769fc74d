import type { Exchange } from '../../fetch/exchange.ts';

/** One link of a Link header (RFC 8288). */
export interface HeaderLink {
  /** Absolute address, resolved against the page's. */
  href: string;
  /** Relation types in lower case. */
  rel: string[];
  /** Lower-case media type without parameters, or null. */
  type: string | null;
}

/** The value of a header, several joined by ", " (RFC 9110 section 5.3); null when it was not sent. */
export function headerOf(exchange: Exchange, name: string): string | null {
  const values = exchange.headers[name.toLowerCase()];
  return values === undefined ? null : values.join(', ');
}

/** The media type of a response in lower case without parameters, or null. */
export function mediaTypeOf(exchange: Exchange): string | null {
  const value = exchange.headers['content-type']?.[0]?.split(';')[0]?.trim().toLowerCase();
  return value === undefined || value === '' ? null : value;
}

/** The elements of a comma-separated header in lower case, such as those of Vary. */
export const tokensOf = (exchange: Exchange, name: string): string[] =>
  (headerOf(exchange, name) ?? '')
    .split(',')
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '');

/** True when an exchange brought a whole or cut response with a 2xx status. */
export const isSuccess = (exchange: Exchange | null): exchange is Exchange =>
  exchange !== null &&
  exchange.outcome === 'ok' &&
  exchange.status !== null &&
  exchange.status >= 200 &&
  exchange.status < 300;

const parameter = /;[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*("(?:[^"\\]|\\.)*"|[^";,\s]*))?[ \t]*/y;

/** The links that the Link headers of a response carry. What is not a link is passed over. */
export function linkHeaderOf(exchange: Exchange): HeaderLink[] {
  const links: HeaderLink[] = [];
  const text = (headerOf(exchange, 'link') ?? '').slice(0, 16_384);
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    const close = text.indexOf('>', open);
    if (open === -1 || close === -1) {
      return links;
    }
    const target = text.slice(open + 1, close).trim();
    const found = new Map<string, string>();
    parameter.lastIndex = close + 1;
    at = close + 1;
    for (let match = parameter.exec(text); match !== null; match = parameter.exec(text)) {
      at = parameter.lastIndex;
      const name = (match[1] ?? '').toLowerCase();
      const value = match[2] ?? '';
      // RFC 8288 section 3.3: of a repeated parameter the first counts.
      if (!found.has(name)) {
        found.set(name, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);
      }
    }
    if (URL.canParse(target, exchange.url)) {
      links.push({
        href: new URL(target, exchange.url).href,
        rel: (found.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
        type: found.get('type')?.split(';')[0]?.trim().toLowerCase() || null,
      });
    }
  }
}
