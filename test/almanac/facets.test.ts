import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crawlers, datasets } from '#almanac/datasets/index.ts';
import { countFacets } from '#almanac/facets.ts';
import { listRecords } from '#almanac/record-list.ts';
import { viewOf } from '#site/almanac/views.ts';

describe('the values of a facet', () => {
  for (const dataset of datasets) {
    it(`of ${dataset.path} say how many records each filter finds`, () => {
      for (const { field, choices } of countFacets(dataset, viewOf(dataset.path).facets, {})) {
        assert.ok(choices.length > 1, field);
        for (const { value, count } of choices) {
          assert.equal(listRecords(dataset, { equals: { [field]: value } }).matched, count, `${field}=${value}`);
        }
        assert.deepEqual(
          choices.map(({ count }) => count),
          choices.map(({ count }) => count).toSorted((one, other) => other - one),
          'those of most records come first',
        );
      }
    });
  }

  it('are narrowed down by the other conditions and not by their own', () => {
    const query = { equals: { bot_type: 'Training', status: 'active' } };
    const [types, states] = countFacets(crawlers, ['bot_type', 'status'], query);
    const count = (equals: Record<string, string>): number => listRecords(crawlers, { equals }).matched;
    const archive = types?.choices.find(({ value }) => value === 'archive');
    assert.deepEqual(archive, {
      value: 'archive',
      count: count({ bot_type: 'archive', status: 'active' }),
      isChosen: false,
    });
    assert.deepEqual(
      types?.choices.filter(({ isChosen }) => isChosen).map(({ value }) => value),
      ['training'],
    );
    const retired = states?.choices.find(({ value }) => value === 'retired');
    assert.equal(retired?.count, count({ bot_type: 'training', status: 'retired' }));
  });

  it('are chosen by several values too', () => {
    const [types] = countFacets(crawlers, ['bot_type'], { equals: { bot_type: ['training', 'archive'] } });
    const chosen = types?.choices.filter(({ isChosen }) => isChosen).map(({ value }) => value);
    assert.deepEqual(chosen?.toSorted(), ['archive', 'training']);
  });

  it('hold one that no record has when it is chosen, so that it can be taken back', () => {
    const [operators] = countFacets(crawlers, ['operator'], { equals: { operator: 'nobody at all' } });
    assert.deepEqual(operators?.choices.at(-1), { value: 'nobody at all', count: 0, isChosen: true });
  });

  it('are those of filters that the list has', () => {
    assert.throws(() => countFacets(crawlers, ['colour'], {}), /no filter colour/);
  });
});
