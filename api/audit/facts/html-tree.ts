import { type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5';

export type HtmlDocument = DefaultTreeAdapterTypes.Document;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;

// Chromium stops nesting at 512 levels too. The parser searches its stack of open elements for many tags and opens
// formatting elements again at many others: without these two bounds a page of a megabyte keeps it busy for minutes.
const maxDepth = 512;
const maxElements = 25_000;

/** Thrown for a page that would cost too much to read. */
export class PageTooComplex extends Error {
  override readonly name = 'PageTooComplex';
}

/** Elements that content may begin with. */
const placed = new Set(['main', 'h1', 'article', 'p']);

/**
 * Where each element that content may begin with starts in the source. The parser's own positions are of every word too,
 * and would take as much time and memory as the rest of the tree.
 */
const starts = new WeakMap<HtmlElement, number>();

/** How many characters of source come before an element of main, h1, article and p, or of the role main; null for others. */
export const startOf = (element: HtmlElement): number | null => starts.get(element) ?? null;

/** Where the tag starts that ends at `end`; it begins after the element before it. */
function startOfTag(html: string, tagName: string, { after, end }: { after: number; end: number }): number {
  for (let at = html.lastIndexOf('<', end); at > after; at = html.lastIndexOf('<', at - 1)) {
    if (html.slice(at + 1, at + 1 + tagName.length).toLowerCase() === tagName) {
      return at;
    }
  }
  return after;
}

/**
 * Has the engine hold a text in one piece. The parser adds one character at a time, and each of them keeps 32 bytes until
 * the text is read from.
 */
const flatten = (text: string): boolean => endOfText.test(text);

/** A pattern is matched against one piece. This one matches at once. */
const endOfText = /^/;

/**
 * Parses a page as a reader without scripts sees it (noscript elements are elements), and notes where those elements start
 * that content may begin with. Throws PageTooComplex beyond 512 levels of nesting or 25,000 elements.
 */
export function parseHtmlTree(html: string): HtmlDocument {
  let depth = 0;
  let elements = 0;
  let after = 0;
  const parser = new Parser<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>({
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(tagName, namespace, attributes) {
        elements += 1;
        if (elements > maxElements) {
          throw new PageTooComplex(`The page has more than ${maxElements} elements.`);
        }
        for (const { value } of attributes) {
          flatten(value);
        }
        const { offset } = parser.tokenizer.preprocessor;
        const element = defaultTreeAdapter.createElement(tagName, namespace, attributes);
        if (placed.has(tagName) || attributeOf(element, 'role') === 'main') {
          starts.set(element, startOfTag(html, tagName, { after, end: offset }));
        }
        after = offset;
        return element;
      },
      onItemPush() {
        depth += 1;
        if (depth > maxDepth) {
          throw new PageTooComplex(`The page nests deeper than ${maxDepth} levels.`);
        }
      },
      onItemPop(element) {
        depth -= 1;
        for (const child of element.childNodes) {
          if ('value' in child) {
            flatten(child.value);
          }
        }
      },
    },
  });
  parser.tokenizer.write(html, true);
  return parser.document;
}

/** The value of an attribute, or null. */
export const attributeOf = (element: HtmlElement, name: string): string | null =>
  element.attrs.find((attribute) => attribute.name === name)?.value ?? null;

/** True for an element node. */
export const isElement = (node: DefaultTreeAdapterTypes.Node): node is HtmlElement => 'tagName' in node;

/** A text with each run of white space as one space. Most runs are one already: only the others are matched. */
export const folded = (text: string): string => text.replace(/[^\S ]\s*| \s+/g, ' ').trim();

/**
 * The text below a node, white space folded; scripts, styles, templates and what `skip` names are left out. At most
 * `maxNodes` nodes are read: names of elements can point at the same large part again and again.
 */
export function textOf(
  node: DefaultTreeAdapterTypes.ParentNode,
  skip: (element: HtmlElement) => boolean = () => false,
  maxNodes = Number.POSITIVE_INFINITY,
): string {
  const parts: string[] = [];
  let nodes = 0;
  const visit = (parent: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of parent.childNodes) {
      nodes += 1;
      if (nodes > maxNodes) {
        return;
      }
      if (child.nodeName === '#text' && 'value' in child) {
        parts.push(maxNodes === Number.POSITIVE_INFINITY ? child.value : child.value.slice(0, 2000));
      } else if (isElement(child) && !skip(child)) {
        const shadow = templateOf(child);
        if (shadow === null && ['script', 'style', 'template'].includes(child.tagName)) {
          continue;
        }
        // Two blocks are two words, even where the source has no space between them.
        const gap = inline.has(child.tagName) ? '' : ' ';
        parts.push(gap);
        visit(shadow ?? child);
        parts.push(gap);
      }
    }
  };
  visit(node);
  return folded(parts.join(''));
}

/** The text of an element that is expected to be short: a name, a heading, a link. What `skip` names is left out. */
export const shortTextOf = (element: HtmlElement, skip?: (element: HtmlElement) => boolean): string =>
  textOf(element, skip, 200).slice(0, 2000);

/**
 * The content of a template that a browser renders without scripts, as a shadow root (HTML Standard,
 * "shadowrootmode"); null for every other element.
 */
export const templateOf = (element: HtmlElement): DefaultTreeAdapterTypes.DocumentFragment | null =>
  element.tagName === 'template' && attributeOf(element, 'shadowrootmode') !== null && 'content' in element
    ? (element as DefaultTreeAdapterTypes.Template).content
    : null;

const inline = new Set(
  'a abbr b bdi bdo cite code data del dfn em i ins kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);
