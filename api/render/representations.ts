import { randomUUID } from 'node:crypto';
import { fromParse5 } from 'hast-util-from-parse5';
import { LRUCache } from 'lru-cache';
import type { Nodes, Root } from 'mdast';
import { parseFragment } from 'parse5';
import { visit } from 'unist-util-visit';
import { stringify as toYaml } from 'yaml';
import { toMarkdown, toMarkdownTree } from './html-to-markdown.ts';

/** The three representations of a page, as they go over the wire. */
export interface Representations {
  html: string;
  markdown: string;
  json: string;
}

/** The JSON twin of a page. */
export interface JsonTwin {
  url: string;
  title: string;
  description: string;
  updated: string;
  lang: string;
  kind: string;
  data: unknown;
  sections: { id: string | null; heading: string; level: number; text: string }[];
  links: { href: string; text: string }[];
  twins: { html: string; markdown: string; json: string };
}

/** What the page frame leaves in the HTML for the twins; it is taken out before anything is served. */
const payload = /<script type="application\/json" data-twin(?:="")?>(.*?)<\/script>/s;
const bytesSaved = '%bytes-saved%';

/** The text of a node as a person reads it: blocks on lines of their own, the cells of a row apart. */
function plainText(node: Nodes): string {
  if (node.type === 'tableRow') {
    return node.children.map(plainText).join(' | ');
  }
  if ('value' in node) {
    return node.value;
  }
  if (!('children' in node)) {
    return node.type === 'image' ? (node.alt ?? '') : '';
  }
  const blocks = ['root', 'list', 'listItem', 'table', 'blockquote'].includes(node.type);
  return node.children.map((child) => plainText(child)).join(blocks ? '\n' : '');
}

const holdsHeading = (node: Nodes): boolean =>
  node.type === 'heading' || ('children' in node && node.children.some(holdsHeading));

/** The blocks of a page in order; what has a heading somewhere inside it is opened. */
const flatten = (nodes: readonly Nodes[]): Nodes[] =>
  nodes.flatMap((node) =>
    node.type !== 'heading' && 'children' in node && holdsHeading(node) ? flatten(node.children) : [node],
  );

function toSections(tree: Root): JsonTwin['sections'] {
  const sections: JsonTwin['sections'] = [];
  const bodies: Nodes[][] = [];
  for (const node of flatten(tree.children)) {
    if (node.type === 'heading') {
      sections.push({ id: node.data?.id ?? null, heading: plainText(node), level: node.depth, text: '' });
      bodies.push([]);
    } else {
      bodies.at(-1)?.push(node);
    }
  }
  return sections.map((section, index) => ({ ...section, text: (bodies[index] ?? []).map(plainText).join('\n\n') }));
}

function toLinks(tree: Root): JsonTwin['links'] {
  const links = new Map<string, { href: string; text: string }>();
  visit(tree, 'link', (node) => {
    const text = plainText(node);
    links.set(`${node.url} ${text}`, { href: node.url, text });
  });
  return [...links.values()];
}

/** What is a link, an image, raw HTML or code in markdown, or begins one. */
const markup = /[<[`]|:\/\/|www\./;

/**
 * YAML of one line for each member. A title may be a visitor's text, and a reader that knows no front matter takes it for
 * markdown: what could be markup there is written as an escape.
 */
const toFrontMatter = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([name, value]) =>
      name === 'title' && markup.test(value)
        ? `${name}: ${JSON.stringify(value).replace(/[<>[\]()`*_!~|&:.@]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
        : toYaml({ [name]: value }, { lineWidth: 0 }),
    )
    .join('');

/** Turns the HTML of `<main>` into the tree of the markdown twin. */
export type ToTree = (content: string, url: string) => Root;

// Without positions, which nothing reads here; keeping them takes a tenth of the time.
const toTree: ToTree = (content, url) =>
  toMarkdownTree(fromParse5(parseFragment(content, { scriptingEnabled: false })), url);

/** Parts that are converted on their own. What visitors write is escaped, so that it can hold neither tag. */
const entryPart = /<article [^>]*>.*?<\/article>/gs;
const sectionPart = /<section [^>]*>(?:(?!<section|<pre data-untrusted).)*?<\/section>/gs;

/**
 * Builds a conversion that remembers the parts of the pages it has seen, so that a page of entries of which one is new costs
 * one entry. Its trees are those of the plain conversion.
 */
export function createRememberingTree(maxParts = 2000): ToTree {
  const known = new LRUCache<string, Root>({ max: maxParts });
  const mark = `part ${randomUUID()} `;
  const recall = (part: string, url: string): Root => {
    const key = `${url} ${part}`;
    const tree = known.get(key) ?? toTree(part, url);
    known.set(key, tree);
    return tree;
  };
  return (content, url) => {
    const parts: string[] = [];
    const takeOut = (part: string): string => {
      parts.push(part);
      return `<pre data-untrusted>${mark}${parts.length - 1}</pre>`;
    };
    const frame = toTree(content.replace(entryPart, takeOut).replace(sectionPart, takeOut), url);
    let restored = 0;
    const children = frame.children.flatMap((child) => {
      const part =
        child.type === 'untrusted' && child.value.startsWith(mark)
          ? parts[Number(child.value.slice(mark.length))]
          : undefined;
      if (part === undefined) {
        return [child];
      }
      restored += 1;
      return recall(part, url).children;
    });
    // A part that lay deeper, such as in a list, can't be put back: then nothing is taken out.
    return restored === parts.length ? { ...frame, children } : toTree(content, url);
  };
}

/**
 * Makes the three representations of a page from its rendered HTML. Both twins are derived from `<main>`, so they
 * cannot say anything else than the page says.
 */
export function toRepresentations(rendered: string, convert: ToTree = toTree): Representations {
  const match = payload.exec(rendered);
  const content = /<main[ >].*<\/main>/s.exec(rendered)?.[0];
  if (match?.[1] === undefined || content === undefined) {
    throw new Error('the rendered page carries no data for its twins: is it framed by Page.astro?');
  }
  const { data, kind, ...facts } = JSON.parse(match[1]) as Omit<JsonTwin, 'sections' | 'links'>;
  const { title, description, url, updated, lang } = facts;
  const page = rendered.replace(payload, '');
  const main = convert(content, url);

  const frontMatter = toFrontMatter({ title, description, url, updated, lang, last_updated: updated });
  const markdown = `---\n${frontMatter}---\n\n${toMarkdown(main)}`;
  const twin: JsonTwin = {
    url,
    title,
    description,
    updated,
    lang,
    kind,
    data,
    sections: toSections(main),
    links: toLinks(main),
    twins: facts.twins,
  };
  // The number takes exactly the room of its placeholder, so that it states its own page's size truly.
  const saved = Buffer.byteLength(page) - Buffer.byteLength(markdown);
  const html = page.replace(bytesSaved, `${saved.toLocaleString('en')} bytes`.padEnd(bytesSaved.length));
  return { html, markdown, json: JSON.stringify(twin) };
}
