import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { crawlers } from '#almanac/datasets/index.ts';
import { sitePages, twinPaths } from '#site/site-map.ts';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { builtHtml, clientDir, siteUrl } from '../support/site-under-test.ts';

const built = (file: string): string => readFileSync(join(clientDir, file), 'utf8');

test('the colophon counts the scripts that the site has', () => {
  const scripts = globSync('site/client/*.ts', { cwd: projectDir });
  assert.match(built('colophon.md'), new RegExp(`The scripts are ${scripts.length} small modules`));
});

test('who has a hosted builder is led to what can be changed there', () => {
  for (const page of ['index.md', 'audit.md', 'audit/sample.md']) {
    assert.match(built(page), /Shopify, Wix, Squarespace or Webflow/, page);
    assert.match(built(page), /\/techniques\/recipes#hosted-builders/, page);
  }
});

test('the home page counts the crawlers by what is known of them', () => {
  const inUse = crawlers.records.filter(({ status }) => status === 'active').length;
  const said = new RegExp(`${crawlers.records.length}\\W+crawlers and agents .*${inUse} of them confirmed and in use`);
  assert.match(built('index.md'), said);
});

test('both ways to divide the points of the audit lead to each other', () => {
  assert.match(built('audit.md'), /\/audit\/scoring#groups/);
  assert.match(built('audit/scoring.md'), /\/audit#looks-at/);
});

test('sitemap.md lists every page with a line on it', () => {
  const lines = built('sitemap.md').split('\n');
  for (const { path, title } of sitePages) {
    const start = `- [${title}](${siteUrl}${twinPaths(path).markdown}): `;
    assert.ok(
      lines.some((line) => line.startsWith(start) && line.length > start.length + 10),
      path,
    );
  }
});

test('the 404 page names no twins, which it has not', () => {
  const page = built('404.html');
  assert.doesNotMatch(page, /rel="alternate" type="(?:text\/markdown|application\/json)"/);
  assert.doesNotMatch(page, /href="[^"]*\/404/);
  assert.doesNotMatch(built('404.md'), /\/404\.(?:md|json)/);
});

test('no page shows the backticks of code as they are', () => {
  const found: string[] = [];
  for (const file of builtHtml()) {
    const visit = (node: DefaultTreeAdapterTypes.Node): void => {
      if (['code', 'pre', 'script', 'style'].includes(node.nodeName)) {
        return;
      }
      if ('value' in node && node.value.includes('`')) {
        found.push(`${file}: ${node.value.slice(0, 120)}`);
      }
      if ('childNodes' in node) {
        node.childNodes.forEach(visit);
      }
    };
    visit(parse(built(file)));
  }
  assert.deepEqual(found, []);
});
