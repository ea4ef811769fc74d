import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ErrorLevel, XMLToSitemapItemStream } from 'sitemap';
import { absolute } from '#site/site.ts';
import { sitePages } from '#site/site-map.ts';
import { checkXml } from '../support/nu-checker.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

const schema = (name: string): string => join(import.meta.dirname, 'schemas', `${name}.rnc`);
const feed = join(clientDir, 'feed.atom');
const sitemap = join(clientDir, 'sitemap.xml');

test('the feed is Atom as RFC 4287 has it', async () => {
  assert.deepEqual(await checkXml(schema('atom'), feed), []);
});

test('a page of the feed of changes is Atom as RFC 4287 has it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-xml-'));
  try {
    const file = join(folder, 'changes.atom');
    await writeFile(file, await (await fetch(`${siteUrl}/api/changes?format=atom`)).text());
    assert.deepEqual(await checkXml(schema('atom'), file), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the sitemap keeps the sitemaps.org protocol', async () => {
  assert.deepEqual(await checkXml(schema('sitemap'), sitemap), []);
});

test('the schemas refuse what is wrong, so that their silence means something', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-xml-'));
  const faults: Record<string, [source: string, pattern: RegExp, replacement: string][]> = {
    atom: [
      [feed, /<id>[^<]*<\/id>/, ''],
      [feed, /<id>[^<]*<\/id>/, '<id>relative</id>'],
      [feed, /<updated>[^<]*<\/updated>/, '<updated>yesterday</updated>'],
      [feed, /<author>/, '<writer/><author>'],
      [feed, /rel="self"/, 'rel="selve"'],
      // Last, because the validator stops at what is not well-formed.
      [feed, /<title>/, '<title>A &nbsp; B</title><title>'],
    ],
    sitemap: [
      [sitemap, /<lastmod>[^<]*<\/lastmod>/, ''],
      [sitemap, /<lastmod>[^<]*<\/lastmod>/, '<lastmod>21 November</lastmod>'],
      [sitemap, /<loc>[^<]*<\/loc>/, '<loc>/about</loc>'],
    ],
  };
  try {
    for (const [name, replacements] of Object.entries(faults)) {
      const files = await Promise.all(
        replacements.map(async ([source, pattern, replacement], index) => {
          const file = join(folder, `${name}-${index}.xml`);
          await writeFile(file, (await readFile(source, 'utf8')).replace(pattern, replacement));
          return file;
        }),
      );
      const complaints = await checkXml(schema(name), ...files);
      for (const [index, file] of files.entries()) {
        assert.ok(
          complaints.some((line) => line.startsWith(file)),
          String(replacements[index]),
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a parser of sitemaps reads every page of the site from the sitemap, and nothing else', async () => {
  const items = Readable.from([await readFile(sitemap)]).pipe(new XMLToSitemapItemStream({ level: ErrorLevel.THROW }));
  const read = (await items.toArray()) as { url: string; lastmod: string }[];
  assert.deepEqual(
    read.map(({ url, lastmod }) => [url, lastmod.slice(0, 10)]),
    sitePages.map(({ path, updated }) => [absolute(path), updated]),
  );
});

test('feed and sitemap are served with their media types, and the feed is announced by every page', async () => {
  const types = {
    '/feed.atom': 'application/atom+xml; charset=utf-8',
    '/sitemap.xml': 'application/xml; charset=utf-8',
  };
  for (const [path, type] of Object.entries(types)) {
    const response = await fetch(`${siteUrl}${path}`);
    await response.body?.cancel();
    assert.equal(response.headers.get('content-type'), type);
  }
  const announced = `type="application/atom+xml" href="${siteUrl}/feed.atom"`;
  for (const { path } of sitePages) {
    const file = join(clientDir, `${path === '/' ? '/index' : path}.html`);
    assert.ok((await readFile(file, 'utf8')).includes(announced), path);
  }
});
