import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datasets } from '#almanac/datasets/index.ts';
import { createSearch } from '#almanac/search.ts';

const search = createSearch(datasets);

describe('the best match of each id and name is a record with it', () => {
  for (const dataset of datasets) {
    it(dataset.id, () => {
      for (const record of dataset.records) {
        const name = 'name' in record ? record.name : 'term' in record ? record.term : record.id;
        for (const query of new Set([record.id, name])) {
          assert.equal(search(query, { dataset: dataset.id })[0]?.id, record.id, query);
        }
      }
    });
  }
});
