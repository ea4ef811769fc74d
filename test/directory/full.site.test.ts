import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { declaredTypes } from '#api/catalog/endpoints.ts';
import { readConfig } from '#api/config.ts';
import { openDirectoryCache } from '#api/directory/live.ts';
import { sitesOnPage } from '#api/directory/responses.ts';
import { createDirectory } from '#api/directory/store.ts';
import { readSiteFiles } from '#api/http/site-files.ts';
import { createStaticSite } from '#api/http/static-site.ts';
import { openRenderThread } from '#api/live/render-thread.ts';
import type { Representations } from '#api/render/representations.ts';
import { clientDir } from '../support/site-under-test.ts';

const config = readConfig();
const thread = openRenderThread(config.distDir);
after(() => thread.close());

test('the page of a directory with 5,000 sites shows the newest and says where the others are', async (t) => {
  const directory = createDirectory();
  for (let index = 0; index < 5000; index += 1) {
    await directory.put({
      url: `https://site-${index}.example.org`,
      score: 70 + (index % 31),
      grade: 'agent-ready (certifiable)',
      certified_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      tier: 'standard',
    });
  }
  const pages: Representations[] = [];
  const home: object[] = [];
  const staticSite = createStaticSite(readSiteFiles(clientDir, declaredTypes), config.baseUrl);
  const replace = async (path: string, page: Representations): Promise<void> => {
    assert.equal(path, '/directory');
    pages.push(page);
  };
  const log = pino({ level: 'silent' });
  const cache = openDirectoryCache({
    ...{ directory, config, log },
    scoresOf: (home) => (home === 'https://site-4998.example.org/' ? [64, 79] : []),
    staticSite: { ...staticSite, replace },
    render: thread.render,
    showOnHome: async (part) => {
      home.push(part);
    },
  });
  // Reading waits until the page is made.
  await staticSite.pages.read('/directory');
  cache.stop();
  assert.deepEqual(
    home.map((part) => (part as { newestSites: { url: string }[] }).newestSites.map(({ url }) => url)),
    [[4999, 4998, 4997].map((number) => `https://site-${number}.example.org`)],
  );
  const [page] = pages;
  assert.ok(page);
  t.diagnostic(`${page.html.length} characters of HTML, ${page.json.length} of JSON`);
  const shown = [...page.html.matchAll(/aria-label="(site-\d+)\.example\.org"/g)].map(([, name]) => name);
  assert.equal(shown.length, sitesOnPage);
  assert.equal(shown[0], 'site-4999');
  assert.deepEqual(
    [...page.html.matchAll(/aria-label="Scores from the oldest to the newest: ([^"]*)"/g)].map(([, scores]) => scores),
    ['64, 79'],
  );
  assert.match(page.markdown, /Scores from the oldest to the newest: 64, 79/);
  assert.match(page.html, /These are the newest 200\. 4,800 more are in the list of the API/);
  assert.ok(page.html.length < 250_000);
  const { data } = JSON.parse(page.json);
  assert.deepEqual([data.count, data.sites.length], [5000, sitesOnPage]);
  assert.match(data.note, /^The newest 200 of 5000\. .*\/api\/directory has all\.$/);
});
