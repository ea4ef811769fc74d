import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAskable } from '#almanac/ask/askable.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { createAnswerer, prepareAnswerer } from '#almanac/ask/index.ts';
import { toFacts } from '#almanac/ask/kept.ts';
import { fromBytes, prepare, toBytes } from '#almanac/ask/prepared.ts';
import { createRecords } from '#almanac/ask/records.ts';
import { readSections } from '#almanac/ask/sections.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { noPages, type PageContent } from '#almanac/pages.ts';
import { openBuiltAnswerer } from '#api/almanac/passages.ts';

const sentence = 'A lantern is lit by the porch every evening at seven.';
const content: PageContent = {
  sections: [
    {
      ...{ path: '/lanterns', page: 'Lanterns', anchor: 'lighting', heading: 'Lighting', tokens: 12 },
      parts: [{ text: sentence, quote: sentence, isCode: false }],
    },
  ],
  facts: [{ section: 0, parts: [0], ask: ['When is the lantern lit?'], names: ['porch lanterns'] }],
};
const records = createRecords(toEntries(datasets));
const askable = createAskable(records);
const sections = readSections(content, askable);
const facts = toFacts(sections, records);
const bytes = toBytes(prepare(sections, facts), sections, facts);

describe('what reading all texts comes to', () => {
  it('is the same when it was written down and taken', () => {
    const [made, taken] = [prepare(sections, facts), fromBytes(bytes, sections, facts)];
    assert.ok(taken !== null);
    assert.deepEqual(taken.words, made.words);
    assert.deepEqual(taken.words.postings.formsOf('lantern'), made.words.postings.formsOf('lantern'));
    assert.deepEqual(taken.asks, made.asks);
    assert.deepEqual(taken.meanings.toData(), made.meanings.toData());
    assert.deepEqual(taken.spelt(), made.spelt());
    assert.deepEqual(taken.speltInAsks(), made.speltInAsks());
  });

  it('answers as if everything was read', () => {
    const prepared = createAnswerer(datasets, content, prepareAnswerer(datasets, content));
    const { ask } = createAnswerer(datasets, content);
    for (const question of [
      'When is the lantern lit?',
      'Who runs GPTBot?',
      'lantren evening',
      'What does x402 cost?',
    ]) {
      assert.deepEqual(prepared.ask(question), ask(question));
    }
    assert.match(prepared.ask('When is the lantern lit?').answer, /every evening at seven/);
  });

  it('is not taken for other texts', () => {
    const others = readSections(noPages, askable);
    assert.equal(fromBytes(bytes, others, toFacts(others, records)), null);
    const { ask } = createAnswerer(datasets, noPages, bytes);
    assert.deepEqual(ask('Who runs GPTBot?'), createAnswerer(datasets).ask('Who runs GPTBot?'));
  });

  it('says what to do where the build has none', () => {
    assert.throws(
      () => openBuiltAnswerer(import.meta.dirname),
      /answerer\.bin, cannot be read\. Build the site anew\./,
    );
  });
});
