import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAlmanac } from '#almanac/almanac.ts';

test('indexes that nobody has used for a while are dropped, and made again for who asks next', () => {
  const almanac = createAlmanac();
  assert.equal(almanac.release(0), false, 'there are none before the first use');

  const { search } = almanac;
  const found = search('gptbot');
  assert.equal(almanac.release(60_000), false, 'it was used just now');
  assert.equal(almanac.search, search);
  assert.equal(almanac.release(0), true);
  assert.equal(almanac.release(0), false);
  assert.notEqual(almanac.search, search);
  assert.deepEqual(almanac.search('gptbot'), found);

  const answered = almanac.ask('Who runs GPTBot?');
  assert.equal(almanac.release(0), true);
  assert.deepEqual(almanac.ask('Who runs GPTBot?'), answered);
});
