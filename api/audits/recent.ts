import type { AuditReport } from '../audit/report.ts';
import { toResult } from './history.ts';
import { auditPolicy } from './policy.ts';
import type { Audits } from './store.ts';

/** A report that isn't new, with its age in whole seconds. */
export interface RecentReport {
  report: AuditReport;
  ageSeconds: number;
}

/** The reports of the last minute, so that a site is audited at most once in it. */
export interface RecentReports {
  /** The report on an address, or null. */
  get(target: URL): RecentReport | null;
  /** The same of the last hour, for a site that isn't audited again so soon. */
  getOlder(target: URL): RecentReport | null;
  /** Keeps a report here, and stores it. */
  keep(target: URL, report: AuditReport): Promise<void>;
}

/** Builds the reports of the last minute, in addition to the store, which has one for an origin and none that is very long. */
export function createRecentReports({
  audits,
  now,
  onError,
}: {
  audits: Audits<AuditReport>;
  now: () => Date;
  onError(error: unknown): void;
}): RecentReports {
  const recent = new Map<string, { report: AuditReport; at: number }>();
  const reuseMilliseconds = auditPolicy.reuseSeconds * 1000;

  /** The stored report on an address, when it's younger than that. */
  const stored = (target: URL, seconds: number): RecentReport | null => {
    const last = audits.get(target.href);
    return last !== null && last.report.url === target.href && last.ageSeconds < seconds
      ? { report: last.report, ageSeconds: last.ageSeconds }
      : null;
  };

  return {
    get(target) {
      const at = now().getTime();
      for (const [href, kept] of recent) {
        if (at - kept.at >= reuseMilliseconds) {
          recent.delete(href);
        }
      }
      const kept = recent.get(target.href);
      return kept === undefined
        ? stored(target, auditPolicy.reuseSeconds)
        : { report: kept.report, ageSeconds: Math.max(0, Math.floor((at - kept.at) / 1000)) };
    },

    getOlder: (target) => stored(target, auditPolicy.budgetSeconds),

    async keep(target, report) {
      recent.set(target.href, { report, at: now().getTime() });
      const [oldest] = recent.keys();
      if (recent.size > auditPolicy.recentResults && oldest !== undefined) {
        recent.delete(oldest);
      }
      // A report that cannot be stored is still a report.
      const about = { home: report.final_url, asked: target.href, result: toResult(report) };
      await audits.record(about, report).catch(onError);
    },
  };
}
