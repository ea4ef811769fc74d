import type { Exchange } from '../../fetch/exchange.ts';
import { EarlyVerdict, type Verdict } from '../check.ts';
import type { Evidence, EvidencePage } from '../evidence.ts';
import { isMarkdown, isMarkdownText } from '../facts/markdown.ts';
import { oncePerExchange } from '../facts/once-per-exchange.ts';
import { gaveNoAnswer } from './gates.ts';
import { bareLine } from './lines.ts';
import { pagesToJudge, type ReadPage } from './sampled-pages.ts';
import { absent, unchecked } from './verdicts.ts';

/** A sampled page with the markdown that was found for it, by negotiation or at an address of its own. */
export interface TwinPage extends ReadPage {
  /** The answer to `Accept: text/markdown`, null when the request came to nothing. */
  asked: Exchange | null;
  /** The markdown to read: the negotiated one, else that at the twin's address; null when there is none. */
  markdown: Exchange | null;
}

/** The sampled pages with their markdown. Ends the check as `pagesToJudge` does, and when none was answered. */
export function twinPages(evidence: Evidence): TwinPage[] {
  const pages = pagesToJudge(evidence).map((read): TwinPage => {
    const found = evidence.exchanges[read.page.markdown] ?? null;
    const asked = found === null || gaveNoAnswer(found) ? null : found;
    const own = read.page.twin === null ? null : (evidence.exchanges[read.page.twin.name] ?? null);
    const markdown = isMarkdown(asked) ? asked : isMarkdownText(own) ? own : null;
    return { ...read, asked, markdown };
  });
  if (pages.every(({ asked, markdown }) => asked === null && markdown === null)) {
    throw new EarlyVerdict(unchecked(bareLine(evidence, 'No request for markdown came to an answer.')));
  }
  return pages;
}

/**
 * The sampled pages that have markdown. Ends the check where none has: `markdown-on-request` counts the absence, if it
 * could be judged.
 */
export function pagesWithMarkdown(evidence: Evidence): (TwinPage & { markdown: Exchange })[] {
  const pages = twinPages(evidence);
  const found = pages.flatMap(({ markdown, ...page }) => (markdown === null ? [] : [{ ...page, markdown }]));
  if (found.length === 0) {
    throw new EarlyVerdict(withoutMarkdown(evidence, pages, 'There is no markdown to read.'));
  }
  return found;
}

/** The sampled pages that answer `Accept: text/markdown` with markdown. Ends the check where none does. */
export function negotiatingPages(evidence: Evidence): (TwinPage & { asked: Exchange })[] {
  const pages = twinPages(evidence);
  const found = pages.flatMap(({ asked, ...page }) => (isMarkdown(asked) ? [{ ...page, asked }] : []));
  if (found.length === 0) {
    throw new EarlyVerdict(
      withoutMarkdown(evidence, pages, 'No page negotiates: markdown was asked for and did not come.'),
    );
  }
  return found;
}

const withoutMarkdown = (evidence: Evidence, pages: TwinPage[], note: string): Verdict =>
  pages.every(({ asked }) => asked === null)
    ? unchecked(bareLine(evidence, 'No request for markdown came to an answer.'))
    : absent('markdown-on-request', bareLine(evidence, note));

/** What the markdown address of a page answered; null when it was not asked or gave no answer. */
export function twinAnswerOf(evidence: Evidence, page: EvidencePage): Exchange | null {
  const exchange = page.twin === null ? null : (evidence.exchanges[page.twin.name] ?? null);
  return exchange === null || gaveNoAnswer(exchange) ? null : exchange;
}

/** The words of a text in lower case, letters and digits only. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Characters of a page that are compared with its markdown, and of the markdown, marks and addresses included. */
export const mostCompared = { page: 250_000, markdown: 400_000 } as const;

/** The words of a markdown body without front matter, addresses of links and marks. */
export const markdownWords = oncePerExchange((exchange): string[] =>
  wordsOf(
    exchange.body
      .slice(0, mostCompared.markdown)
      .replace(/^\ufeff?---\r?\n[\s\S]{0,8000}?\r?\n---\r?\n/, '')
      .replace(/\]\([^()\s]{0,2048}(?:\s+"[^"]{0,300}")?\)/g, '] ')
      .replace(/\\(?=[\p{P}\p{S}])/gu, ''),
  ),
);
