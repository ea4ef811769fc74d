import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { AuditReport } from '#api/audit/report.ts';
import { auditSite } from './audited.ts';
import { handVerdictOn } from './hand-verdicts.ts';
import { assertJudged } from './served-report.ts';
import { generatorIds, servedSites } from './served-sites.ts';

for (const id of generatorIds) {
  const site = servedSites[id] ?? assert.fail(id);
  describe(`${id}: ${site.what}`, () => {
    let report: AuditReport;

    // One after the other: audits have little time.
    before(async () => {
      ({ report } = await auditSite(site.answer, { path: site.path }));
    });

    test('is judged as a person judges it', () => assertJudged(site, report));

    test('every check says what a person says', () => {
      const other = report.checks
        .map((check) => ({ ...check, byHand: handVerdictOn(check.id, id) }))
        .filter(({ status, byHand }) => status !== byHand)
        .map((check) => `${check.id} says ${check.status}, test/audit/hand-verdicts.ts says ${check.byHand}`);
      assert.deepEqual(other, []);
    });
  });
}
