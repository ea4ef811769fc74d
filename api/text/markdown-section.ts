/** A heading of a page, as its JSON twin has it. */
export interface PageSection {
  /** The fragment that leads to it, or null. */
  id: string | null;
  heading: string;
  level: number;
}

interface Heading {
  line: number;
  level: number;
}

/** The headings of markdown, those in code blocks left out. */
function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const [line, text] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) {
      fence = fence === null ? mark : mark.startsWith(fence) ? null : fence;
    } else if (fence === null) {
      const hashes = /^(#{1,6}) /.exec(text)?.[1];
      if (hashes !== undefined) {
        headings.push({ line, level: hashes.length });
      }
    }
  }
  return headings;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** That a page has no such section, and which it has. */
export function noSuchSection(path: string, section: string, sections: readonly PageSection[]): string {
  const known = sections.filter(({ level }) => level > 1).map(({ id, heading }) => id ?? heading);
  return `${path} has no section "${section.slice(0, 100)}". It has: ${known.slice(0, 40).join(', ')}.`;
}

/**
 * The part of a page below one heading, up to the next of the same weight or more. `section` is the fragment or the text of
 * the heading. Null when the page has no such section, or when its headings are not those of `sections`.
 */
export function markdownSection(markdown: string, sections: readonly PageSection[], section: string): string | null {
  const lines = markdown.split('\n');
  const headings = headingsOf(lines);
  if (headings.length !== sections.length) {
    return null;
  }
  const wanted = plain(section);
  const index = sections.findIndex(({ id, heading }) => id === section || plain(heading) === wanted);
  const start = headings[index];
  if (start === undefined) {
    return null;
  }
  const end = headings.slice(index + 1).find(({ level }) => level <= start.level);
  return `${lines.slice(start.line, end?.line).join('\n').trim()}\n`;
}
