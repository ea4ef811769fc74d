import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetHeads, headsOf } from '#api/http/heads.ts';
import { toLiveBody } from '#api/http/static-site.ts';

test('the headers of a body are kept, and made again after the service was at rest', () => {
  // Other tests of the process may have made some.
  forgetHeads(0);
  assert.equal(forgetHeads(0), false, 'there are none');
  const page = toLiveBody('a page', { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' });
  const { identity } = page.coded;
  const made = headsOf(page, identity, 'identity');
  assert.deepEqual(made.notModified, ['Vary', 'Accept', 'ETag', identity.etag]);
  assert.equal(headsOf(page, identity, 'identity'), made);

  assert.equal(forgetHeads(60_000), false, 'they were made just now');
  assert.equal(headsOf(page, identity, 'identity'), made);
  assert.equal(forgetHeads(0), true);
  assert.equal(forgetHeads(0), false);
  const again = headsOf(page, identity, 'identity');
  assert.notEqual(again, made);
  assert.deepEqual(again, made);
});
