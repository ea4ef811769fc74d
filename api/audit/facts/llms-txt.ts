import { type MarkdownFacts, markdownOf, toMarkdownFacts } from './markdown.ts';
import { oncePerContent } from './once-per-exchange.ts';

/** An llms.txt (llmstxt.org): one first-level heading, an optional quoted summary, sections with lists of links. */
export interface LlmsTxtFacts {
  title: string | null;
  summary: string | null;
  /** How many first-level headings there are; one is right. */
  titles: number;
  /** Second-level headings with the links of their lists, in order. */
  sections: { title: string; links: { text: string; href: string; line: number }[] }[];
  /** All links, those outside sections and bare addresses included. */
  links: MarkdownFacts['links'];
  /** Why the file is not an llms.txt; empty when it is one. */
  problems: string[];
}

const maxBare = 10_000;

/** Addresses that the text gives without the form of a link, absolute or as the first thing of an item of a list. */
function bareAddresses(text: string): MarkdownFacts['links'] {
  const found: MarkdownFacts['links'] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const rest = line
      .slice(0, 20_000)
      .replace(/\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2048}[^()]{0,300}\)|<https?:[^\s<>]{1,2048}>/g, ' ');
    const written = [
      ...rest.matchAll(/https?:\/\/[^\s<>()[\]"'`]{1,2048}/gi),
      ...rest.matchAll(/^\s{0,8}[-*+]\s+(\/[^\s<>()[\]"'`:]{1,2048})/g),
    ];
    for (const match of written) {
      const href = (match[1] ?? match[0]).replace(/[.,;:!?]+$/, '');
      if (found.length < maxBare) {
        found.push({ text: href, href, line: index + 1 });
      }
    }
  }
  return found;
}

function toFacts(text: string, markdown: MarkdownFacts): LlmsTxtFacts {
  const links = [...markdown.links, ...bareAddresses(text)].sort((one, other) => one.line - other.line);
  const titles = markdown.headings.filter((heading) => heading.level === 1);
  const parts = markdown.headings.filter((heading) => heading.level === 2);
  const sections = parts.map((part): LlmsTxtFacts['sections'][number] => ({ title: part.text, links: [] }));
  let section = -1;
  for (const link of links) {
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
    links,
    problems,
  };
}

/** Reads an llms.txt. Never throws. */
export const toLlmsTxtFacts = (text: string): LlmsTxtFacts => toFacts(text, toMarkdownFacts(text));

/** The llms.txt of an exchange. */
export const llmsTxtOf = oncePerContent((exchange) => toFacts(exchange.body, markdownOf(exchange)));
