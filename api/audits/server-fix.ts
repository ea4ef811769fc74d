import { clearedByServer, makeTwins, serverNeedsOf } from '../audit/fixes/fixes.ts';
import { type PlatformId, platforms } from '../audit/fixes/platforms/index.ts';
import type { AuditReport } from '../audit/report.ts';
import type { ServerFix } from './page-data.ts';

/** The stacks that a report shows beside the one that was recognised. */
const common = ['nginx', 'apache', 'caddy', 'express', 'cloudflare'] as const satisfies PlatformId[];

/**
 * The one configuration that holds every change of the server, for the stack that was recognised and the common ones; null
 * when the server needs no change. Pure but for the script that some of them run, which is read once.
 */
export function toServerFix(report: AuditReport): ServerFix | null {
  const checks = clearedByServer(report);
  if (checks.length === 0) {
    return null;
  }
  const { platform } = report.stack;
  const needs = serverNeedsOf(report);
  const stacks = [platform, ...common.filter((id) => id !== platform)].map((id) => {
    const { name, testedWith, configure } = platforms[id];
    return { id, title: name, tested_with: testedWith, ...configure(report.site, needs) };
  });
  return { checks, stacks, script: needs.negotiation ? makeTwins() : null };
}
