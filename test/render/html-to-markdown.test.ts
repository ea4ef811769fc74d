import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import type { Element } from 'hast';
import { toString as hastText } from 'hast-util-to-string';
import type { Nodes, Root } from 'mdast';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { toMarkdown, toMarkdownTree } from '#api/render/html-to-markdown.ts';

/*
 * Each folder of test/fixtures/twins holds a piece of HTML and the markdown that it becomes. `UPDATE_FIXTURES=1 npm test`
 * writes the markdown anew; look at the difference before it is kept.
 */
const folder = join(import.meta.dirname, '..', 'fixtures', 'twins');
const names = readdirSync(folder).sort();
const isUpdate = process.env['UPDATE_FIXTURES'] === '1';
const base = 'https://porch.example/techniques/llms-txt';

const htmlParser = unified().use(rehypeParse, { fragment: true });
const markdownParser = unified().use(remarkParse).use(remarkGfm);

const input = (name: string): string => readFileSync(join(folder, name, 'input.html'), 'utf8');
const convert = (html: string): string => toMarkdown(toMarkdownTree(htmlParser.parse(html), base));

/** A tree without positions and with neighbouring texts joined, so that what is written differently compares equal. */
function simplified(node: Nodes): unknown {
  if (!('children' in node)) {
    const { position: _position, data: _data, ...rest } = { position: undefined, data: undefined, ...node };
    return rest.type === 'text' ? { ...rest, value: rest.value.replace(/\s+/g, ' ') } : rest;
  }
  const children: unknown[] = [];
  for (const child of node.children) {
    const last = children.at(-1) as { type: string; value: string } | undefined;
    if (child.type === 'text' && last?.type === 'text') {
      last.value = `${last.value}${child.value}`.replace(/\s+/g, ' ');
    } else if (!(child.type === 'html' && child.value === '<!---->')) {
      children.push(simplified(child));
    }
  }
  const { position: _position, data: _data, children: _children, ...rest } = node;
  return { ...rest, children };
}

test('there are enough cases', () => {
  assert.ok(names.length >= 20, `${names.length} cases`);
});

describe('HTML becomes markdown', () => {
  for (const name of names) {
    it(name, () => {
      const markdown = convert(input(name));
      const file = join(folder, name, 'output.md');
      if (isUpdate) {
        writeFileSync(file, markdown);
      }
      assert.equal(markdown, readFileSync(file, 'utf8'));
    });
  }
});

describe('the markdown is read as it was meant: written again it is the same', () => {
  for (const name of names) {
    it(name, () => {
      const once = markdownParser.parse(convert(input(name)));
      const twice = markdownParser.parse(toMarkdown(structuredClone(once)));
      assert.deepEqual(simplified(twice), simplified(once));
      visit(once, 'html', (node) => assert.equal(node.value, '<!---->', 'no raw HTML'));
      visit(once, 'link', (node) => assert.match(node.url, /^(?:https?:\/\/|mailto:|tel:)/, 'links are absolute'));
    });
  }
});

/** The texts of the elements of a page that are untrusted. */
function untrustedTexts(html: string): string[] {
  const texts: string[] = [];
  visit(htmlParser.parse(html), 'element', (node: Element) => {
    if (node.tagName === 'pre' && node.properties['dataUntrusted'] !== undefined) {
      texts.push(hastText(node));
    }
  });
  return texts;
}

/** Everything in a tree that is not a block of code, and the blocks of code. */
function split(tree: Root): { code: string[]; rest: string } {
  const code: string[] = [];
  const rest: unknown[] = [];
  visit(tree, (node) => {
    if (node.type === 'code') {
      assert.equal(node.lang, null, 'the text does not name a language');
      code.push(node.value);
    } else if (!('children' in node)) {
      rest.push(node);
    } else {
      const { children: _children, position: _position, ...own } = node;
      rest.push(own);
    }
  });
  return { code, rest: JSON.stringify(rest) };
}

const trim = (text: string): string => text.replace(/^(?:[ \t]*\n)+|\s+$/g, '');

describe('untrusted text is inert', () => {
  const untrusted = names.filter((name) => untrustedTexts(input(name)).length > 0);

  it('there are enough cases', () => {
    assert.ok(untrusted.length >= 8, `${untrusted.length} cases`);
  });

  for (const name of untrusted) {
    it(name, () => {
      const html = input(name);
      const { code, rest } = split(markdownParser.parse(convert(html)));
      const texts = untrustedTexts(html)
        .map((text) => text.replace(/\r\n?/g, '\n'))
        .filter((text) => text.trim() !== '');
      assert.deepEqual(code.map(trim), texts.map(trim), 'each text is one block of code, whole');
      assert.doesNotMatch(
        rest,
        /evil\.example|"type":"(?:heading|definition|footnoteDefinition|image|html)"(?!,"value":"<!---->")/,
      );
    });
  }

  // What stands around an entry, and what was tried to get out of it.
  const surroundings: [name: string, before: string, after: string][] = [
    ['alone', '', ''],
    ['behind a paragraph', '<p>before</p>', '<p>after</p>'],
    ['behind a list', '<ul><li>before</li></ul>', '<ul><li>after</li></ul>'],
    ['behind a nested list', '<ol><li>a<ul><li>b</li></ul></li></ol>', '<p>after</p>'],
    ['behind a description list', '<dl><dt>t</dt><dd>d</dd></dl>', '<h2>after</h2>'],
    ['behind a table', '<table><tr><th>a</th></tr><tr><td>b</td></tr></table>', '<table><tr><th>a</th></tr></table>'],
    ['behind code', '<pre><code>a</code></pre>', '<pre><code>b</code></pre>'],
    ['behind text', 'before', 'after'],
    ['in an item', '<ul><li>before', 'after</li></ul>'],
    ['in an item, behind a list', '<ul><li>a<ul><li>b</li></ul>', '</li><li>c</li></ul>'],
    ['in a description', '<dl><dt>t</dt><dd>before', '</dd></dl>'],
    ['in a quotation', '<blockquote><p>before</p>', '<p>after</p></blockquote>'],
    ['in an article', '<article><h3>name</h3><p>before</p>', '<footer><p>after</p></footer></article>'],
  ];
  const attempts = [
    '# heading',
    'text\n# heading',
    'text\n\n# heading',
    '\n\n\n# heading',
    '\r# heading',
    'heading\n=======',
    '```\n# heading\n```',
    '~~~\n# heading',
    '- item\n\n  # heading',
    '> quote\n# heading',
    '1. a\n2. b',
    '[a](https://evil.example)',
    '![a](https://evil.example)',
    '<https://evil.example>',
    'https://evil.example',
    '[a]: https://evil.example\n\n[a]',
    '[^a]: x\n\n[^a]',
    '<b>bold</b>',
    '<script>x</script>',
    '<!-- comment',
    '-->\n# heading',
    '</pre></main><h1>heading</h1>',
    '| a | b |\n|---|---|\n| c | d |',
    '**strong** _emphasis_ ~~gone~~ `code`',
    '---\ntitle: x\n---',
    '&#35; heading &lt;b&gt;',
    '\\\n# heading',
    '\t# tab',
    ' '.repeat(20),
    `${'a'.repeat(5000)}\n# heading`,
    '\u2028# heading',
    '\u0000# heading',
  ];
  const escapeHtml = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');

  for (const [name, before, after] of surroundings) {
    it(name, () => {
      const frame = markdownParser.parse(convert(`<main>${before}${after}</main>`));
      for (const text of attempts) {
        const html = `<main>${before}<pre data-untrusted>${escapeHtml(text)}</pre>${after}</main>`;
        const markdown = convert(html);
        const found = split(markdownParser.parse(markdown));
        const own = split(frame).code;
        const written = text.replace(/\r\n?/g, '\n').replaceAll('\u0000', '');
        const expected = trim(written) === '' ? [] : [trim(written)];
        assert.deepEqual(
          found.code.map(trim).filter((code) => !own.includes(code)),
          expected,
          `${JSON.stringify(text.slice(0, 60))} in:\n${markdown.slice(0, 300)}`,
        );
        const marks = /evil|"type":"(?:definition|footnoteDefinition|footnoteReference|image|thematicBreak)"/;
        assert.doesNotMatch(found.rest, marks, text);
      }
    });
  }
});
