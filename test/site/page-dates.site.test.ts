import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#api/config.ts';
import { pageDates } from '#site/page-dates.ts';
import { builtContents, contentHash, redated, undated } from '../../scripts/support/build/page-content.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

const config = readConfig();

test('every page whose content has changed has the day recorded', async () => {
  assert.deepEqual(
    undated(await builtContents(clientDir, config)),
    [],
    'These pages have changed. Run `npm run pages:dates`, and commit site/content/page-dates.json.',
  );
});

test('the sitemap and the twins say the recorded day', async () => {
  const { updated } = pageDates['/about'] ?? assert.fail('/about is in the record');
  const { updated: ofTwin } = (await (await fetch(`${siteUrl}/about.json`)).json()) as { updated: string };
  assert.equal(ofTwin, updated);
  const sitemap = await (await fetch(`${siteUrl}/sitemap.xml`)).text();
  assert.ok(sitemap.includes(`<loc>${siteUrl}/about</loc><lastmod>${updated}</lastmod>`));
});

test('another day or other settings of the owner are no change, another word is', () => {
  const page = (day: string, origin: string, word: string): string =>
    `---\ntitle: A\nupdated: ${day}\n---\n\n${word} at <${origin}/b>, and </audit?url=${encodeURIComponent(origin)}>.\n`;
  const here = contentHash(page('2026-01-01', config.baseUrl, 'Read'), config);
  const elsewhere = { ...config, baseUrl: 'https://example.org' };
  assert.equal(contentHash(page('2026-02-02', 'https://example.org', 'Read'), elsewhere), here);
  assert.notEqual(contentHash(page('2026-01-01', config.baseUrl, 'Write'), config), here);
});

test('only what has changed gets the new day', () => {
  const [[path = '', known] = []] = Object.entries(pageDates);
  const record = redated(
    new Map([
      [path, known?.content ?? ''],
      ['/new', 'x'],
    ]),
    '2030-01-01',
  );
  assert.deepEqual(record, { [path]: known, '/new': { content: 'x', updated: '2030-01-01' } });
});
