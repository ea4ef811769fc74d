import type { Exchange } from '../../fetch/exchange.ts';
import type { Evidence, ExchangeName } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';
import { isMarkdown, isMarkdownText } from '../facts/markdown.ts';
import { isHtml } from './gates.ts';

const files: ExchangeName[] = [
  'llms-txt',
  'llms-txt:root',
  'agents-json',
  'ard',
  'ai-catalog',
  'api-catalog',
  'agent-card',
  'openapi',
  'sitemap-md',
];

/** Something that the site serves for programs: a file, or the markdown of a page; null when it has nothing of the kind. */
export function machineResource(evidence: Evidence): Exchange | null {
  const served = files
    .map((name) => evidence.exchanges[name] ?? null)
    .find((exchange) => isSuccess(exchange) && !isHtml(exchange));
  if (served !== undefined) {
    return served;
  }
  for (const { markdown, twin } of evidence.pages) {
    const asked = evidence.exchanges[markdown] ?? null;
    const own = twin === null ? null : (evidence.exchanges[twin.name] ?? null);
    if (isMarkdown(asked)) {
      return asked;
    }
    if (isMarkdownText(own)) {
      return own;
    }
  }
  return null;
}
