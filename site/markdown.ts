import type { Element, Root, RootContent } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { h } from 'hastscript';
import apache from 'highlight.js/lib/languages/apache';
import http from 'highlight.js/lib/languages/http';
import nginx from 'highlight.js/lib/languages/nginx';
import { common } from 'lowlight';
import rehypeHighlight from 'rehype-highlight';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { site } from './site.ts';

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

/**
 * Names that differ, from the headings above each thing, the nearest last: as few of them as tell it from the others, and a
 * number where all are the same.
 */
function toNames(trails: readonly (readonly string[])[]): string[] {
  return trails.map((trail, index) => {
    for (let length = 1; length <= trail.length; length += 1) {
      const name = trail.slice(-length).join(', ');
      if (trails.filter((other) => other.slice(-length).join(', ') === name).length === 1) {
        return name;
      }
    }
    const whole = trail.join(', ');
    const before = trails.slice(0, index).filter((other) => other.join(', ') === whole).length;
    return `${whole} (${before + 1})`;
  });
}

/** How a language is called above a block of code; others are called by their own name. */
const languageNames: Record<string, string> = {
  bash: 'Shell',
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  json: 'JSON',
  html: 'HTML',
  http: 'HTTP',
  yaml: 'YAML',
  python: 'Python',
  php: 'PHP',
  markdown: 'Markdown',
  xml: 'XML',
  txt: 'Text',
  text: 'Text',
};

/** A block of code on night ground, with its language above it. */
function codeBox(pre: Element): Element {
  const code = pre.children.find((child) => child.type === 'element');
  const classes = code?.properties['className'];
  const language = (Array.isArray(classes) ? classes.map(String) : [])
    .find((name) => name.startsWith('language-'))
    ?.slice('language-'.length);
  const dataLanguage = language === undefined ? 'Text' : (languageNames[language] ?? language);
  return h('div', { className: ['code'], dataLanguage }, [pre]);
}

/** Wide blocks scroll inside a box of their own that the keyboard can reach; a table's box has a name of its own. */
function boxWideBlocks() {
  return (tree: Root): void => {
    const headings: { depth: number; text: string }[] = [];
    const boxes: { box: Element; trail: string[] }[] = [];
    visit(tree, 'element', (node, index, parent) => {
      const depth = Number(/^h([1-6])$/.exec(node.tagName)?.[1] ?? 0);
      if (depth > 0) {
        while ((headings.at(-1)?.depth ?? 0) >= depth) {
          headings.pop();
        }
        headings.push({ depth, text: textOf(node) });
      }
      if (node.tagName === 'pre' && parent && index !== undefined) {
        node.properties = { ...node.properties, tabIndex: 0 };
        parent.children[index] = codeBox(node);
        return SKIP;
      }
      if (node.tagName === 'table' && parent && index !== undefined) {
        const box = h('div', { className: ['tablebox'], role: 'region', tabIndex: 0 }, [node]);
        node.properties = { ...node.properties, className: ['table'] };
        parent.children[index] = box;
        boxes.push({ box, trail: headings.map(({ text }) => text) });
        return SKIP;
      }
      return undefined;
    });
    const names = toNames(boxes.map(({ trail }) => trail));
    boxes.forEach(({ box }, index) => {
      box.properties['ariaLabel'] = `Table: ${names[index]}`;
    });
  };
}

/** Headings of sections whose parts are one for each stack: a reader needs one of them. */
const stackSections = /^Do it on your site$/;

/** A short name of a stack, which the address can carry (`?stack=nginx`): `Next.js (App Router)` is `next-js`. */
const stackOf = (title: string): string =>
  (/^[\w.]+(?: [A-Z][\w.]*)?/.exec(title)?.[0] ?? title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * The parts of a section of stacks become tabs, each named by its heading: an exclusive set of `<details>`, which works without
 * a script and leaves all of it in the page, for find-in-page, print and the twins.
 */
function tabStacks() {
  return (tree: Root): void => {
    const isHeading = (node: RootContent, level: string): node is Element =>
      node.type === 'element' && node.tagName === level;
    const start = tree.children.findIndex((node) => isHeading(node, 'h2') && stackSections.test(textOf(node)));
    const after = tree.children.findIndex((node, index) => index > start && isHeading(node, 'h2'));
    const end = after === -1 ? tree.children.length : after;
    const first = tree.children.findIndex((node, index) => index > start && index < end && isHeading(node, 'h3'));
    if (start === -1 || first === -1) {
      return;
    }
    const tabs: { heading: Element; content: RootContent[] }[] = [];
    for (const node of tree.children.slice(first, end)) {
      if (isHeading(node, 'h3')) {
        tabs.push({ heading: node, content: [] });
      } else {
        tabs.at(-1)?.content.push(node);
      }
    }
    const details = tabs.map(({ heading, content }, index) =>
      h('details', { name: 'stack', dataStack: stackOf(textOf(heading)), open: index === 0 }, [
        h('summary', [heading]),
        h('div', { className: ['pane'] }, content),
      ]),
    );
    tree.children.splice(first, end - first, h('div', { className: ['tabs', 'stacktabs'], dataStacks: '' }, details));
  };
}

/** The boxes of a list of tasks are named by what is to be done. */
function nameTaskBoxes() {
  return (tree: Root): void => {
    visit(tree, 'element', (node) => {
      const box = node.tagName === 'li' ? node.children.find((child) => child.type === 'element') : undefined;
      if (box?.tagName === 'input') {
        box.properties['ariaLabel'] = textOf(node).trim();
      }
    });
  };
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSlug)
  .use(rehypeHighlight, {
    languages: { ...common, apache, http, nginx },
    aliases: { plaintext: ['txt', 'text', 'robots', 'caddy'], bash: ['console'] },
  })
  .use(boxWideBlocks)
  .use(nameTaskBoxes)
  .use(tabStacks)
  .use(rehypeStringify);

/** Renders our own markdown to HTML. `{base_url}` stands for the origin of the site. */
export function renderMarkdown(source: string): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const tree = processor.runSync(processor.parse(source.replaceAll('{base_url}', site.origin)));
  visit(tree, 'element', (node) => {
    if (/^h[2-4]$/.test(node.tagName)) {
      headings.push({ depth: Number(node.tagName[1]), id: String(node.properties['id']), text: textOf(node) });
    }
  });
  return { html: processor.stringify(tree), headings };
}

/** A block of highlighted code. */
export const renderCode = (code: string, language: string): string =>
  renderMarkdown(`\`\`\`\`\`\`${language}\n${code}\n\`\`\`\`\`\``).html;

/** One line of our own markdown, without the paragraph around it. */
export const renderInline = (line: string): string => renderMarkdown(line).html.replace(/^<p>(.*)<\/p>$/s, '$1');
