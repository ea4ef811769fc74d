import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { createAskable } from '#almanac/ask/askable.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { toFacts } from '#almanac/ask/kept.ts';
import { fromBytes, prepare, toBytes } from '#almanac/ask/prepared.ts';
import { createRecords } from '#almanac/ask/records.ts';
import { readSections } from '#almanac/ask/sections.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { openBuiltAnswerer, readBuiltPassages } from '#api/almanac/passages.ts';
import { clientDir } from '../support/site-under-test.ts';

test('what the build wrote for questions is what reading its pages and the datasets comes to', async () => {
  const distDir = dirname(clientDir);
  const records = createRecords(toEntries(datasets));
  const sections = readSections(await readBuiltPassages(distDir), createAskable(records));
  const facts = toFacts(sections, records);
  const built = openBuiltAnswerer(distDir);
  try {
    const bytes = built.read();
    assert.notEqual(fromBytes(bytes, sections, facts), null, 'it is taken');
    assert.ok(bytes.equals(toBytes(prepare(sections, facts), sections, facts)));
    assert.ok(built.read().equals(bytes), 'it can be read again');
  } finally {
    built.close();
  }
});
