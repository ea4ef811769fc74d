import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkMarkup, markupFaults } from '../support/nu-checker.ts';
import { builtHtml, clientDir } from '../support/site-under-test.ts';

test('the Nu HTML checker finds no error and no warning in any built page, drawing or style sheet', async (t) => {
  t.diagnostic(`${builtHtml().length} pages`);
  assert.ok(builtHtml().length > 30);
  const faults = await markupFaults(clientDir);
  assert.deepEqual(
    faults.map(
      ({ type, url, lastLine, lastColumn, message, extract }) =>
        `${type} · ${url.slice(url.indexOf('client/'))}:${lastLine}:${lastColumn} · ${message} · ${extract?.slice(0, 120)}`,
    ),
    [],
  );
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
