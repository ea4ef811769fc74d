import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { askedOf } from '#almanac/ask/asked.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { clientDir } from '../support/site-under-test.ts';

const content = await readBuiltPassages(dirname(clientDir));
const { ask } = createAnswerer(datasets, content);

test('the questions that records are kept with lead to the record, at least nine in ten', () => {
  const asked = toEntries(datasets).flatMap((entry) =>
    askedOf(entry).flatMap((group) => group.ask.map((text) => ({ text, path: entry.path }))),
  );
  const missed = asked.filter(({ text, path }) => !ask(text).grounded_in.some((cited) => cited.path === path));
  assert.ok(missed.length <= asked.length / 10, `${missed.length} of ${asked.length}`);
});

test('the questions that pages are kept with lead to the page, at least nine in ten', () => {
  const asked = content.facts.flatMap(({ section, ask: own, parts }) =>
    own.length < 2 || parts.length === 0 ? [] : own.map((text) => ({ text, path: content.sections[section]?.path })),
  );
  assert.ok(asked.length > 1000, `${asked.length} questions`);
  const missed = asked.filter(
    ({ text, path }) => !ask(text).grounded_in.some((cited) => 'page' in cited && cited.page === path),
  );
  assert.ok(missed.length <= asked.length / 10, missed.map(({ text }) => text).join('\n'));
});
