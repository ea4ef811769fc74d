import type { Element, ElementContent, Nodes as HastNodes } from 'hast';
import { defaultHandlers, type Handle, type State } from 'hast-util-to-mdast';
import { toString as hastText } from 'hast-util-to-string';
import type { Heading, List, ListItem, Nodes, Paragraph, PhrasingContent, Root, Table, TableCell } from 'mdast';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';

/** Text from outside, shown as an indented block: it can open neither a heading, a link, a code fence nor HTML. */
interface Untrusted {
  type: 'untrusted';
  value: string;
}

declare module 'mdast' {
  interface RootContentMap {
    untrusted: Untrusted;
  }
  interface HeadingData {
    id?: string;
  }
}

const paragraph = (children: PhrasingContent[]): Paragraph => ({ type: 'paragraph', children });

const isHidden = (node: Element): boolean =>
  node.properties['hidden'] !== undefined || String(node.properties['ariaHidden']) === 'true';

/** What opens a fold: a heading in it is one, and what is around it is text of its own. */
const summary: Handle = (state, node) => state.toFlow(state.all(node));

/** Headings keep their id, which the JSON twin names its sections by. */
const heading: Handle = (state, node) => {
  const result: Heading = {
    type: 'heading',
    depth: Number(node.tagName[1]) as Heading['depth'],
    children: state.all(node) as PhrasingContent[],
    data: typeof node.properties['id'] === 'string' ? { id: node.properties['id'] } : {},
  };
  state.patch(node, result);
  return result;
};

/** The term and description elements of a definition list, whether or not they're in groups (HTML section 4.4.9). */
const groupsOf = (node: Element): { terms: Element[]; descriptions: Element[] }[] => {
  const parts = node.children.flatMap((child): ElementContent[] =>
    child.type === 'element' && child.tagName === 'div' ? child.children : [child],
  );
  const groups: { terms: Element[]; descriptions: Element[] }[] = [];
  for (const part of parts) {
    if (part.type !== 'element') {
      continue;
    }
    const last = groups.at(-1);
    if (part.tagName === 'dt') {
      if (last && last.descriptions.length === 0) {
        last.terms.push(part);
      } else {
        groups.push({ terms: [part], descriptions: [] });
      }
    } else if (part.tagName === 'dd' && last) {
      last.descriptions.push(part);
    }
  }
  return groups;
};

const joined = (state: State, nodes: Element[]): PhrasingContent[] =>
  nodes.flatMap((node, index) => [
    ...(index > 0 ? [{ type: 'text', value: ', ' } as const] : []),
    ...(state.all(node) as PhrasingContent[]),
  ]);

const isPhrasing = (node: Nodes): boolean =>
  ['text', 'link', 'emphasis', 'strong', 'inlineCode', 'break', 'delete', 'image', 'html'].includes(node.type);

/** A definition list becomes a list of `**term**: description`. */
const definitionList: Handle = (state, node) => {
  const items = groupsOf(node).map(({ terms, descriptions }): ListItem => {
    const lead: PhrasingContent[] = [
      { type: 'strong', children: joined(state, terms) },
      { type: 'text', value: ': ' },
    ];
    const bodies = descriptions.map(
      (description) => state.all(description) as ListItem['children'] | PhrasingContent[],
    );
    const [first = [], ...others] = bodies;
    const inline = first.every((child) => isPhrasing(child as Nodes));
    const children: ListItem['children'] = inline
      ? [paragraph([...lead, ...(first as PhrasingContent[])])]
      : [paragraph(lead), ...(first as ListItem['children'])];
    for (const body of others) {
      children.push(
        ...(body.every((child) => isPhrasing(child as Nodes))
          ? [paragraph(body as PhrasingContent[])]
          : (body as ListItem['children'])),
      );
    }
    return { type: 'listItem', spread: false, children };
  });
  const result: List = { type: 'list', ordered: false, spread: false, children: items };
  state.patch(node, result);
  return result;
};

/** A drawing keeps its text alternative. Drawings without one are decoration. */
const drawing: Handle = (_state, node) => {
  if (isHidden(node)) {
    return undefined;
  }
  const title = node.children.find((child) => child.type === 'element' && child.tagName === 'title');
  const label = title ? hastText(title) : String(node.properties['ariaLabel'] ?? '');
  return label === '' ? undefined : { type: 'emphasis', children: [{ type: 'text', value: `Picture: ${label}` }] };
};

/** What a person fills in, said in words: an agent learns the address, the method and the names of the fields. */
const form: Handle = (state, node) => {
  const fields: string[] = [];
  visit(node, 'element', (field) => {
    const { name, type, required } = field.properties;
    // What people are not shown, such as a trap for programs that fill in everything, is not for agents either.
    if (isHidden(field)) {
      return SKIP;
    }
    if (['input', 'select', 'textarea'].includes(field.tagName) && typeof name === 'string' && type !== 'hidden') {
      fields.push(required ? `${name} (required)` : name);
    }
    return undefined;
  });
  const method = String(node.properties['method'] ?? 'get').toUpperCase();
  const action = String(node.properties['action'] ?? '');
  return [
    paragraph([
      { type: 'text', value: 'Form: ' },
      { type: 'inlineCode', value: `${method} ${action}`.trim() },
      { type: 'text', value: fields.length > 0 ? ` with ${fields.join(', ')}.` : '.' },
    ]),
    ...(state.all({
      ...node,
      children: node.children.filter((child) => child.type === 'element' && child.tagName === 'p'),
    }) as Paragraph[]),
  ];
};

const dropped: Handle = () => undefined;

/** The words of a node in one line: the paragraphs and items in a cell follow each other with a space between. */
const oneLine = (nodes: readonly Nodes[]): PhrasingContent[] =>
  nodes.flatMap((node, index) => {
    const words = isPhrasing(node) ? [node as PhrasingContent] : 'children' in node ? oneLine(node.children) : [];
    const apart = index > 0 && words.length > 0 && !(isPhrasing(node) && isPhrasing(nodes[index - 1] as Nodes));
    return apart ? [{ type: 'text', value: ' ' }, ...words] : words;
  });

const cell: Handle = (state, node, parent) => {
  const result = (defaultHandlers.td as Handle)(state, node, parent) as TableCell;
  return { ...result, children: oneLine(result.children) };
};

/** A table with its caption as a paragraph above it: markdown tables have none. */
const table: Handle = (state, node, parent) => {
  const caption = node.children.find((child) => child.type === 'element' && child.tagName === 'caption');
  const rows = (defaultHandlers.table as Handle)(state, node, parent) as Table;
  return caption?.type === 'element' ? [paragraph(state.all(caption) as PhrasingContent[]), rows] : rows;
};

/** An image without a text alternative is decoration. */
const image: Handle = (state, node, parent) =>
  String(node.properties['alt'] ?? '') === '' ? undefined : (defaultHandlers.img as Handle)(state, node, parent);

/** An anchor without an address is text. */
const anchor: Handle = (state, node, parent) =>
  node.properties['href'] === undefined ? state.all(node) : (defaultHandlers.a as Handle)(state, node, parent);

const untilHidden =
  (handle: Handle): Handle =>
  (state, node, parent) =>
    isHidden(node) ? undefined : handle(state, node, parent);

const handlers: Record<string, Handle> = {
  ...Object.fromEntries(Object.entries(defaultHandlers).map(([name, handle]) => [name, untilHidden(handle as Handle)])),
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  summary,
  dl: definitionList,
  svg: drawing,
  img: untilHidden(image),
  a: untilHidden(anchor),
  table: untilHidden(table),
  td: untilHidden(cell),
  th: untilHidden(cell),
  form,
  button: dropped,
  wbr: dropped,
  pre: (state, node, parent) => {
    if (node.properties['dataUntrusted'] !== undefined) {
      return { type: 'untrusted', value: hastText(node) };
    }
    return (defaultHandlers.pre as Handle)(state, node, parent);
  },
};

/** Turns relative addresses into absolute ones: a twin is read away from its page. */
function absoluteLinks(node: Nodes, base: string): void {
  if ((node.type === 'link' || node.type === 'image') && URL.canParse(node.url, base)) {
    node.url = new URL(node.url, base).href;
  }
  if ('children' in node) {
    for (const child of node.children) {
      absoluteLinks(child, base);
    }
  }
}

/** What a reader of markdown would take for a link though nobody made it one (GFM autolink literals). */
const linkLike = /(?:https?:\/\/|www\.)[^\s<>"'`“”]*[^\s<>"'`“”.,;:!?)\]}]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;

/** Sets addresses in running text as code, so that they stay what they are on the page: text. */
function quoteAddresses(tree: Root): void {
  visit(tree, 'text', (node, index, parent) => {
    if (index === undefined || !parent || parent.type === 'link' || node.value.search(linkLike) === -1) {
      return undefined;
    }
    const parts: PhrasingContent[] = [];
    let end = 0;
    for (const match of node.value.matchAll(linkLike)) {
      parts.push({ type: 'text', value: node.value.slice(end, match.index) }, { type: 'inlineCode', value: match[0] });
      end = match.index + match[0].length;
    }
    parts.push({ type: 'text', value: node.value.slice(end) });
    const kept = parts.filter((part) => !('value' in part) || part.value !== '');
    parent.children.splice(index, 1, ...kept);
    return [SKIP, index + kept.length];
  });
}

// A comment is not shown on the page, so it is not shown in the twin.
const toMdast = unified().use(rehypeRemark, { handlers, nodeHandlers: { comment: dropped as never } });

const stringifier = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '_',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
    resourceLink: true,
    // Without a blank line before it, or behind a list, an indented block would be read as part of what comes before it.
    join: [
      (left, right) => {
        const next: string = right.type;
        const previous: string = left.type;
        return next !== 'untrusted' ? undefined : previous === 'list' || previous === 'untrusted' ? false : 1;
      },
    ],
    handlers: {
      untrusted: (node: Untrusted) =>
        node.value
          .split(/\r\n|[\r\n]/)
          .map((line) => `    ${line}`)
          .join('\n'),
    },
  });

/** The markdown tree of a part of a page, with absolute links. */
export function toMarkdownTree(part: HastNodes, base: string): Root {
  const tree = toMdast.runSync(part as never) as unknown as Root;
  absoluteLinks(tree, base);
  quoteAddresses(tree);
  return tree;
}

/** Writes a markdown tree down. */
export const toMarkdown = (tree: Root): string => stringifier.stringify(tree as never);
