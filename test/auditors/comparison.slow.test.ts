import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { openAgenticBrowsing } from '../../scripts/support/compare/agentic-browsing.ts';
import { compareSite } from '../../scripts/support/compare/compare-site.ts';
import {
  type ComparisonRecord,
  explanationFaults,
  recordFile,
  toComparisonRecord,
  toSiteRecord,
} from '../../scripts/support/compare/comparison-record.ts';
import { toDifferences } from '../../scripts/support/compare/differences.ts';
import { explanations } from '../../scripts/support/compare/explanations.ts';
import { emptyTopics, mappingFaults } from '../../scripts/support/compare/mapping.ts';
import { judgedSites } from '../audit/judged-sites.ts';

const record = JSON.parse(await readFile(recordFile, 'utf8')) as ComparisonRecord;
const advice = '`npm run compare` writes the record anew';

describe('what is written down', () => {
  it('has every site of the tests, as it is described there', () => {
    assert.deepEqual(
      record.sites.map(({ id, what }) => [id, what]),
      Object.entries(judgedSites).map(([id, { what }]) => [id, what]),
      advice,
    );
  });

  it('has the topics, the auditors and the checks of the present code', async () => {
    const { sites: _, differences: __, agreement: ___, ...present } = await toComparisonRecord(new Map(), () => '');
    const { sites: ____, differences: _____, agreement: ______, ...written } = record;
    assert.deepEqual(written, JSON.parse(JSON.stringify(present)), advice);
  });

  it('has each explanation with its sites, and no difference without one', () => {
    const key = (one: { topic: string; auditor: string; direction: string; why: string; sites: string[] }): string =>
      [one.topic, one.auditor, one.direction, one.why, ...one.sites.toSorted()].join('\n');
    assert.deepEqual(record.differences.map(key).toSorted(), explanations.map(key).toSorted(), advice);
  });

  it('names no address of this machine', () => {
    assert.doesNotMatch(JSON.stringify(record), /127\.0\.0\.1|localhost|\/(?:work|home|tmp|root)\//);
  });
});

describe('what the auditors say now is what is written down', async () => {
  const lighthouse = await openAgenticBrowsing();
  after(() => lighthouse.close());

  for (const site of ['bare', 'perfect', 'declared-only']) {
    it(site, async () => {
      const { what, answer } = judgedSites[site] ?? assert.fail(site);
      const results = await compareSite(answer, lighthouse);
      assert.deepEqual(
        toSiteRecord(site, what, results),
        record.sites.find(({ id }) => id === site),
        advice,
      );
      const found = toDifferences(site, results).map(({ topic, auditor, direction }) => [topic, auditor, direction]);
      const written = record.differences
        .filter(({ sites }) => sites.includes(site))
        .map(({ topic, auditor, direction }) => [topic, auditor, direction]);
      assert.deepEqual(found, written, advice);
      assert.deepEqual(explanationFaults(new Map([[site, results]])), []);
      if (site === 'perfect') {
        // On this site every check of every auditor shows.
        assert.deepEqual(mappingFaults(results), []);
        assert.deepEqual(emptyTopics(), []);
      }
    });
  }
});
