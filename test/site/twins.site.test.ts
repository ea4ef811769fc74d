import assert from 'node:assert/strict';
import { test } from 'node:test';
import { techniqueIds } from '#almanac/techniques.ts';
import { sitePages } from '#site/site-map.ts';
import { builtHtml, htmlOfKinds, siteUrl } from '../support/site-under-test.ts';
import { testTwins } from './twins.ts';

test('every page of the site map is built, and every built page is in it', () => {
  const names = builtHtml();
  const listed = sitePages.map(({ path }) => `${path === '/' ? 'index' : path.slice(1)}.html`);
  assert.deepEqual([...listed, '404.html'].sort(), names);
  assert.ok(names.length > techniqueIds.length);
});

test('a page of each kind stands for all, and each is a built one', () => {
  const names = builtHtml();
  assert.ok(htmlOfKinds.length > 30);
  assert.deepEqual(
    htmlOfKinds.filter((name) => !names.includes(name)),
    [],
  );
});

testTwins(htmlOfKinds);

test('what the running service serves states the bytes that its header states', async () => {
  for (const { path } of sitePages) {
    const [page, twin] = await Promise.all([
      fetch(`${siteUrl}${path}`, { headers: { accept: 'text/html' } }),
      fetch(`${siteUrl}${path}`, { headers: { accept: 'text/markdown' } }),
    ]);
    const stated = /<span class="views-saved num">Markdown saves ([\d,-]+) bytes/
      .exec(await page.text())?.[1]
      ?.replaceAll(',', '');
    await twin.arrayBuffer();
    assert.equal(twin.headers.get('x-bytes-saved'), stated, path);
  }
});
