import type { AuditReport } from '#api/audit/report.ts';
import type { AuditReport as Published } from '../../scripts/support/audit/package/published.d.ts';

/** Compiles as long as the published types say no more and no less than the schema. */
export const published = (report: AuditReport): Published => report;
export const isWhole: Record<keyof AuditReport, true> extends Record<keyof Published, true> ? true : false = true;
export const isNotMore: Record<keyof Published, true> extends Record<keyof AuditReport, true> ? true : false = true;
