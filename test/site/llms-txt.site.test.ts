import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Heading, Link, ListItem, Root, RootContent } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { tools } from '#api/catalog/tools.ts';
import { estimateTokens } from '#api/text/token-estimate.ts';
import { sitePages, twinPaths } from '#site/site-map.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

interface Index {
  title: string;
  summary: string;
  sections: { title: string; links: { name: string; url: string; notes: string }[] }[];
}

const isHeading = (node: RootContent | undefined): node is Heading => node?.type === 'heading';

/** One entry of a file list: a link, then optionally a colon and notes. */
function parseEntry(item: ListItem): Index['sections'][number]['links'][number] {
  const [paragraph, ...more] = item.children;
  assert.ok(paragraph?.type === 'paragraph' && more.length === 0, `an entry is one line: ${textOf(item)}`);
  const [link, ...notes] = paragraph.children as [Link, ...typeof paragraph.children];
  assert.ok(link.type === 'link', `an entry begins with a link: ${textOf(item)}`);
  const rest = notes.map((node) => textOf(node)).join('');
  assert.ok(rest === '' || /^: \S/.test(rest), `notes stand behind a colon: ${textOf(item)}`);
  return { name: textOf(link), url: link.url, notes: rest.slice(2) };
}

/**
 * Reads an llms.txt by the grammar of llmstxt.org: one H1, then optionally a blockquote, then anything but headings,
 * then sections of one H2 and one list of links each. Throws where the file is not so.
 */
function parseIndex(source: string): Index {
  const { children } = unified().use(remarkParse).parse(source) as Root;
  const [first, second] = children;
  assert.ok(isHeading(first) && first.depth === 1, 'the file begins with an H1');
  const start = children.findIndex((node, index) => index > 0 && isHeading(node));
  const body = start === -1 ? [] : children.slice(start);
  assert.ok(children.slice(1, start).filter((node) => node.type === 'blockquote').length <= 1, 'one summary at most');
  const sections: Index['sections'] = [];
  for (const [index, node] of body.entries()) {
    if (index % 2 === 0) {
      assert.ok(isHeading(node) && node.depth === 2, `an H2 is expected and not: ${textOf(node).slice(0, 80)}`);
      sections.push({ title: textOf(node), links: [] });
    } else {
      assert.ok(node.type === 'list', `a list of links is expected and not: ${textOf(node).slice(0, 80)}`);
      sections.at(-1)?.links.push(...node.children.map(parseEntry));
    }
  }
  assert.equal(body.length % 2, 0, 'every section has a list');
  assert.equal(new Set(sections.map(({ title }) => title)).size, sections.length, 'no two sections have one name');
  return { title: textOf(first), summary: second?.type === 'blockquote' ? textOf(second) : '', sections };
}

const files = globSync('**/llms.txt', { cwd: clientDir }).sort();
const indexes = new Map(files.map((file) => [file, readFileSync(join(clientDir, file), 'utf8')]));

for (const [file, source] of indexes) {
  test(`/${file} keeps the grammar of llmstxt.org, and its links lead to markdown`, async () => {
    const { title, summary, sections } = parseIndex(source);
    assert.ok(title.length > 0 && summary.length > 20);
    assert.ok(source.length < 50_000, `${source.length} characters are more than an agent reads at once`);
    const links = sections.flatMap((section) => section.links);
    assert.ok(links.length > 0);
    assert.equal(new Set(links.map(({ url }) => url)).size, links.length, 'each link comes once');
    for (const { name, url, notes } of links) {
      assert.ok(url.startsWith(`${siteUrl}/`), url);
      assert.ok(name.length > 0 && notes.length > 10, url);
      const response = await fetch(url, { method: 'HEAD' });
      assert.equal(response.status, 200, url);
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8', url);
    }
  });
}

test('the first index is read at once: 12 KB, MCP and the filters on its first screen, Optional last', () => {
  const source = indexes.get('llms.txt') ?? '';
  assert.ok(Buffer.byteLength(source) <= 12_000, `${Buffer.byteLength(source)} bytes`);
  const screen = source.slice(0, 2500);
  for (const text of ['/mcp', 'view=compact', 'released_from=', '/api/robots?training=no', '/api/ask']) {
    assert.ok(screen.includes(text), text);
  }
  assert.equal(parseIndex(source).sections.at(-1)?.title, 'Optional');
});

test('a count of tokens beside a link is that of the file', () => {
  let counted = 0;
  for (const [file, source] of indexes) {
    assert.doesNotMatch(source, /%tokens/, file);
    for (const [, path, number, thousands] of source.matchAll(/\((\S+?)\): .* ([\d.]+)(k?) tokens$/gm)) {
      const tokens = Math.ceil(statSync(join(clientDir, new URL(String(path)).pathname)).size / 4);
      const said = Number(number) * (thousands === 'k' ? 1000 : 1);
      assert.ok(Math.abs(said - tokens) <= tokens * 0.05, `${file}: ${path} has ${tokens} tokens and not ${said}`);
      counted += 1;
    }
  }
  assert.ok(counted > 50);
});

test('every page is in an llms.txt that can be reached from the first', () => {
  const reached = new Set<string>();
  const follow = (file: string): void => {
    const source = indexes.get(file);
    if (source === undefined || reached.has(`/${file}`)) {
      return;
    }
    reached.add(`/${file}`);
    for (const { url } of parseIndex(source).sections.flatMap(({ links }) => links)) {
      const { pathname } = new URL(url);
      if (pathname.endsWith('/llms.txt')) {
        follow(pathname.slice(1));
      }
      reached.add(pathname);
    }
  };
  follow('llms.txt');
  assert.deepEqual(
    sitePages.map(({ path }) => twinPaths(path).markdown).filter((path) => !reached.has(path)),
    [],
  );
});

const faults = {
  'no H1': '> Summary\n\n## Docs\n\n- [A](https://a.example/a.md)',
  'two H1': '# A\n\n# B\n\n- [A](https://a.example/a.md)',
  'an H3': '# A\n\n## Docs\n\n### More\n\n- [A](https://a.example/a.md)',
  'a section without a list': '# A\n\n## Docs\n\nText\n\n## More\n\n- [A](https://a.example/a.md)',
  'an entry without a link': '# A\n\n## Docs\n\n- A: https://a.example/a.md',
  'notes without a colon': '# A\n\n## Docs\n\n- [A](https://a.example/a.md) which is A',
  'a name twice': '# A\n\n## Docs\n\n- [A](https://a.example/a)\n\n## Docs\n\n- [B](https://a.example/b)',
};

for (const [name, source] of Object.entries(faults)) {
  test(`the grammar refuses ${name}`, () => {
    assert.throws(() => parseIndex(source));
  });
}

test('every tool is in llms.txt, and what it says of llms-full.txt is so', () => {
  const source = indexes.get('llms.txt') ?? '';
  const { sections } = parseIndex(source);
  const listed = sections.flatMap(({ links }) => links.map(({ url }) => url));
  assert.deepEqual(
    tools.map(({ name }) => `${siteUrl}/tools.md#${name}`).filter((url) => !listed.includes(url)),
    [],
  );
  const [, millions] = /llms-full\.txt`: every page, ([\d.]+)M tokens/.exec(source) ?? [];
  const tokens = estimateTokens(statSync(join(clientDir, 'llms-full.txt')).size);
  assert.equal(Number(millions), Number(tokens.toPrecision(2)) / 1_000_000);
  for (const path of ['/compare', '/models/prices']) {
    assert.ok(listed.includes(`${siteUrl}${path}.md`), path);
  }
});

test('llms-full.txt holds the twin of every page, each under its own address', () => {
  const full = readFileSync(join(clientDir, 'llms-full.txt'), 'utf8');
  for (const { path } of sitePages) {
    const twin = readFileSync(join(clientDir, twinPaths(path).markdown), 'utf8');
    const body = twin.replace(/^---\n.*?\n---\n/s, '').trim();
    assert.ok(full.includes(body), `the text of ${path} is in it`);
    assert.ok(full.includes(`${siteUrl}${path}`), `the address of ${path} is in it`);
  }
});
