import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { datasets } from '#almanac/datasets/index.ts';
import { editionsOf, recordSnapshotPath } from '#almanac/edition-list.ts';
import { digestOf, editionAt, fromKeyed, readEdition, toKeyed } from '#almanac/editions.ts';
import { datasetFile, readJson } from '../../scripts/support/almanac/files.ts';

const almanac = join(import.meta.dirname, '../../almanac');

describe('the editions', () => {
  for (const { path } of datasets) {
    test(`of ${path} can all be rebuilt, as their digests say, and come in the order of their days`, async () => {
      const editions = editionsOf(path);
      assert.deepEqual(
        editions.map(({ date }) => date),
        editions.map(({ date }) => date).toSorted(),
      );
      assert.equal(new Set(editions.map(({ version }) => version)).size, editions.length);
      for (const edition of editions) {
        const data = await readEdition(path, edition);
        assert.equal(digestOf(data), edition.sha256, edition.version);
        assert.equal(data.records.length, edition.records);
      }
    });

    test(`of ${path} that records are cited by hold the record as it is now`, async () => {
      const now = fromKeyed(toKeyed(readJson(datasetFile(almanac, path))));
      const newest = editionsOf(path).at(-1);
      assert.ok(newest);
      assert.equal(digestOf(now), newest.sha256, 'run npm run almanac:edition');
      for (const edition of editionsOf(path)) {
        const old = new Map((await readEdition(path, edition)).records.map((record) => [record['id'], record]));
        for (const record of now.records) {
          if (recordSnapshotPath(path, String(record['id'])).version === edition.version) {
            assert.deepEqual(old.get(record['id']), record);
          }
        }
      }
    });
  }

  test('are found by day: the last one of the day or before it', () => {
    const [first] = editionsOf('models');
    assert.ok(first);
    assert.equal(editionAt('models', '2026-11-20'), undefined);
    assert.equal(editionAt('models', '2026-11-21')?.version, '2026-11-21.1');
    assert.equal(editionAt('models', '2027-01-01'), editionsOf('models').at(-1));
    assert.equal(editionAt('models', first.version), first);
    assert.equal(editionAt('models', '2026-11-21.9'), undefined);
    assert.equal(editionAt('nothing', '2026-11-21'), undefined);
  });
});
