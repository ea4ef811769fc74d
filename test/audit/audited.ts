import type { CheckResult } from '#api/audit/report.ts';
import { type Audit, runAudit } from '#api/audit/run.ts';
import { createGuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { type Answer, openSite } from './sites.ts';

/** The present moment of the audits of tests. */
export const auditMoment = new Date(Date.UTC(2026, 10, 22));

/** An audit, the checks in the order in which they were told of, and how many were before the last request ended. */
export interface Audited extends Audit {
  told: CheckResult[];
  toldMeanwhile: number;
}

/** Serves a site on loopback, audits it, and closes it. */
export async function auditSite(
  answer: Answer,
  { signal, delayMs, path = '/' }: { signal?: AbortSignal; delayMs?: number; path?: string } = {},
): Promise<Audited> {
  const site = await openSite(answer, delayMs);
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
  let toldMeanwhile = 0;
  try {
    const audit = await runAudit(new URL(path, site.origin), {
      fetch,
      now,
      userAgent,
      signal,
      onProgress: () => {
        toldMeanwhile = told.length;
      },
      onFinding: (result) => told.push(result),
    });
    return { ...audit, told, toldMeanwhile };
  } finally {
    site.close();
    await fetch.close();
  }
}
