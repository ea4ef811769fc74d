import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAskable } from '#almanac/ask/askable.ts';
import { askedOf, recordAsks } from '#almanac/ask/asked.ts';
import { splitPart } from '#almanac/ask/candidate.ts';
import { toEntries } from '#almanac/ask/entries.ts';
import { createRecords } from '#almanac/ask/records.ts';
import { placesOf, sayFields } from '#almanac/ask/said.ts';
import { datasets } from '#almanac/datasets/index.ts';

const records = createRecords(toEntries(datasets));
const askable = createAskable(records);

describe('the questions that records are kept with', () => {
  it('belong to records that are there: none is lost', () => {
    const held = records.entries.flatMap((entry) => askedOf(entry).flatMap(({ ask }) => ask));
    assert.equal(held.length, recordAsks.length);
    assert.ok(held.length > 5000);
  });

  it('are answered by a field that the record says', () => {
    const mute = records.entries.flatMap((entry) => {
      const said = sayFields(askable, entry);
      return askedOf(entry)
        .filter(({ say }) => say.every((field) => placesOf(said, field).length === 0))
        .map(({ ask, say }) => `${entry.id}: ${say.join(', ')}: ${ask[0]}`);
    });
    assert.deepEqual(mute, []);
  });

  it('begin with a sentence that the field says', () => {
    const lost = records.entries.flatMap((entry) => {
      const said = sayFields(askable, entry);
      return askedOf(entry).flatMap(({ say, from }) => {
        const { sentences } = splitPart(said[placesOf(said, say[0] ?? '')[0] ?? -1]?.text ?? '');
        return from === undefined || sentences.slice(1).some((sentence) => sentence.includes(from))
          ? []
          : [`${entry.id}: ${from}`];
      });
    });
    assert.deepEqual(lost, []);
  });

  it('are asked once', () => {
    const known = new Set<string>();
    const repeated = recordAsks.filter((ask) => known.has(ask.toLowerCase()) || !known.add(ask.toLowerCase()));
    assert.deepEqual(repeated, []);
  });
});
