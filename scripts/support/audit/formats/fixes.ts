import { toFixDocument } from '#api/audit/fixes/fix-document.ts';
import { fixesOf } from '#api/audit/fixes/fixes.ts';
import { type PlatformId, platformIds } from '#api/audit/fixes/platforms/index.ts';
import type { AuditReport } from '#api/audit/report.ts';
import { toSafeLine } from '../terminal-report.ts';
import type { Format } from './index.ts';

/** The platform that was asked for, else the one that the site shows. */
export const platformOf = (report: AuditReport, wanted: string | undefined): PlatformId =>
  platformIds.find((id) => id === wanted) ?? report.stack.platform;

/** One markdown document for each site, to hand to a coding agent. */
export const toFixesFormat: Format = ({ results, platform }) =>
  results
    .map((result) => {
      if (result.kind === 'unreachable') {
        return `# ${toSafeLine(result.url)}\n\nNot audited: ${toSafeLine(result.reason, 1000)}\n`;
      }
      const { report } = result;
      const fixes = fixesOf(report, { platform: platformOf(report, platform), now: new Date(report.audited_at) });
      return toFixDocument(report, fixes, { files: 'the folder that `--fixes FOLDER` writes' });
    })
    .join('\n');
