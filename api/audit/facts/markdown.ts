import type { Exchange } from '../../fetch/exchange.ts';
import { isSuccess, mediaTypeOf } from './headers.ts';
import { oncePerContent } from './once-per-exchange.ts';

/** What a markdown text consists of, as far as checks judge it. */
export interface MarkdownFacts {
  /** The names and raw values of YAML front matter (top level only), or null when there is none. */
  frontMatter: Record<string, string> | null;
  headings: { level: number; text: string; line: number }[];
  /** Inline links `[text](href)` and autolinks outside code, as written; pictures left out. */
  links: { text: string; href: string; line: number }[];
  /** The line at which a code fence opens that never closes, or null. */
  unclosedFence: number | null;
  /** True when the text begins like an HTML document: not markdown, whatever its type says. */
  isHtml: boolean;
  characters: number;
}

const maxLinks = 10_000;
const maxTriesPerLine = 1000;

/** A line's inline links. Brackets are matched by position, not by backtracking. */
function linksIn(line: string, number: number): MarkdownFacts['links'] {
  const links: MarkdownFacts['links'] = [];
  const text = line.replace(/`+[^`]*`+/g, (code) => ' '.repeat(code.length));
  let tried = 0;
  for (
    let middle = text.indexOf('](');
    middle !== -1 && tried < maxTriesPerLine;
    middle = text.indexOf('](', middle + 2)
  ) {
    tried += 1;
    let open = middle - 1;
    for (let depth = 0; open >= 0; open -= 1) {
      if (text[open] === ']') {
        depth += 1;
      } else if (text[open] === '[') {
        if (depth === 0) {
          break;
        }
        depth -= 1;
      }
      if (middle - open > 1000) {
        open = -1;
      }
    }
    const target = /^\s{0,9}(?:<([^<>]{0,2048})>|([^\s()]{1,2048}(?:\([^\s()]{0,200}\)[^\s()]{0,2048})?))/.exec(
      text.slice(middle + 2, middle + 6000),
    );
    const href = target?.[1] ?? target?.[2];
    if (open >= 0 && href !== undefined && text[open - 1] !== '!') {
      links.push({ text: line.slice(open + 1, middle).trim(), href, line: number });
    }
  }
  for (const match of text.matchAll(/<(https?:\/\/[^\s<>]{1,2048})>/g)) {
    const href = match[1] ?? '';
    links.push({ text: href, href, line: number });
  }
  return links;
}

/** Reads markdown line by line. Never throws. */
export function toMarkdownFacts(source: string): MarkdownFacts {
  const text = source.replace(/^\ufeff/, '');
  const lines = text.split(/\r\n|\r|\n/);
  const facts: MarkdownFacts = {
    frontMatter: null,
    headings: [],
    links: [],
    unclosedFence: null,
    isHtml: /^\s*(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 1000)),
    characters: text.length,
  };
  let first = 0;
  if (lines[0]?.trimEnd() === '---') {
    const end = lines.findIndex((line, index) => index > 0 && index < 200 && /^(---|\.\.\.)\s*$/.test(line));
    if (end !== -1) {
      const pairs = lines.slice(1, end).flatMap((line): [string, string][] => {
        const match = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line);
        return match?.[1] === undefined ? [] : [[match[1], (match[2] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2')]];
      });
      facts.frontMatter = Object.fromEntries(pairs);
      first = end + 1;
    }
  }
  let fence: { mark: string; line: number } | null = null;
  for (const [index, line] of lines.entries()) {
    if (index < first) {
      continue;
    }
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      const mark = marks?.[1] ?? '';
      if (mark[0] === fence.mark[0] && mark.length >= fence.mark.length && (marks?.[2] ?? '').trim() === '') {
        fence = null;
      }
      continue;
    }
    if (marks?.[1] !== undefined && !(marks[1].startsWith('`') && (marks[2] ?? '').includes('`'))) {
      fence = { mark: marks[1], line: index + 1 };
      continue;
    }
    const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
    if (heading?.[1] !== undefined) {
      const words = (heading[2] ?? '').trim().replace(/\s#+$/, '').trim();
      facts.headings.push({ level: heading[1].length, text: words, line: index + 1 });
    }
    if (facts.links.length < maxLinks && !/^(?: {4}|\t)/.test(line)) {
      facts.links.push(...linksIn(line.slice(0, 20_000), index + 1));
    }
  }
  facts.unclosedFence = fence?.line ?? null;
  return facts;
}

/** The body of an exchange as markdown. */
export const markdownOf = oncePerContent((exchange) => toMarkdownFacts(exchange.body));

/** True when an exchange brought markdown: the type says so and the text is no HTML. */
export const isMarkdown = (exchange: Exchange | null): exchange is Exchange =>
  isSuccess(exchange) && mediaTypeOf(exchange) === 'text/markdown' && !markdownOf(exchange).isHtml;

/** True when an address meant for markdown brought text that can be read as such: servers often call it plain text. */
export const isMarkdownText = (exchange: Exchange | null): exchange is Exchange =>
  isMarkdown(exchange) ||
  (isSuccess(exchange) &&
    ['text/plain', 'text/x-markdown'].includes(mediaTypeOf(exchange) ?? '') &&
    !markdownOf(exchange).isHtml);
