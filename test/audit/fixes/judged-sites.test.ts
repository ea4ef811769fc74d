import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFixDocument } from '#api/audit/fixes/fix-document.ts';
import { filesByPath, fixesOf } from '#api/audit/fixes/fixes.ts';
import { platformIds } from '#api/audit/fixes/platforms/index.ts';
import { auditMoment, auditSite } from '../audited.ts';
import { judgedSites } from '../judged-sites.ts';

describe('fixes of every judged site', () => {
  for (const [name, { answer }] of Object.entries(judgedSites)) {
    it(`${name}: every finding is settled by a file, the server, the template or by hand; the document says all of it`, async () => {
      const { report } = await auditSite(answer);
      for (const platform of platformIds) {
        const fixes = fixesOf(report, { platform, now: auditMoment });
        const text = toFixDocument(report, fixes, { files: 'the archive' });
        for (const { title } of report.plan) {
          assert.ok(text.includes(`**${title}**`), `${platform}: ${title}`);
        }
        for (const path of filesByPath(fixes).keys()) {
          assert.match(path, /^(?:site|project|server)\/(?!\/)(?!.*\.\.\/)/);
          assert.ok(text.includes(path.split('/').slice(1).join('/')), `${platform}: ${path}`);
        }
        const proofs = text.match(/^ {3}Prove it: .*$/gm) ?? [];
        assert.equal(proofs.length, report.plan.length);
        assert.deepEqual(
          proofs.filter((line) => line.includes('npx ')),
          [],
          'no proof runs a package of a registry',
        );
        const fences = text.match(/^`{3,}/gm) ?? [];
        assert.equal(fences.length % 2, 0, `${platform}: a fence is open`);
      }
    });
  }
});

it('the first fixes of a site without an llms.txt bring the line that shows it, too', async () => {
  const footerOf = async (site: string): Promise<string | null> => {
    const { report } = await auditSite(judgedSites[site]?.answer ?? assert.fail(site));
    return fixesOf(report, { platform: 'nginx', now: auditMoment }).footer;
  };
  assert.equal(await footerOf('bare'), '<a href="/llms.txt">For AI agents: llms.txt</a>');
  assert.equal(await footerOf('perfect'), null);
});
