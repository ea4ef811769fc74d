#!/usr/bin/env node
// Writes a markdown file next to each HTML file of a built site, and points llms.txt to them.
//
//   npm install --save-dev unified rehype-parse rehype-remark remark-gfm remark-stringify
//   node make-twins.mjs dist https://example.com                                  from the files of a folder
//   node make-twins.mjs public https://example.com --from http://localhost:3000   from the pages of its sitemap
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';

const [folder, origin, flag, from] = process.argv.slice(2);
if (folder === undefined || !URL.canParse(origin ?? '') || (flag !== undefined && !URL.canParse(from ?? ''))) {
  console.error('Usage: node make-twins.mjs FOLDER ORIGIN [--from URL]');
  process.exit(2);
}

/** The nodes of a tree, outermost first. */
function* nodesOf(node) {
  yield node;
  for (const child of node.children ?? []) yield* nodesOf(child);
}
const find = (tree, test) => [...nodesOf(tree)].find(test) ?? null;
const textOf = (node) => (node.type === 'text' ? node.value : (node.children ?? []).map(textOf).join(''));
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
const metaOf = (page, name) =>
  find(
    page,
    ({ tagName, properties = {} }) => tagName === 'meta' && [properties.name, properties.property].includes(name),
  )?.properties.content;

/** The markdown of a page: front matter, then everything in its main element, with absolute links. */
async function toMarkdown(html, url, day) {
  const page = unified().use(rehypeParse).parse(html);
  const main = find(page, ({ tagName }) => tagName === 'main') ?? find(page, ({ tagName }) => tagName === 'body');
  for (const { properties = {} } of nodesOf(main)) {
    for (const name of ['href', 'src']) {
      if (URL.canParse(properties[name] ?? '', url)) properties[name] = new URL(properties[name], url).href;
    }
  }
  const heading = find(main, ({ tagName }) => tagName === 'h1');
  const title = oneLine(textOf(find(page, ({ tagName }) => tagName === 'title') ?? heading ?? { children: [] }));
  const paragraph = find(main, ({ tagName }) => tagName === 'p');
  const description = oneLine(metaOf(page, 'description') ?? (paragraph === null ? '' : textOf(paragraph))) || title;
  const updated = metaOf(page, 'article:modified_time')?.slice(0, 10) ?? day;
  const tree = await unified()
    .use(rehypeRemark)
    .use(remarkGfm)
    .run({ type: 'root', children: [main] });
  const body = unified().use(remarkGfm).use(remarkStringify, { bullet: '-' }).stringify(tree);
  const top = { title: title || url, description, url, updated };
  const yaml = Object.entries(top).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${yaml.join('\n')}\n---\n\n${heading === null ? `# ${top.title}\n\n` : ''}${body}`;
}

/** What the address of a page is called: /about.html and /about/index.html are /about and /about/. */
const addressOf = (file) => `/${file.replace(/(^|\/)index\.html?$/i, '$1').replace(/\.html?$/i, '')}`;
const twinOf = (path) => (path.endsWith('/') ? `${path}index.md` : `${path.replace(/\.html?$/i, '')}.md`);

async function* pagesOfFolder() {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = relative(folder, join(entry.parentPath ?? entry.path, entry.name))
      .split(sep)
      .join('/');
    if (entry.isFile() && /\.html?$/i.test(file) && !/(^|\/)node_modules\//.test(file)) {
      const { mtime } = await stat(join(folder, file));
      yield {
        path: addressOf(file),
        html: await readFile(join(folder, file), 'utf8'),
        day: mtime.toISOString().slice(0, 10),
      };
    }
  }
}

async function* pagesOfSitemap() {
  const today = new Date().toISOString().slice(0, 10);
  const sitemap = await (await fetch(new URL('/sitemap.xml', from))).text();
  const paths = [...sitemap.matchAll(/<loc>\s*([^<\s]+)\s*<\/loc>/g)].map(([, loc]) => new URL(loc).pathname);
  for (const path of new Set(['/', ...paths])) {
    const response = await fetch(new URL(path, from), { headers: { Accept: 'text/html' } });
    if (response.ok) yield { path, html: await response.text(), day: today };
    else console.error(`${path} answers ${response.status}: left out`);
  }
}

let count = 0;
const twins = new Map();
for await (const { path, html, day } of flag === undefined ? pagesOfFolder() : pagesOfSitemap()) {
  if (path === '/404') continue;
  const twin = twinOf(path);
  await mkdir(dirname(join(folder, twin)), { recursive: true });
  await writeFile(join(folder, twin), await toMarkdown(html, new URL(path, origin).href, day));
  twins.set(new URL(path, origin).href, new URL(twin, origin).href);
  count += 1;
}
const index = join(folder, 'llms.txt');
const text = await readFile(index, 'utf8').catch(() => null);
if (text !== null) {
  const plain = (address) => address.replace(/\.html?$/i, '');
  const pointed = text.replace(/\]\(([^)\s]+)\)/g, (link, address) => {
    const twin = twins.get(address) ?? twins.get(plain(address)) ?? twins.get(`${address}/`);
    return twin === undefined ? link : `](${twin})`;
  });
  await writeFile(index, pointed);
}
console.log(`${count} markdown files in ${folder}`);
