import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toProblemPage } from '#api/http/problem-page.ts';

const document = {
  ...{ type: '/problems/invalid-query', title: 'A query value is not valid', status: 400 },
  ...{ detail: 'Correct what `errors` names. `<b>`', instance: '/api/ask', request_id: '1' },
  errors: [{ pointer: '?q', detail: 'is empty' }],
};

test('what happened is below the line of the title, with its list inside of the box and code as code', () => {
  const page = toProblemPage('<div class="titleline"><h1>Title</h1></div><p>Lede</p>', document);
  assert.match(page, /^<div class="titleline"><h1>Title<\/h1><\/div><div class="callout form-problem">/);
  assert.match(page, /<ul class="bullets"><li><code>\?q<\/code>: is empty<\/li><\/ul>/);
  assert.match(page, /Correct what <code>errors<\/code> names\. <code>&lt;b&gt;<\/code>/);
  assert.match(toProblemPage('<h1>Title</h1><p>Lede</p>', document), /^<h1>Title<\/h1><div class="callout/);
});
