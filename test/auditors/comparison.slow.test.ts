import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { openAgenticBrowsing } from '../../scripts/support/compare/agentic-browsing.ts';
import { compareSite } from '../../scripts/support/compare/compare-site.ts';
import { comparedSites } from '../../scripts/support/compare/compared-sites.ts';
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

const record = JSON.parse(await readFile(recordFile, 'utf8')) as ComparisonRecord;
const sites = await comparedSites();
const advice = '`npm run compare` writes the record anew';

describe('what is written down', () => {
  it('has every site, as it is described where it is made', () => {
    assert.deepEqual(
      record.sites.map(({ id, kind, what }) => [id, kind, what]),
      Object.entries(sites).map(([id, { kind, what }]) => [id, kind, what]),
      advice,
    );
  });

  it('has the topics, the auditors and the checks of the present code', async () => {
    const present = await toComparisonRecord(new Map(), sites);
    const ofCode = ({ rubric, auditors, topics, no_results, only_ours, without_counterpart }: ComparisonRecord) => ({
      ...{ rubric, auditors, topics },
      ...{ no_results, only_ours, without_counterpart },
    });
    assert.deepEqual(ofCode(record), JSON.parse(JSON.stringify(ofCode(present))), advice);
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
  after(() => lighthouse[Symbol.asyncDispose]());

  for (const site of ['vitepress-llms', 'plain-fixed', 'bare', 'perfect', 'declared-only']) {
    it(site, async () => {
      const described = sites[site] ?? assert.fail(site);
      const results = await compareSite(described.answer, lighthouse);
      assert.deepEqual(
        toSiteRecord(site, described, results),
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
