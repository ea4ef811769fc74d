import type { Nodes, Root } from 'mdast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
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

const parser = unified().use(rehypeParse, { fragment: true });

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

/**
 * Makes the three representations of a page from its rendered HTML. Both twins are derived from `<main>`, so they
 * cannot say anything else than the page says.
 */
export function toRepresentations(rendered: string): Representations {
  const match = payload.exec(rendered);
  const content = /<main[ >].*<\/main>/s.exec(rendered)?.[0];
  if (match?.[1] === undefined || content === undefined) {
    throw new Error('the rendered page carries no data for its twins: is it framed by Page.astro?');
  }
  const { data, kind, ...facts } = JSON.parse(match[1]) as Omit<JsonTwin, 'sections' | 'links'>;
  const { title, description, url, updated, lang } = facts;
  const page = rendered.replace(payload, '');
  const main = toMarkdownTree(parser.parse(content), url);

  const frontMatter = toYaml({ title, description, url, updated, lang, last_updated: updated }, { lineWidth: 0 });
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
