import { type MarkdownFacts, markdownOf, toMarkdownFacts } from './markdown.ts';
import { oncePerExchange } from './once-per-exchange.ts';

/** An llms.txt (llmstxt.org): one first-level heading, an optional quoted summary, sections with lists of links. */
export interface LlmsTxtFacts {
  title: string | null;
  summary: string | null;
  /** How many first-level headings there are; one is right. */
  titles: number;
  /** Second-level headings with the links of their lists, in order. */
  sections: { title: string; links: { text: string; href: string; line: number }[] }[];
  /** All links, those outside sections included. */
  links: MarkdownFacts['links'];
  /** Why the file is not an llms.txt; empty when it is one. */
  problems: string[];
}

function toFacts(text: string, markdown: MarkdownFacts): LlmsTxtFacts {
  const titles = markdown.headings.filter((heading) => heading.level === 1);
  const parts = markdown.headings.filter((heading) => heading.level === 2);
  const sections = parts.map((part): LlmsTxtFacts['sections'][number] => ({ title: part.text, links: [] }));
  let section = -1;
  for (const link of markdown.links) {
    while ((parts[section + 1]?.line ?? Number.POSITIVE_INFINITY) <= link.line) {
      section += 1;
    }
    sections[section]?.links.push(link);
  }
  const quote = text.split(/\r\n|\r|\n/).find((line) => /^ {0,3}>/.test(line));
  const problems = [
    markdown.isHtml ? 'The file is an HTML page.' : null,
    titles.length === 0 ? 'There is no first-level heading.' : null,
    titles.length > 1 ? `There are ${titles.length} first-level headings; one names the site.` : null,
    titles[0] !== undefined && markdown.headings[0] !== titles[0]
      ? 'The first heading is not the first-level one.'
      : null,
  ].filter((problem) => problem !== null);
  return {
    title: titles[0]?.text ?? null,
    summary: quote?.replace(/^ {0,3}>\s?/, '').trim() || null,
    titles: titles.length,
    sections,
    links: markdown.links,
    problems,
  };
}

/** Reads an llms.txt. Never throws. */
export const toLlmsTxtFacts = (text: string): LlmsTxtFacts => toFacts(text, toMarkdownFacts(text));

/** The llms.txt of an exchange. */
export const llmsTxtOf = oncePerExchange((exchange) => toFacts(exchange.body, markdownOf(exchange)));
