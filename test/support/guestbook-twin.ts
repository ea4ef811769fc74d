import assert from 'node:assert/strict';
import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

const allowed = ['heading', 'paragraph', 'code', 'list', 'listItem', 'text', 'link', 'strong', 'inlineCode'];

/**
 * Parses the markdown twin of the guestbook and returns its indented blocks, which hold the entries. Fails when anything
 * else is in it than what the page's own text makes, or when a link leads away from `baseUrl`.
 */
export function entryBlocksOf(twin: string, baseUrl: string): string[] {
  const body = twin.replace(/^---\n.*?\n---\n/s, '');
  const blocks: string[] = [];
  visit(unified().use(remarkParse).use(remarkGfm).parse(body), (node: Nodes) => {
    assert.ok(node.type === 'root' || allowed.includes(node.type), `the twin holds a ${node.type}`);
    if (node.type === 'code' && node.lang === null) {
      blocks.push(node.value);
    }
    if (node.type === 'link') {
      assert.ok(node.url.startsWith(baseUrl), node.url);
    }
    if (node.type === 'heading') {
      assert.doesNotMatch(JSON.stringify(node.children), /evil|Heading/);
    }
  });
  return blocks;
}
