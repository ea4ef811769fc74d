import type { KeyObject } from 'node:crypto';
import { robotsToken } from '../audit/evidence.ts';
import type { AuditReport } from '../audit/report.ts';
import type { Config } from '../config.ts';
import type { TargetPolicy } from '../fetch/target.ts';
import type { Counters } from '../stores/counters.ts';
import { version } from '../version.ts';
import { auditPolicy } from './policy.ts';
import { type AuditProcess, openAuditProcess } from './process.ts';
import { type AuditService, createAuditService } from './service.ts';
import { createSharedAuditService, type SharedAudits } from './shared/service.ts';
import type { Audits } from './store.ts';
import type { AuditorSettings } from './task.ts';
import type { AuditWorkOptions } from './work.ts';

/**
 * Makes the audit service of a site: its own User-Agent, public addresses and what the configuration allows by name, and
 * requests signed with the key of the site, in the form with a key directory where the site is on https.
 */
export function createAuditor(options: {
  config: Config;
  siteKey: KeyObject;
  audits: Audits<AuditReport>;
  /** Where the audits of a site are counted. */
  counters: Counters;
  now: () => Date;
  onError(error: unknown): void;
  /** The database in which several instances share the queue; without one the queue is this process's own. */
  shared?: SharedAudits | null;
  /** Name servers to ask in place of the system's, as `address:port`. */
  nameServers?: string[];
  /** Opens a process for audits; one of its own unless given. */
  openProcess?: (settings: AuditorSettings) => AuditProcess;
}): AuditService {
  const { config, siteKey, audits, counters, now, onError } = options;
  const { shared = null, openProcess = (settings) => openAuditProcess(settings) } = options;
  const policy: TargetPolicy = { ports: config.auditAllowPorts, allowPrivate: config.auditAllowHosts };
  const parts: AuditWorkOptions = {
    openProcess: () =>
      openProcess({
        userAgent: `${robotsToken}/${version} (+${config.baseUrl}/about)`,
        policy,
        nameServers: options.nameServers ?? null,
        signing: {
          privateKey: siteKey,
          directoryUrl: config.baseUrl.startsWith('https:') ? config.baseUrl : null,
        },
        gatherTimeoutMs: auditPolicy.gatherSeconds * 1000,
      }),
    policy,
    counters,
    audits,
    now,
    onError,
  };
  return shared === null ? createAuditService(parts) : createSharedAuditService(parts, shared);
}
