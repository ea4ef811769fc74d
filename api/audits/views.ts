import { strToU8, zipSync } from 'fflate';
import { z } from 'zod';
import { toFixDocument } from '../audit/fixes/fix-document.ts';
import { filesByPath, fixesOf } from '../audit/fixes/fixes.ts';
import { type PlatformId, platformIds, platforms } from '../audit/fixes/platforms/index.ts';
import { type AuditReport, auditReport } from '../audit/report.ts';

/** How much of a report was asked for. */
export const auditViews = ['full', 'summary', 'fixes'] as const;
export type AuditViewName = (typeof auditViews)[number];

/** The platform to write fixes for: the one that the evidence shows, unless another is asked for. */
export const fixPlatform = z
  .enum(platformIds)
  .describe(
    'The server, host or framework to write fixes for; the one that the answers of the site show unless given.',
  );

/** The members of a report that a summary keeps as they are. */
const summaryMembers = {
  content_notice: true,
  url: true,
  final_url: true,
  audited_at: true,
  diagnosis: true,
  score: true,
  grade: true,
  certifiable: true,
  provisional: true,
  coverage: true,
  rubric: true,
  summary: true,
  plan: true,
} as const;
const Summarised = auditReport.pick(summaryMembers);

/** A report in at most 8 KB: the diagnosis, the causes with what they bring, and where the rest is. */
export const AuditSummary = Summarised.extend({
  fixes: z.strictObject({
    platform: fixPlatform,
    platform_judged_by: z.array(z.string()),
    files: z.array(z.string()).describe('Names of the files that the fixes add or change.'),
  }),
  views: z.strictObject({
    page: z.url(),
    full: z.url().describe('The whole report as JSON.'),
    fixes: z.url().describe('One markdown document for a coding agent.'),
    archive: z.url().describe('Every file of the fixes as a zip.'),
  }),
});
export type AuditSummary = z.infer<typeof AuditSummary>;

/** The fixes of a report: one document for a coding agent. */
export const AuditFixes = Summarised.extend({
  platform: fixPlatform,
  platforms: z.array(z.string()).describe('The platforms that fixes can be written for.'),
  document: z
    .string()
    .describe('Markdown: what to fix, every file, the configuration, and the command that proves each step.'),
  archive: z.url().describe('Every file of the fixes as a zip.'),
});
export type AuditFixes = z.infer<typeof AuditFixes>;

const addressOf = (baseUrl: string, path: string, members: Record<string, string>): string =>
  `${baseUrl}${path}?${new URLSearchParams(members)}`;

/** Where all files of the fixes are, as an archive. */
export const fixArchivePath = '/audit/fixes.zip';

const archiveOf = (report: AuditReport, platform: PlatformId, baseUrl: string): string =>
  addressOf(baseUrl, fixArchivePath, { url: report.url, platform });

const summarise = (report: AuditReport): z.infer<typeof Summarised> =>
  Object.fromEntries(
    Object.keys(summaryMembers).map((name) => [name, report[name as keyof typeof summaryMembers]]),
  ) as z.infer<typeof Summarised>;

const whenOf = (report: AuditReport): Date => new Date(report.audited_at);

/** The summary of a report. Pure. */
export function toSummary(report: AuditReport, baseUrl: string): AuditSummary {
  const { platform, judged_by } = report.stack;
  const fixes = fixesOf(report, { platform, now: whenOf(report) });
  const address = (path: string, view: Record<string, string> = {}): string =>
    addressOf(baseUrl, path, { url: report.url, ...view });
  return {
    ...summarise(report),
    fixes: { platform, platform_judged_by: judged_by, files: [...filesByPath(fixes).keys()] },
    views: {
      page: address('/audit'),
      full: address('/audit.json'),
      fixes: address('/audit.md', { view: 'fixes' }),
      archive: archiveOf(report, platform, baseUrl),
    },
  };
}

/** The summary for a reader of text: the diagnosis, the causes in order, and where the rest is. Pure. */
export function toSummaryMarkdown(report: AuditReport, baseUrl: string): string {
  const { plan, views, fixes } = toSummary(report, baseUrl);
  const steps = plan.map(
    ({ title, points, score_after, minutes, where }, index) =>
      `${index + 1}. **${title}**: +${points}, then ${score_after}. About ${minutes} minutes. ${where}.`,
  );
  return `# ${report.final_url}: ${report.score} of 100, ${report.grade}

${report.diagnosis}

${plan.length === 0 ? 'Nothing to fix.' : `## Fix these first\n\n${steps.join('\n')}`}

Written for ${platforms[fixes.platform].name}. [Fixes for a coding agent](${views.fixes}), [as files](${views.archive}), [whole report](${views.page}).
`;
}

/** The document of the fixes for one platform. Pure. */
export function toFixMarkdown(report: AuditReport, platform: PlatformId, baseUrl: string): string {
  const fixes = fixesOf(report, { platform, now: whenOf(report) });
  return toFixDocument(report, fixes, { files: archiveOf(report, platform, baseUrl) });
}

/** The fixes of a report with their document. Pure. */
export const toFixes = (report: AuditReport, platform: PlatformId, baseUrl: string): AuditFixes => ({
  ...summarise(report),
  platform,
  platforms: Object.entries(platforms).map(([id, { name }]) => `${id}: ${name}`),
  document: toFixMarkdown(report, platform, baseUrl),
  archive: archiveOf(report, platform, baseUrl),
});

/** Every file of the fixes as a zip, with the document as README.md. The same report gives the same bytes. */
export function toFixArchive(report: AuditReport, platform: PlatformId, baseUrl: string): Uint8Array {
  const fixes = fixesOf(report, { platform, now: whenOf(report) });
  const files = new Map([['README.md', toFixMarkdown(report, platform, baseUrl)], ...filesByPath(fixes)]);
  return zipSync(Object.fromEntries([...files].map(([path, text]) => [path, strToU8(text)])), {
    mtime: whenOf(report),
  });
}
