import { describe, test } from 'node:test';
import { auditSite } from './audited.ts';
import { misjudgedSites } from './misjudged-sites.ts';
import { assertJudged } from './served-report.ts';
import { generatorIds, servedSites } from './served-sites.ts';

describe('sites as their owners serve them are judged as a person judges them', () => {
  for (const [name, site] of Object.entries({ ...servedSites, ...misjudgedSites })) {
    if (!generatorIds.includes(name)) {
      test(`${name}: ${site.what}`, async () => {
        assertJudged(site, (await auditSite(site.answer, { path: site.path })).report);
      });
    }
  }
});
