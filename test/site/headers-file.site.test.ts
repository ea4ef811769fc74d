import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { declaredTypes } from '#api/catalog/endpoints.ts';
import { pageTypes } from '#api/http/headers.ts';
import { readSiteFiles } from '#api/http/site-files.ts';
import { headersFileLimits } from '../../scripts/support/build/headers-file.ts';
import { clientDir } from '../support/site-under-test.ts';

const text = readFileSync(join(clientDir, '_headers'), 'utf8');
const rules = text
  .trim()
  .split('\n\n')
  .map((rule) => {
    const [path = '', ...lines] = rule.split('\n');
    const pattern = new RegExp(`^${path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
    return { pattern, headers: lines.map((line) => line.trim().split(/: (.*)/s) as [string, string]) };
  });

/** The headers that a static host gives an address; it joins those that two rules set. */
function headersOf(path: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { pattern, headers } of rules) {
    for (const [name, value] of pattern.test(path) ? headers : []) {
      const before = found.get(name);
      found.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return found;
}

const site = readSiteFiles(clientDir, declaredTypes);

test('no host skips a rule of _headers', () => {
  assert.ok(rules.length > 10 && rules.length <= headersFileLimits.rules, `${rules.length} rules`);
  assert.ok(text.split('\n').every((line) => line.length <= headersFileLimits.lineCharacters));
});

test('each file has its type, and no header twice', () => {
  const guessed = /^(?:text\/(?:css|javascript|plain)|application\/(?:json|xml|manifest\+json)|image\/|font\/)/;
  const wrong = [
    ...[...site.files].map(([path, { type }]) => ({ path, type })),
    ...[...site.pages.values()].map(({ markdown }) => ({ path: `/${markdown.file}`, type: pageTypes.markdown })),
  ].filter(({ path, type }) => {
    const given = headersOf(path).get('Content-Type');
    return given === undefined ? !guessed.test(type) : given !== type;
  });
  assert.deepEqual(wrong, []);
});

test('the headers of every answer, and what is kept for a year', () => {
  const page = headersOf('/about');
  assert.match(page.get('Content-Security-Policy') ?? '', /default-src 'none'/);
  assert.equal(page.get('Access-Control-Allow-Origin'), '*');
  assert.equal(page.get('Cache-Control'), undefined);
  assert.match(headersOf('/assets/x.css').get('Cache-Control') ?? '', /^public, max-age=31536000, immutable$/);
  assert.match(headersOf('/').get('Link') ?? '', /rel="api-catalog"/);
});
