import type { PaymentContext } from '../payments/pay-for.ts';
import type { Allowance } from './allowance.ts';
import type { AuditService } from './service.ts';

/** The part of the service that an audit needs. */
export interface AuditContext extends PaymentContext {
  /** Audits sites, a few at once. */
  auditService: AuditService;
  /** What a client network has for free. */
  freeAudits: Allowance;
}
