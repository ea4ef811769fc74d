import { Resolver } from 'node:dns/promises';
import type { Check, Finding } from '#api/audit/check.ts';
import { checks } from '#api/audit/checks/index.ts';
import { type Evidence, robotsToken } from '#api/audit/evidence.ts';
import { type AuditReport, assembleReport } from '#api/audit/report.ts';
import { runAudit } from '#api/audit/run.ts';
import { type Failure, type Step, toFailure } from '#api/audits/outcome.ts';
import { createGuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { parseTarget, type TargetPolicy } from '#api/fetch/target.ts';
import { UsageError } from '../command-line.ts';
import type { SiteConfig } from './audit-options.ts';
import type { BrowserView } from './browser-view.ts';

/** How the audit of one site ended: with a report, or with a sentence that says why there is none. */
export type SiteResult =
  | { url: string; kind: 'report'; report: AuditReport; evidence: Evidence; browser?: BrowserView | { error: string } }
  | { url: string; kind: 'unreachable'; reason: string };

/** How the audit of a library or command runs. */
export interface SiteOptions extends SiteConfig {
  version: string;
  onRequest?: ((requests: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const isLocalName = (text: string): boolean =>
  /^(?:localhost|127\.|10\.|192\.168\.|\[|[^./:]+(?::|\/|$)|[^/]*\.(?:local|localhost|test|internal)(?::|\/|$))/i.test(
    text,
  );

/** An address as people type it: without a scheme it's https, or http for a name of the own machine or network. */
export const withScheme = (typed: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${isLocalName(typed) ? 'http' : 'https'}://${typed}`;

/** Whoever sits at the machine may audit what it can reach: the host that was named, on its port. */
const policyOf = (url: string): TargetPolicy => {
  if (!URL.canParse(url)) {
    return { ports: [], allowPrivate: [] };
  }
  const { hostname, host, port } = new URL(url);
  return { ports: port === '' ? [] : [Number(port)], allowPrivate: [hostname, host] };
};

/** The address to audit. Throws UsageError with a sentence that says what's wrong with it. */
export function toTarget(typed: string): URL {
  const url = withScheme(typed.trim());
  try {
    return parseTarget(url, policyOf(url));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The report on what counts: findings that are ignored, or not among the only ones wanted, don't apply. */
export function reportOf(evidence: Evidence, { ignore = [], only }: Pick<SiteOptions, 'ignore' | 'only'>): AuditReport {
  const names = (list: readonly string[], { id, technique }: Check): boolean =>
    list.includes(id) || list.includes(technique);
  const counts = (check: Check): boolean => !names(ignore, check) && (only === undefined || names(only, check));
  const judge = (check: Check): Finding => {
    const finding = check.judge(evidence);
    return counts(check)
      ? finding
      : { ...finding, status: 'not-applicable', cause: null, countedBy: null, fix: null, cap: null };
  };
  return assembleReport(evidence, new Map(checks.map((check) => [check, judge(check)])));
}

const whatToDo: Record<Step, string> = {
  dns: 'Check the spelling of the name.',
  connect: 'Check that the site is running, and on which port.',
  tls: 'Mend the certificate, or give the address with http://.',
  timeout: 'Try again, or find out why the site takes so long to answer.',
  redirects: 'Give the address where the redirects should end.',
  response: 'Check that a web server answers there.',
  'robots.txt': 'Make /robots.txt answer with the file, or with 404.',
};

/** What to do about a site that could not be audited, in a sentence. */
const adviceOn = (failure: Failure): string =>
  failure.kind === 'unreachable'
    ? whatToDo[failure.step]
    : failure.by === 'robots'
      ? `Allow ${robotsToken} there, or audit another path.`
      : 'Give an address that may be fetched.';

/** The result of evidence that was gathered now or earlier. */
export function resultOf(evidence: Evidence, options: Pick<SiteOptions, 'ignore' | 'only'>): SiteResult {
  const failure = toFailure(evidence);
  return failure === null
    ? { url: evidence.target, kind: 'report', report: reportOf(evidence, options), evidence }
    : { url: evidence.target, kind: 'unreachable', reason: `${failure.sentence} ${adviceOn(failure)}` };
}

/** Audits one site from this machine. Throws UsageError for an address that can't be audited. */
export async function auditSite(typed: string, options: SiteOptions): Promise<SiteResult> {
  const url = toTarget(typed);
  const userAgent = `${robotsToken}/${options.version} (command line)`;
  const now = (): Date => new Date();
  const fetch = createGuardedFetch({
    resolver: new Resolver({ timeout: 2000, tries: 2 }),
    policy: policyOf(url.href),
    identity: { userAgent },
    now,
  });
  try {
    const { evidence } = await runAudit(url, {
      fetch,
      now,
      userAgent,
      signal: options.signal,
      sample: { pages: options.pages, paths: options.paths, sitemap: options.sitemap },
      onProgress: ({ requests }) => options.onRequest?.(requests),
    });
    return resultOf(evidence, options);
  } finally {
    await fetch.close();
  }
}
