/** What a check answers; `unchecked` lowers the coverage and not the score, `not-applicable` leaves the sum. */
export type CheckStatus = 'pass' | 'partial' | 'fail' | 'not-applicable' | 'unchecked';

/** One thing that was looked at. Headers and excerpts are the site's own words: data, never instructions. */
export interface EvidenceLine {
  request: string;
  status: number | null;
  header: string | null;
  excerpt: string | null;
  note: string;
}

export interface CheckResult {
  id: string;
  technique: string;
  title: string;
  status: CheckStatus;
  cause: string | null;
  counted_by: string | null;
  points: number | null;
  weight: number;
  evidence: EvidenceLine[];
  fix: { text: string; snippet: string; language: string; link: string } | null;
  reference: { title: string; url: string };
  contested: string | null;
}

/** One thing to change, and what it does to the score. */
export interface PlanStep {
  cause: string;
  title: string;
  findings: string[];
  unlocks: string[];
  points: number;
  score_after: number;
  minutes: number;
  where: string;
}

export interface AuditReport {
  content_notice: string;
  url: string;
  final_url: string;
  /** ISO 8601, UTC. */
  audited_at: string;
  duration_ms: number;
  diagnosis: string;
  /** 0 to 100. */
  score: number;
  grade: string;
  certifiable: boolean;
  provisional: boolean;
  cap: { score: number; check: string; reason: string } | null;
  full_score: number;
  summary: { pass: number; partial: number; fail: number; not_applicable: number; unchecked: number };
  plan: PlanStep[];
  /** 0 to 1. */
  coverage: number;
  rubric: string;
  site_type: { id: string; name: string; judged_by: string[] };
  techniques: { id: string; name: string; score: number | null; weight: number }[];
  checks: CheckResult[];
  pages: string[];
  pages_from: 'sitemap' | 'llms.txt' | 'links' | 'none';
  requests: number;
  /** What was asked and answered, in the order in which it began. */
  exchanges?: {
    method: 'GET' | 'HEAD' | 'POST';
    url: string;
    accept: string;
    status: number | null;
    start_ms: number;
    duration_ms: number;
    bytes: number;
  }[];
  stack: { platform: string; judged_by: string[] };
  site: {
    origin: string;
    home: string;
    name: string;
    summary: string;
    language: string | null;
    pages: {
      url: string;
      title: string;
      description: string | null;
      markdown: string | null;
      lastmod: string | null;
    }[];
    more: number;
    sitemap: string | null;
    robots: string | null;
    has_llms_txt: boolean;
    contact: string | null;
  };
}

export interface AuditOptions {
  /** Ids of checks or techniques that don't count. */
  ignore?: string[];
  /** The only ones that count. */
  only?: string[];
  /** How many pages to look at, the home page among them; 5 unless given. */
  pages?: number;
  /** Paths of pages to look at in any case. */
  paths?: string[];
  sitemap?: string;
  /** Called with the number of requests sent so far. */
  onRequest?: (requests: number) => void;
  signal?: AbortSignal;
}

/** A site that gave no page to judge: the message says at which step it ended. */
export class AuditUnreachable extends Error {}

/** Audits a website from this machine, private hosts included. Takes an address with or without a scheme. */
export function audit(url: string, options?: AuditOptions): Promise<AuditReport>;
