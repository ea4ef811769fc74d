import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditSite } from './audited.ts';
import { handVerdictOn } from './hand-verdicts.ts';
import { misjudgedSites } from './misjudged-sites.ts';
import { generatorIds, type ServedSite, servedSites } from './served-sites.ts';

/** The reports of the recorded sites, which two tests read. */
const ofGenerators = new Map<string, ReturnType<typeof auditSite>>();

function reportOn(name: string, { answer, path }: ServedSite): ReturnType<typeof auditSite> {
  const known = ofGenerators.get(name) ?? auditSite(answer, { path });
  if (generatorIds.includes(name)) {
    ofGenerators.set(name, known);
  }
  return known;
}

describe('sites as their owners serve them are judged as a person judges them', () => {
  for (const [name, site] of Object.entries({ ...servedSites, ...misjudgedSites })) {
    test(`${name}: ${site.what}`, async () => {
      const {
        verdicts,
        type,
        score: [from, to],
      } = site;
      const { report } = await reportOn(name, site);
      const found = Object.fromEntries(report.checks.map(({ id, status }) => [id, status]));
      const judged = Object.fromEntries(Object.keys(verdicts).map((id) => [id, found[id]]));
      assert.deepEqual(judged, verdicts);
      assert.ok(report.score >= from && report.score <= to, `${report.score} is not from ${from} to ${to}`);
      assert.equal(type === undefined ? undefined : report.site_type.id, type);
      assert.ok(report.requests <= 60, `${report.requests} requests`);
    });
  }
});

describe('every check of the recorded sites of generators says what a person says', () => {
  for (const id of generatorIds) {
    test(id, async () => {
      const { report } = await reportOn(id, servedSites[id] ?? assert.fail(id));
      const found = report.checks.map((check) => [check.id, check.status]);
      assert.deepEqual(
        Object.fromEntries(found),
        Object.fromEntries(report.checks.map((check) => [check.id, handVerdictOn(check.id, id)])),
      );
    });
  }
});
