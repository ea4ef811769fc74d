import { createGuardedFetch } from '#api/audit/fetch/guarded-fetch.ts';
import type { CheckResult } from '#api/audit/report.ts';
import { type Audit, runAudit } from '#api/audit/run.ts';
import { type Answer, openSite } from './sites.ts';

/** The present moment of the audits of tests. */
export const auditMoment = new Date(Date.UTC(2026, 10, 21));

/** Serves a site on loopback, audits it, and closes it. `told` are the checks in the order they were told of. */
export async function auditSite(answer: Answer, signal?: AbortSignal): Promise<Audit & { told: CheckResult[] }> {
  const site = await openSite(answer);
  const userAgent = 'PorchlightAudit/1.0 (+https://porch.example/about)';
  const now = (): Date => auditMoment;
  const fetch = createGuardedFetch({
    resolver: { resolve4: async () => [], resolve6: async () => [] },
    policy: { ports: [], allowPrivate: [site.host] },
    identity: { userAgent },
    now,
    limits: { requestTimeoutMs: 3000 },
  });
  const told: CheckResult[] = [];
  try {
    const audit = await runAudit(new URL('/', site.origin), {
      fetch,
      now,
      userAgent,
      signal,
      onFinding: (result) => told.push(result),
    });
    return { ...audit, told };
  } finally {
    site.close();
    await fetch.close();
  }
}
