import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Result } from 'lighthouse';
import { tools } from '#api/catalog/tools.ts';
import { openLighthouse } from '../../scripts/support/lighthouse.ts';
import { pageTypes, siteUrl } from '../support/site-under-test.ts';

const categories = ['accessibility', 'best-practices', 'seo', 'agentic-browsing'];

/** What is asked here does not depend on speed, so the waits for a page to settle are short. */
const flags = {
  onlyCategories: categories,
  disableFullPageScreenshot: true,
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 300,
  networkQuietThresholdMs: 300,
  cpuQuietThresholdMs: 100,
};

const browser = await openLighthouse('--enable-features=WebMCPTesting,WebMCP');
after(() => browser.close());

/** The audits of a category that apply to the page and did not pass. */
const missed = ({ categories: all, audits }: Result, category: string): string[] =>
  (all[category]?.auditRefs ?? []).flatMap(({ id }) => {
    const audit = audits[id];
    const applies = audit !== undefined && !['manual', 'notApplicable', 'informative'].includes(audit.scoreDisplayMode);
    return applies && audit.score !== 1 ? [`${category}/${id} (${audit.score}): ${JSON.stringify(audit.details)}`] : [];
  });

for (const { kind, path } of pageTypes.filter(({ status }) => status === 200)) {
  test(`Lighthouse finds nothing to improve on a page of kind ${kind} (${path})`, async (t) => {
    const result = await browser.audit(`${siteUrl}${path}`, flags);
    assert.deepEqual(
      categories.flatMap((category) => missed(result, category)),
      [],
    );
    for (const category of categories) {
      assert.equal(result.categories[category]?.score, 1, category);
    }
    const agentic = (result.categories['agentic-browsing']?.auditRefs ?? []).map(({ id }) => result.audits[id]);
    const applicable = agentic.flatMap((audit) =>
      audit?.scoreDisplayMode === 'notApplicable' ? [] : (audit?.id ?? []),
    );
    t.diagnostic(`applicable audits of agentic browsing: ${applicable.join(', ')}`);
    for (const always of ['agent-accessibility-tree', 'llms-txt', 'ard-schema', 'cumulative-layout-shift']) {
      assert.ok(applicable.includes(always), `${always} applies`);
    }
    if (path === '/') {
      const seen = JSON.stringify(result.audits['webmcp-registered-tools']?.details);
      assert.deepEqual(
        tools.map(({ name }) => name).filter((name) => !seen.includes(`"tool":"${name}"`)),
        [],
        'the tools of the home page are seen',
      );
    }
  });
}
