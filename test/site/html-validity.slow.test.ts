import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markupFaults } from '../support/nu-checker.ts';
import { builtHtml, clientDir } from '../support/site-under-test.ts';

test('the Nu HTML checker finds no error and no warning in any built page, drawing or style sheet', async (t) => {
  t.diagnostic(`${builtHtml().length} pages`);
  assert.ok(builtHtml().length > 30);
  assert.deepEqual(await markupFaults(clientDir), []);
});
