import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkMarkup, markupFaults } from '../support/nu-checker.ts';
import { clientDir, pageTypes } from '../support/site-under-test.ts';

test('the Nu HTML checker finds no error and no warning in a page of each kind and in the style sheets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-vnu-'));
  try {
    const built = pageTypes.filter(({ status, path }) => status === 200 && !path.includes('?'));
    assert.ok(built.length > 30, `${built.length} pages`);
    for (const { path } of built) {
      const file = `${path === '/' ? '/index' : path}.html`;
      await cp(join(clientDir, file), join(folder, file));
    }
    await cp(join(clientDir, 'assets'), join(folder, 'assets'), {
      recursive: true,
      filter: (source) => !/\.\w+$/.test(source) || source.endsWith('.css'),
    });
    assert.deepEqual(await markupFaults(folder), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the checker sees what is wrong, so that its silence means something', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-vnu-'));
  try {
    await writeFile(
      join(folder, 'page.html'),
      '<!doctype html><html lang="en"><title>A</title><p><img src="a.png"></p>',
    );
    await writeFile(join(folder, 'style.css'), 'p { colour: red }');
    const messages = await checkMarkup(folder);
    const files = messages.filter(({ type }) => type === 'error').map(({ url }) => url.split('/').at(-1));
    assert.deepEqual([...new Set(files)].sort(), ['page.html', 'style.css']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
