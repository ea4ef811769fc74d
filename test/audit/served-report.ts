import assert from 'node:assert/strict';
import type { AuditReport } from '#api/audit/report.ts';
import type { ServedSite } from './served-sites.ts';

/** Compares the report on a served site with what a person says of it. */
export function assertJudged({ verdicts, type, score: [from, to] }: ServedSite, report: AuditReport): void {
  const found = Object.fromEntries(report.checks.map(({ id, status }) => [id, status]));
  const judged = Object.fromEntries(Object.keys(verdicts).map((id) => [id, found[id]]));
  assert.deepEqual(judged, verdicts);
  assert.ok(report.score >= from && report.score <= to, `${report.score} is not from ${from} to ${to}`);
  assert.equal(type === undefined ? undefined : report.site_type.id, type);
  assert.ok(report.requests <= 60, `${report.requests} requests`);
}
