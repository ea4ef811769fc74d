import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Almanac } from '#almanac/almanac.ts';
import type { AuditReport } from './audit/report.ts';
import type { Allowance } from './audits/allowance.ts';
import type { AuditService } from './audits/service.ts';
import type { Audits } from './audits/store.ts';
import type { Config } from './config.ts';
import type { Directory } from './directory/store.ts';
import type { Guestbook } from './guestbook/store.ts';
import type { SignatureReport } from './identity/signatures/signature-report.ts';
import type { SignatureVerifier } from './identity/signatures/signature-verifier.ts';
import type { Payments } from './payments/payments.ts';
import type { Playbook } from './playbook/playbook.ts';
import type { Counters } from './stores/counters.ts';

/** What a tool may touch. */
export interface ToolContext {
  config: Config;
  almanac: Almanac;
  stores: { guestbook: Guestbook; audits: Audits<AuditReport>; directory: Directory };
  /** Audits sites, a few at once. */
  auditService: AuditService;
  /** What a client network has for free. */
  allowances: { audits: Allowance; joins: Allowance };
  /** The demo payment. */
  payments: Payments;
  /** The chapters that are sold; null when the service runs without them. */
  playbook: Playbook | null;
  /**
   * Resolves when the pages and lists that are held ready show what was stored before the call, or after eight seconds: a
   * writer is answered when everybody can see what was written.
   */
  published(): Promise<void>;
  /** The present moment; tests set it. */
  now(): Date;
}

/** What a tool may know of the request that called it. */
export interface ToolRequest {
  method: string;
  /** The path with its query, as the client sent it. */
  target: string;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  /** Names and values in the order received, as Node gives them. */
  rawHeaders: string[];
  /** The client's address: of the connection, or from X-Forwarded-For behind the trusted proxy. */
  clientAddress: string;
  /** The id under which the request stands in the log. */
  requestId: string;
  /** Aborted when the client has gone before it was answered. */
  gone: AbortSignal;
  /** What was made of the signature of the request. It is verified once, at the first call. */
  signature(): Promise<SignatureReport>;
}

/** What the application is built from. */
export interface AppContext extends ToolContext {
  log: Logger;
  limits: Limits;
  /** Counts writes for all instances together; null when this one is alone. Reads are always counted by each for itself. */
  sharedCounters: Counters | null;
  /** Verifies the signatures of requests. */
  signatures: SignatureVerifier;
  /** The private key of the site; its public half is what the key directory serves. */
  siteKey: KeyObject;
  /** Folder with the built site (`client/`, `server/`), or null when the sidecar runs without one. */
  distDir: string | null;
}

/** Requests allowed for one client address in one window. */
export interface Limits {
  read: Limit;
  /** All of them hold for writes of all kinds together, over the API and by form. */
  write: readonly Limit[];
}

interface Limit {
  count: number;
  windowSeconds: number;
}

/** The limits of the service as it runs. */
export const defaultLimits: Limits = {
  read: { count: 600, windowSeconds: 60 },
  write: [
    { count: 10, windowSeconds: 60 },
    { count: 60, windowSeconds: 3600 },
  ],
};
