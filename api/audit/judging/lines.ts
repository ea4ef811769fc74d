import type { Exchange } from '../../fetch/exchange.ts';
import type { EvidenceLine } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { headerOf } from '../facts/headers.ts';

const maxExcerpt = 240;
const maxNote = 600;

/** Text from a site made fit for a report: one line, no control characters, well-formed, cut. */
function fitFor(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}

/** An excerpt of what a site sent, at most 240 characters. */
export const excerptOf = (text: string): string => fitFor(text, maxExcerpt);

/** A number with its noun: `1 link`, `2 links`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;

/** What was asked, as far as it decides over the answer. */
export function requestOf(exchange: Exchange): string {
  const { method, url, headers } = exchange.request;
  const accept = headers['accept'] === undefined ? [] : [`Accept: ${headers['accept']}`];
  const agent = headers['user-agent'] ?? '';
  const token =
    /^Mozilla\/5\.0 \(compatible; (\w+)\//.exec(agent)?.[1] ?? (/^Mozilla/.test(agent) ? 'a browser' : null);
  const parts = [...accept, ...(token === null ? [] : [`User-Agent: ${token}`])];
  return `${method} ${fitFor(url, maxNote)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
}

/** A line about an exchange. `header` names the header that was judged; one that was not sent is said to be missing. */
export function lineOf(
  exchange: Exchange,
  note: string,
  judged: { header?: string; excerpt?: string | undefined } = {},
): EvidenceLine {
  const { header, excerpt } = judged;
  const value = header === undefined ? null : headerOf(exchange, header);
  return {
    request: requestOf(exchange),
    status: exchange.status,
    header: header === undefined ? null : `${header}: ${value === null ? '(not sent)' : excerptOf(value)}`,
    excerpt: excerpt === undefined ? null : excerptOf(excerpt),
    note: fitFor(note, maxNote),
  };
}

/** A line about what was not asked for, or cannot be asked for. */
export const bareLine = (evidence: Evidence, note: string): EvidenceLine => ({
  request: `GET ${fitFor(evidence.home, maxNote)}`,
  status: evidence.exchanges['home']?.status ?? null,
  header: null,
  excerpt: null,
  note: fitFor(note, maxNote),
});
