import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

/** A turn of phrase that reads like a translation, and what to write. */
interface ProseRule {
  pattern: RegExp;
  say: string;
}

export const proseRules: readonly ProseRule[] = [
  { pattern: /\bstands?\b(?! (?:for|in for|in the way|alone|out|up)\b)/i, say: 'write "is", "appears" or "goes"' },
  { pattern: /\bbeside\b/i, say: 'write "next to", "with" or "as well as"' },
  { pattern: /\b(?:is|are|was|were|be) told\b/i, say: 'say who gets what: "you get", "the answer says"' },
  { pattern: /\b(?:to|could not|cannot|can’t|can't) be had\b/i, say: 'write "get", "fetch" or "available"' },
  { pattern: /\bwhoever\b/i, say: 'write "anyone who" or "if you"' },
  { pattern: /\bas a rule\b/i, say: 'write "usually"' },
  { pattern: /\b(?:something|nothing|anything) else than\b/i, say: 'write "other than", or say what it was' },
  { pattern: /\blies? (?:in|at|on|below|under|between|side)\b/i, say: 'write "is"' },
  { pattern: /\bof the kind\b/i, say: 'name the thing' },
  { pattern: /\b(?:thereof|therein|thereby|whereby|upon)\b/i, say: 'use an everyday word' },
];

/** A place in a text that breaks a rule. */
export interface ProseFault {
  line: number;
  found: string;
  say: string;
}

function faultsIn(text: string, firstLine: number): ProseFault[] {
  return text.split('\n').flatMap((line, index) =>
    proseRules.flatMap(({ pattern, say }) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [{ line: firstLine + index, found, say }];
    }),
  );
}

/** Checks the prose of a markdown document: its code is left out. */
export function checkMarkdown(document: string): ProseFault[] {
  const faults: ProseFault[] = [];
  visit(unified().use(remarkParse).use(remarkGfm).parse(document), 'text', ({ value, position }) => {
    faults.push(...faultsIn(value, position?.start.line ?? 1));
  });
  return faults;
}

/** Checks the texts in a source file: its comments are left out. */
export function checkSource(source: string): ProseFault[] {
  const blanked = (comment: string): string => comment.replace(/[^\n]/g, ' ');
  return faultsIn(
    source
      .replace(/\/\*[\s\S]*?\*\//g, blanked)
      .replace(/<!--[\s\S]*?-->/g, blanked)
      .replace(/(^|\s)\/\/[^\n]*/g, blanked),
    1,
  );
}
