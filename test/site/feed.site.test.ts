import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { changes } from '#almanac/changes.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { rubricVersion } from '#api/audit/rubric.ts';
import { feedTitle } from '#site/site.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

const feed = await readFile(join(clientDir, 'feed.atom'), 'utf8');
const entries = [...feed.matchAll(/<entry>(.*?)<\/entry>/gs)].map(([, entry = '']) => ({
  id: /<id>(.*?)<\/id>/.exec(entry)?.[1] ?? '',
  link: /<link [^>]*href="([^"]+)"/.exec(entry)?.[1] ?? '',
  updated: /<updated>(.*?)<\/updated>/.exec(entry)?.[1] ?? '',
}));

test('the feed tells of the catalog, each dataset, the playbook and the rubric', () => {
  const ids = entries.map(({ id }) => id);
  const expected = [
    ...changes.map(({ id, path }) => `${path}#${id}`),
    ...datasets.map(({ path, updated }) => `/${path}#dataset-${path}-${updated}`),
    `/audit#audit-rubric-${rubricVersion}`,
  ];
  for (const id of expected) {
    assert.ok(ids.includes(`${siteUrl}${id}`), id);
  }
  assert.ok(ids.some((id) => id.startsWith(`${siteUrl}/playbook#playbook-20`)));
  assert.equal(new Set(ids).size, ids.length, 'each has an id of its own');
});

test('the feed is called after what it holds, by itself and by the pages, and leads to the changes of records', async () => {
  const title = `<title>${feedTitle}</title>`;
  assert.ok(feed.includes(title));
  assert.match(feed, /<subtitle>[^<]*\/api\/changes\?format=atom<\/subtitle>/);
  const json = JSON.parse(await readFile(join(clientDir, 'feed.json'), 'utf8'));
  assert.equal(json.version, 'https://jsonfeed.org/version/1.1');
  assert.equal(json.title, feedTitle);
  const home = await readFile(join(clientDir, 'index.html'), 'utf8');
  for (const path of ['/feed.atom', '/feed.json']) {
    assert.ok(home.includes(`href="${siteUrl}${path}" title="${feedTitle}"`), path);
  }
});

test('the entries of the feed stand newest first, and each link leads to a page', async () => {
  const days = entries.map(({ updated }) => updated);
  assert.deepEqual(days, days.toSorted().reverse());
  assert.equal(/<updated>(.*?)<\/updated>/.exec(feed)?.[1], days[0], 'the feed is as new as its newest entry');
  for (const { link } of entries) {
    assert.equal((await fetch(link)).status, 200, link);
  }
});
