import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Element, ElementContent, Root as HastRoot } from 'hast';
import type { Nodes, Root, RootContent } from 'mdast';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse as parseYaml } from 'yaml';

/*
 * Parity, proved for every built page: what a person reads in `<main>` is compared with the twin after parsing both,
 * one from the HTML and one from the markdown. The comparison knows nothing of how the twin is made.
 */
const distDir = process.env['DIST_DIR'];
if (distDir === undefined) {
  throw new Error('DIST_DIR names the built site: run the tests with `npm test`');
}
const clientDir = join(distDir, 'client');
const pages = readdirSync(clientDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

const htmlParser = unified().use(rehypeParse);
const markdownParser = unified().use(remarkParse).use(remarkGfm);

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

const isElement = (node: ElementContent | HastRoot['children'][number]): node is Element => node.type === 'element';

const isHidden = (node: Element): boolean =>
  node.properties['hidden'] !== undefined ||
  String(node.properties['ariaHidden']) === 'true' ||
  ['script', 'style', 'template', 'button'].includes(node.tagName);

/** The text of an element as a person reads it; drawings speak through their title. */
function readText(node: Element): string {
  if (isHidden(node)) {
    return '';
  }
  if (node.tagName === 'svg') {
    return '';
  }
  const quoted = node.tagName === 'q' ? '"' : '';
  return `${quoted}${node.children
    .map((child) => (child.type === 'text' ? child.value : isElement(child) ? readText(child) : ''))
    .join(['td', 'th', 'li', 'p', 'div', 'dt', 'dd', 'tr'].includes(node.tagName) ? '' : '')}${quoted}`;
}

function mainOf(html: string): Element {
  let main: Element | undefined;
  visit(htmlParser.parse(html), 'element', (node) => {
    if (node.tagName === 'main') {
      main ??= node;
    }
  });
  assert.ok(main, 'the page has a main element');
  return main;
}

/** Visits the elements of a page that are shown. */
function eachShown(node: Element, see: (element: Element) => void): void {
  for (const child of node.children) {
    if (isElement(child) && !isHidden(child)) {
      see(child);
      eachShown(child, see);
    }
  }
}

const markdownText = (node: Nodes): string =>
  'value' in node
    ? node.value
    : node.type === 'image'
      ? (node.alt ?? '')
      : node.type === 'break'
        ? ' '
        : 'children' in node
          ? node.children.map(markdownText).join('')
          : '';

interface Parts {
  headings: string[];
  cells: string[];
  code: string[];
  links: Set<string>;
  text: string;
}

function partsOfMarkdown(tree: Root): Parts {
  const parts: Parts = { headings: [], cells: [], code: [], links: new Set(), text: '' };
  visit(tree, (node) => {
    if (node.type === 'heading') {
      parts.headings.push(`${node.depth} ${squeeze(markdownText(node))}`);
    } else if (node.type === 'tableCell') {
      parts.cells.push(squeeze(markdownText(node)));
    } else if (node.type === 'code') {
      parts.code.push(node.value.trim());
    } else if (node.type === 'link') {
      parts.links.add(node.url);
    }
  });
  parts.text = squeeze(tree.children.map((child: RootContent) => blockText(child)).join(' '));
  return parts;
}

const blockText = (node: Nodes): string =>
  'children' in node && !['paragraph', 'heading', 'tableCell'].includes(node.type)
    ? node.children.map(blockText).join(' ')
    : markdownText(node);

function partsOfHtml(main: Element, base: string): Parts & { items: string[]; pictures: string[] } {
  const parts = {
    headings: [] as string[],
    cells: [] as string[],
    code: [] as string[],
    links: new Set<string>(),
    text: '',
    items: [] as string[],
    pictures: [] as string[],
  };
  eachShown(main, (element) => {
    const { tagName } = element;
    if (/^h[1-6]$/.test(tagName)) {
      parts.headings.push(`${tagName[1]} ${squeeze(readText(element))}`);
    } else if (tagName === 'td' || tagName === 'th') {
      parts.cells.push(squeeze(readText(element)));
    } else if (tagName === 'pre') {
      parts.code.push(readText(element).trim());
    } else if (tagName === 'a' && typeof element.properties['href'] === 'string') {
      parts.links.add(new URL(element.properties['href'], base).href);
    } else if (tagName === 'p' || tagName === 'dt') {
      parts.items.push(squeeze(readText(element)));
    } else if (tagName === 'li' || tagName === 'dd') {
      const own = element.children
        .map((child) =>
          child.type === 'text'
            ? child.value
            : isElement(child) &&
                !['ul', 'ol', 'dl', 'p', 'div', 'table', 'pre', 'h3', 'details', 'br'].includes(child.tagName)
              ? readText(child)
              : '\n',
        )
        .join('')
        .split('\n');
      parts.items.push(...own.map(squeeze).filter(Boolean));
    } else if (tagName === 'svg' && element.properties['role'] === 'img') {
      const title = element.children.find((child) => isElement(child) && child.tagName === 'title');
      parts.pictures.push(title && isElement(title) ? squeeze(readText(title)) : '');
    } else if (tagName === 'img') {
      parts.pictures.push(String(element.properties['alt'] ?? ''));
    }
  });
  return parts;
}

/** What carries no more than its look may differ: the marks that markdown puts around words are not in a tree's text. */
const loosely = (text: string): string => text.replace(/["“”\s]/g, '');

describe('the twins of every built page', () => {
  it('finds pages', () => {
    assert.ok(pages.length > 50, `${pages.length} pages`);
  });

  for (const name of pages) {
    it(name, () => {
      const stem = join(clientDir, name.slice(0, -'.html'.length));
      const html = readFileSync(`${stem}.html`, 'utf8');
      const markdown = readFileSync(`${stem}.md`, 'utf8');
      const json = JSON.parse(readFileSync(`${stem}.json`, 'utf8')) as Record<string, unknown> & {
        url: string;
        sections: { heading: string; level: number }[];
        links: { href: string }[];
      };
      assert.ok(!html.includes('data-twin'), 'the data of the twins is taken out');
      assert.ok(!html.includes('%bytes-saved%') && !markdown.includes('%bytes-saved%'), 'the placeholder is filled');

      const [, frontMatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(markdown) ?? [];
      const facts = parseYaml(frontMatter) as Record<string, string>;
      for (const key of ['title', 'description', 'url', 'updated', 'lang']) {
        assert.equal(facts[key], json[key], `front matter and JSON agree on ${key}`);
      }

      const page = partsOfHtml(mainOf(html), json.url);
      const twin = partsOfMarkdown(markdownParser.parse(body));
      assert.deepEqual(twin.headings, page.headings, 'the headings, in order and depth');
      assert.deepEqual(
        json.sections.map(({ level, heading }) => `${level} ${squeeze(heading)}`),
        page.headings,
        'the sections of the JSON twin',
      );
      assert.deepEqual(twin.cells.map(loosely), page.cells.map(loosely), 'the cells of the tables');
      assert.deepEqual(twin.code, page.code, 'the blocks of code');
      assert.deepEqual([...twin.links].sort(), [...page.links].sort(), 'the targets of the links');
      assert.deepEqual(
        [...new Set(json.links.map(({ href }) => href))].sort(),
        [...page.links].sort(),
        'the links of the JSON twin',
      );
      const text = loosely(twin.text);
      for (const item of page.items) {
        assert.ok(text.includes(loosely(item)), `the twin lacks: ${item}`);
      }
      for (const picture of page.pictures) {
        assert.notEqual(picture, '', 'a picture has a text alternative');
        assert.ok(text.includes(loosely(picture)), `the twin lacks the picture: ${picture}`);
      }
    });
  }
});
