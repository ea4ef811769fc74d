import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Element, ElementContent, Root as HastRoot } from 'hast';
import type { Nodes, Root } from 'mdast';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { parse as parseYaml } from 'yaml';
import type { JsonTwin } from '#api/render/representations.ts';
import { twinPaths } from '#site/site-map.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

/*
 * Parity, proved for built pages: one of each kind in the site set, all others in the slow set. What a person reads in `<main>` is read from the HTML as an outline of blocks
 * (headings, paragraphs, tables, lists, code, in order); the twin is parsed as markdown and read as an outline of the
 * same form; the two must be equal. Neither reading knows how the twin is made.
 */

/** A block of a page with the text that a person reads in it. */
type Block =
  | { heading: number; text: string }
  | { text: string }
  | { code: string }
  | { rows: string[][] }
  | { list: 'ordered' | 'unordered'; items: Block[][] }
  | { quote: Block[] };

interface Outline {
  blocks: Block[];
  /** Targets and texts of the links, in order. */
  links: string[];
}

const squeeze = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ').trim();

const isElement = (node: HastRoot['children'][number]): node is Element => node.type === 'element';

const isHidden = (node: Element): boolean =>
  node.properties['hidden'] !== undefined ||
  String(node.properties['ariaHidden']) === 'true' ||
  ['script', 'style', 'template', 'button'].includes(node.tagName);

/** Elements that stand on lines of their own; all others run on in the text around them. */
const blockNames = new Set(
  'address article aside blockquote details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table ul'.split(
    ' ',
  ),
);

const child = (node: Element, name: string): Element | undefined =>
  node.children.find((each): each is Element => isElement(each) && each.tagName === name);

/** What stands for a picture in running text. */
function pictureText(node: Element): string {
  const title = child(node, 'title');
  const label = title ? runText(title.children) : String(node.properties['ariaLabel'] ?? '');
  assert.notEqual(label, '', 'a drawing that is shown has a text alternative');
  return `Picture: ${squeeze(label)}`;
}

/** The text of a run of inline nodes. */
function runText(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') {
        return node.value;
      }
      if (!isElement(node) || isHidden(node)) {
        return '';
      }
      switch (node.tagName) {
        case 'br':
          return ' ';
        case 'q':
          return `"${runText(node.children)}"`;
        case 'img':
          return String(node.properties['alt'] ?? '');
        case 'svg':
          return pictureText(node);
        default: {
          const inner = runText(node.children);
          // The blocks of a cell stand beside each other in one line.
          return blockNames.has(node.tagName) ? ` ${inner} ` : inner;
        }
      }
    })
    .join('');
}

/** The blocks of a sequence of nodes in which text may stand beside elements. */
function flow(nodes: readonly ElementContent[]): Block[] {
  const blocks: Block[] = [];
  let run: ElementContent[] = [];
  const flush = (): void => {
    const text = squeeze(runText(run));
    if (text !== '') {
      blocks.push({ text });
    }
    run = [];
  };
  for (const node of nodes) {
    if (isElement(node) && isHidden(node)) {
      continue;
    }
    if (isElement(node) && (blockNames.has(node.tagName) || holdsBlock(node))) {
      flush();
      blocks.push(...toBlocks(node));
    } else {
      run.push(node);
    }
  }
  flush();
  return blocks;
}

const holdsBlock = (node: Element): boolean =>
  node.tagName !== 'svg' &&
  node.children.some((each) => isElement(each) && (blockNames.has(each.tagName) || holdsBlock(each)));

/** A list of terms is a list of items that begin with their terms. */
function termItems(list: Element): Block[][] {
  const parts = list.children.flatMap((each) => (isElement(each) && each.tagName === 'div' ? each.children : [each]));
  const items: { terms: string[]; bodies: Block[][] }[] = [];
  for (const part of parts) {
    if (!isElement(part)) {
      continue;
    }
    const last = items.at(-1);
    if (part.tagName === 'dt') {
      if (last && last.bodies.length === 0) {
        last.terms.push(squeeze(runText(part.children)));
      } else {
        items.push({ terms: [squeeze(runText(part.children))], bodies: [] });
      }
    } else if (part.tagName === 'dd') {
      last?.bodies.push(flow(part.children));
    }
  }
  return items.map(({ terms, bodies }) => {
    const lead = `${terms.join(', ')}:`;
    const [first = [], ...others] = bodies;
    const [start] = first;
    const isPlain = first.length === 1 && start !== undefined && 'text' in start && !('heading' in start);
    return [...(isPlain ? [{ text: squeeze(`${lead} ${start.text}`) }] : [{ text: lead }, ...first]), ...others.flat()];
  });
}

function tableRows(table: Element): string[][] {
  const rows: string[][] = [];
  visit(table, 'element', (row) => {
    if (row.tagName === 'tr' && !isHidden(row)) {
      rows.push(
        row.children
          .filter((cell): cell is Element => isElement(cell) && ['td', 'th'].includes(cell.tagName) && !isHidden(cell))
          .map((cell) => squeeze(runText(cell.children))),
      );
    }
  });
  return rows;
}

function formText(form: Element): string {
  const fields: string[] = [];
  visit(form, 'element', (field) => {
    const { tagName, properties } = field;
    if (isHidden(field)) {
      return SKIP;
    }
    if (['input', 'select', 'textarea'].includes(tagName) && properties['type'] !== 'hidden' && properties['name']) {
      fields.push(`${properties['name']}${properties['required'] ? ' (required)' : ''}`);
    }
    return undefined;
  });
  const call = `${String(form.properties['method'] ?? 'get').toUpperCase()} ${form.properties['action'] ?? ''}`.trim();
  return `Form: ${call}${fields.length > 0 ? ` with ${fields.join(', ')}` : ''}.`;
}

function toBlocks(node: Element): Block[] {
  const { tagName } = node;
  if (/^h[1-6]$/.test(tagName)) {
    return [{ heading: Number(tagName[1]), text: squeeze(runText(node.children)) }];
  }
  switch (tagName) {
    case 'hr':
      return [];
    case 'ul':
    case 'ol':
      return [
        {
          list: tagName === 'ol' ? 'ordered' : 'unordered',
          items: node.children
            .filter((item): item is Element => isElement(item) && item.tagName === 'li' && !isHidden(item))
            .map((item) => flow(item.children)),
        },
      ];
    case 'dl':
      return [{ list: 'unordered', items: termItems(node) }];
    case 'table': {
      const caption = child(node, 'caption');
      return [...(caption ? [{ text: squeeze(runText(caption.children)) }] : []), { rows: tableRows(node) }];
    }
    case 'pre':
      return [{ code: preText(node).replace(/\n$/, '') }];
    case 'blockquote':
      return [{ quote: flow(node.children) }];
    case 'form':
      return [
        { text: formText(node) },
        ...node.children.flatMap((each) => (isElement(each) && each.tagName === 'p' ? toBlocks(each) : [])),
      ];
    default:
      return flow(node.children);
  }
}

/** The text of a block of code, to the letter. */
const preText = (node: Element): string =>
  node.children.map((each) => (each.type === 'text' ? each.value : isElement(each) ? preText(each) : '')).join('');

/** Chips and labels whose words run together for whoever doesn't see the style sheet: "29.5 pointsabout 4 h". */
function wordsRunTogether(main: Element): string[] {
  const inline = /^(?:a|abbr|b|code|em|i|kbd|mark|small|span|strong|time)$/;
  const found: string[] = [];
  visit(main, 'element', (node) => {
    if (['pre', 'code', 'svg'].includes(node.tagName) || isHidden(node)) {
      return SKIP;
    }
    for (const [index, each] of node.children.entries()) {
      const before = node.children[index - 1];
      const isLabel = before !== undefined && isElement(before) && inline.test(before.tagName) && !isHidden(before);
      const isNext = isElement(each)
        ? inline.test(each.tagName)
        : each.type === 'text' && before?.type === 'element' && before.tagName === 'small';
      const [left, right] = isLabel && isNext ? [runText([before]), runText([each])] : ['', ''];
      if (/[\p{L}\p{N}?.!)]$/u.test(left) && /^[\p{L}\p{N}“"(]/u.test(right)) {
        found.push(`${left.slice(-20)}${right.slice(0, 20)}`);
      }
    }
    return undefined;
  });
  return found;
}

function outlineOfPage(html: string, base: string): Outline & { drawn: string[] } {
  let main: Element | undefined;
  visit(unified().use(rehypeParse).parse(html), 'element', (node) => {
    if (node.tagName === 'main') {
      main ??= node;
    }
  });
  assert.ok(main, 'the page has a main element');
  assert.deepEqual(wordsRunTogether(main), []);
  const links: string[] = [];
  const drawn: string[] = [];
  const collect = (node: Element, isDrawing: boolean): void => {
    for (const each of node.children) {
      if (isElement(each) && !isHidden(each)) {
        const href = each.properties['href'] ?? each.properties['xLinkHref'];
        if (each.tagName === 'a' && typeof href === 'string') {
          const target = new URL(href, base).href;
          if (isDrawing) {
            drawn.push(target);
          } else {
            links.push(`${target} ${squeeze(runText(each.children))}`);
          }
        }
        collect(each, isDrawing || each.tagName === 'svg');
      }
    }
  };
  collect(main, false);
  return { blocks: flow(main.children), links, drawn };
}

/** The text of inline markdown. */
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

function markdownBlocks(nodes: readonly Nodes[]): Block[] {
  return nodes.flatMap((node): Block[] => {
    switch (node.type) {
      case 'heading':
        return [{ heading: node.depth, text: squeeze(markdownText(node)) }];
      case 'paragraph':
        return [{ text: squeeze(markdownText(node)) }];
      case 'code':
        return [{ code: node.value }];
      case 'table':
        return [{ rows: node.children.map((row) => row.children.map((cell) => squeeze(markdownText(cell)))) }];
      case 'list':
        return [
          {
            list: node.ordered ? 'ordered' : 'unordered',
            items: node.children.map((item) => markdownBlocks(item.children)),
          },
        ];
      case 'blockquote':
        return [{ quote: markdownBlocks(node.children) }];
      case 'thematicBreak':
        return [];
      case 'html':
        assert.equal(node.value, '<!---->', 'the twin holds no raw HTML');
        return [];
      default:
        throw new Error(`the twin holds a ${node.type}, which no page has`);
    }
  });
}

function outlineOfTwin(tree: Root): Outline {
  const links: string[] = [];
  visit(tree, 'link', (node) => {
    assert.match(node.url, /^(?:https?:\/\/|mailto:)/, 'a link of the twin is absolute');
    links.push(`${node.url} ${squeeze(markdownText(node))}`);
  });
  return { blocks: markdownBlocks(tree.children), links };
}

/** A table without a head gets an empty one in markdown, which has no other. */
const withoutEmptyHeads = (blocks: Block[]): Block[] =>
  blocks.map((block) =>
    'rows' in block
      ? { rows: block.rows.filter((row, index) => index > 0 || row.some((cell) => cell !== '')) }
      : 'items' in block
        ? { ...block, items: block.items.map(withoutEmptyHeads) }
        : block,
  );

/** All headings of an outline, also those inside items. */
const headingsOf = (blocks: readonly Block[]): { level: number; heading: string }[] =>
  blocks.flatMap((block) =>
    'heading' in block
      ? [{ level: block.heading, heading: block.text }]
      : 'items' in block
        ? block.items.flatMap(headingsOf)
        : 'quote' in block
          ? headingsOf(block.quote)
          : [],
  );

const read = (file: string): string => readFileSync(join(clientDir, file), 'utf8');

/** Declares a test for each of the built files: its twins say what it says. */
export function testTwins(names: readonly string[]): void {
  for (const name of names) {
    test(`the twins of ${name} say what it says`, () => {
      const stem = name.slice(0, -'.html'.length);
      const [html, markdown] = [read(name), read(`${stem}.md`)];
      const json = JSON.parse(read(`${stem}.json`)) as JsonTwin;
      const path = stem === 'index' ? '/' : `/${stem}`;
      const twins = twinPaths(path);

      assert.ok(!html.includes('data-twin'), 'the data of the twins is taken out');
      for (const text of [html, markdown]) {
        assert.ok(!text.includes('%bytes-saved%'), 'the placeholder is filled');
      }
      // What is missing has no twin at an address of its own.
      if (stem !== '404') {
        const saved = Buffer.byteLength(html) - Buffer.byteLength(markdown);
        const stated = /<span class="views-saved num">Markdown saves ([\d,-]+) bytes *<\/span>/.exec(html)?.[1];
        assert.equal(stated?.replaceAll(',', ''), String(saved), 'the page states the bytes that its twin saves');
      }

      const [, frontMatter = '', body = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(markdown) ?? [];
      const facts = parseYaml(frontMatter) as Record<string, unknown>;
      for (const key of ['title', 'description', 'url', 'updated', 'lang'] as const) {
        assert.equal(typeof facts[key], 'string', `the front matter has ${key}`);
        assert.equal(facts[key], json[key], `front matter and JSON agree on ${key}`);
      }
      assert.equal(json.url, `${siteUrl}${path}`);
      assert.match(json.updated, /^\d{4}-\d{2}-\d{2}$/);

      const page = outlineOfPage(html, json.url);
      const twin = outlineOfTwin(unified().use(remarkParse).use(remarkGfm).parse(body));
      assert.deepEqual(withoutEmptyHeads(twin.blocks), page.blocks, 'the twin says what the page says, in its order');
      assert.deepEqual(twin.links, page.links, 'the same links with the same texts, in order');

      const targets = new Set(twin.links.map((link) => link.split(' ')[0]));
      assert.deepEqual(
        page.drawn.filter((target) => !targets.has(target)),
        [],
        'where a drawing leads, the twin leads too',
      );

      assert.deepEqual(
        Object.keys(json),
        ['url', 'title', 'description', 'updated', 'lang', 'kind', 'data', 'sections', 'links', 'twins'],
        'the shape of the JSON twin',
      );
      assert.notEqual(json.data, undefined);
      assert.deepEqual(json.twins, {
        html: `${siteUrl}${twins.html}`,
        markdown: `${siteUrl}${twins.markdown}`,
        json: `${siteUrl}${twins.json}`,
      });
      const sections = json.sections.map(({ level, heading }) => ({ level, heading: squeeze(heading) }));
      assert.deepEqual(sections, headingsOf(page.blocks), 'the sections are the headings');
      const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      for (const { id } of json.sections) {
        assert.ok(id === null || ids.has(id), `the section ${id} is an anchor of the page`);
      }
      assert.deepEqual(
        json.links.map(({ href, text }) => `${href} ${squeeze(text)}`),
        [...new Set(page.links)],
        'the links of the JSON twin, each once',
      );
    });
  }
}
