import type { Allowance } from '../audits/allowance.ts';
import type { AuditContext } from '../audits/context.ts';
import type { Config } from '../config.ts';
import type { Directory } from './store.ts';

/** The part of the service that the directory needs. */
export interface DirectoryContext extends Pick<AuditContext, 'auditService'> {
  config: Pick<Config, 'baseUrl' | 'siteName'>;
  directory: Directory;
  /** What a client network may try in an hour. */
  joins: Allowance;
  now(): Date;
  /** Resolves when every page and list shows what was stored before the call, or after eight seconds. */
  waitUntilVisible(): Promise<void>;
}
