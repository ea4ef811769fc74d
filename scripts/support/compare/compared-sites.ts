import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixesOf } from '#api/audit/fixes/fixes.ts';
import { auditMoment, auditSite } from '../../../test/audit/audited.ts';
import { pasteFiles, pasteIntoPages } from '../../../test/audit/fixes/paste.ts';
import { writePlainSite } from '../../../test/audit/fixes/plain-site.ts';
import { judgedSites } from '../../../test/audit/judged-sites.ts';
import { generatorIds, servedSites } from '../../../test/audit/served-sites.ts';
import type { Answer } from '../../../test/audit/sites.ts';
import { freePort } from '../ports.ts';
import { serveFolder } from './serve-folder.ts';

/**
 * Where a site comes from: the recorded output of a generator, a plain site with more and more of our own fixes, or made
 * for the tests, mostly good in all but one thing.
 */
export type SiteKind = 'recorded' | 'fixed' | 'made';

export interface ComparedSite {
  kind: SiteKind;
  what: string;
  answer: Answer;
}

/** A plain site on a host that serves files and lets its owner set nothing: as it is, with our files, with all that we give. */
async function fixedSites(): Promise<Record<string, ComparedSite>> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'porchlight-compare-'));
  const served = { folder: folder.path, site: join(folder.path, 'site'), port: await freePort() };
  await mkdir(served.site);
  await writePlainSite(served.site);
  const plain = await serveFolder(served.site, 'ORIGIN');
  const { report } = await auditSite(plain);
  const fixes = fixesOf(report, { platform: 'github-pages', now: auditMoment });
  await pasteFiles(served, fixes);
  const withFiles = await serveFolder(served.site, report.site.origin);
  await pasteIntoPages(served, fixes, report.site);
  const whole = await serveFolder(served.site, report.site.origin);
  return {
    plain: { kind: 'fixed', what: 'A plain site of a small business, with nothing for agents.', answer: plain },
    'plain-with-files': {
      kind: 'fixed',
      what: 'The same with the files that our report on it gives: llms.txt, robots.txt, sitemap and others.',
      answer: withFiles,
    },
    'plain-fixed': {
      kind: 'fixed',
      what: 'The same with everything from our report that a host for static files can take, markdown among it.',
      answer: whole,
    },
  };
}

/** The sites that the auditors are compared on, by name. */
export async function comparedSites(): Promise<Record<string, ComparedSite>> {
  const recorded = generatorIds.flatMap((id): [string, ComparedSite][] => {
    const site = servedSites[id];
    return site === undefined ? [] : [[id, { kind: 'recorded', what: `${site.what}, recorded.`, answer: site.answer }]];
  });
  const made = Object.entries(judgedSites).map(([id, site]): [string, ComparedSite] => [id, { kind: 'made', ...site }]);
  return { ...Object.fromEntries(recorded), ...(await fixedSites()), ...Object.fromEntries(made) };
}
