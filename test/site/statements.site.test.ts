import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { sitePages, twinPaths } from '#site/site-map.ts';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { builtHtml, clientDir, siteUrl } from '../support/site-under-test.ts';

const built = (file: string): string => readFileSync(join(clientDir, file), 'utf8');

test('the colophon counts the scripts that the site has', () => {
  const scripts = globSync('site/client/*.ts', { cwd: projectDir });
  assert.match(built('colophon.md'), new RegExp(`The scripts are ${scripts.length} small modules`));
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
