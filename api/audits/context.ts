import type { AuditReport } from '../audit/report.ts';
import type { PaymentContext } from '../payments/pay-for.ts';
import type { Allowance } from './allowance.ts';
import type { AuditService } from './service.ts';
import type { Audits } from './store.ts';

/** The part of the service that an audit needs. */
export interface AuditContext extends PaymentContext {
  /** Audits sites, a few at once. */
  auditService: AuditService;
  /** The last report on each site, and the results of before. */
  audits: Audits<AuditReport>;
  /** What a client network has for free. */
  freeAudits: Allowance;
}
