import type { AuditReport } from '#api/audit/report.ts';
import { checkSiteOptions, type SiteConfig } from '../audit-options.ts';
import { auditSite } from '../audited-site.ts';

/** A site that gave no page to judge: the message says at which step it ended. */
export class AuditUnreachable extends Error {
  override readonly name = 'AuditUnreachable';
}

export interface AuditOptions extends SiteConfig {
  /** Called with the number of requests sent so far. */
  onRequest?: ((requests: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The version of the package; the build puts it in. */
declare const packageVersion: string;

/**
 * Audits a website for agent-readiness from this machine, private hosts included. Takes an address with or without a
 * scheme. Rejects with AuditUnreachable when the site can't be audited, and with an Error that says what is wrong with the
 * address or an option.
 */
export async function audit(url: string, options: AuditOptions = {}): Promise<AuditReport> {
  const { onRequest: _onRequest, signal: _signal, ...named } = options;
  checkSiteOptions(named);
  const result = await auditSite(url, { ...options, version: packageVersion });
  if (result.kind === 'unreachable') {
    throw new AuditUnreachable(result.reason);
  }
  return result.report;
}
