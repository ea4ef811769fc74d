import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkListedPages } from '../../scripts/support/build/listed-pages.ts';

const folder = await mkdtemp(join(tmpdir(), 'porchlight-listed-'));
after(() => rm(folder, { recursive: true }));
await mkdir(join(folder, 'audit'));
for (const name of ['index.html', 'about.html', 'audit/scoring.html']) {
  await writeFile(join(folder, name), '');
}

test('listed pages that were built pass', () => {
  assert.doesNotThrow(() => checkListedPages(folder, ['/', '/about', '/audit/scoring']));
});

test('a listed page without a file stops the build with a sentence that names it and its file', () => {
  assert.throws(() => checkListedPages(folder, ['/', '/faq', '/audit/x']), {
    message:
      'site/content/pages.json lists /faq, /audit/x, and no file makes them: add site/pages/faq.astro or take /faq off the list.',
  });
});
