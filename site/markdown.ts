import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
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

/** Wide blocks scroll inside a box of their own that the keyboard can reach; a table's box has a name. */
function boxWideBlocks() {
  return (tree: Root): void => {
    let heading = '';
    visit(tree, 'element', (node, index, parent) => {
      if (/^h[1-6]$/.test(node.tagName)) {
        heading = textOf(node);
      }
      if (node.tagName === 'pre') {
        node.properties = { ...node.properties, className: ['code'], tabIndex: 0 };
        return SKIP;
      }
      if (node.tagName === 'table' && parent && index !== undefined) {
        const box: Element = {
          type: 'element',
          tagName: 'div',
          properties: { className: ['table'], role: 'region', ariaLabel: `Table: ${heading}`, tabIndex: 0 },
          children: [node],
        };
        parent.children[index] = box;
        return SKIP;
      }
      return undefined;
    });
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
