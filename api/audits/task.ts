import type { KeyObject } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Progress } from '../audit/evidence.ts';
import type { CheckResult } from '../audit/report.ts';
import { runAudit } from '../audit/run.ts';
import { lookAt } from '../audit/sight.ts';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import type { TargetPolicy } from '../fetch/target.ts';
import { createSigner } from '../identity/signatures/signer.ts';
import { type Outcomes, toFailure } from './outcome.ts';

/** What every audit of this site has in common. */
export interface AuditorSettings {
  /** Sent with each request, with the address of the page about us. */
  userAgent: string;
  policy: TargetPolicy;
  /** Name servers to ask, as `address:port`; null asks those of the system. */
  nameServers: string[] | null;
  /** The key that signs the requests, and the https origin that publishes it; null when the site is not on https. */
  signing: { privateKey: KeyObject; directoryUrl: string | null } | null;
  /** For gathering, in milliseconds. */
  gatherTimeoutMs: number;
}

/** How a task is followed while it runs, and what ends it. */
export interface TaskOptions {
  /** Asks the task to end early; its outcome then says so. */
  signal: AbortSignal;
  /** Asked when the home page is found on another site than the target's; false ends the audit as failed. */
  mayMove: (home: URL) => Promise<boolean>;
  onProgress: (progress: Progress) => void;
  onFinding: (finding: CheckResult) => void;
}

/** Audits one site or looks at one page, in this process. */
export async function runTask(
  task: keyof Outcomes,
  target: URL,
  { userAgent, policy, nameServers, signing, gatherTimeoutMs }: AuditorSettings,
  { onFinding, ...options }: TaskOptions,
): Promise<Outcomes[keyof Outcomes]> {
  const now = (): Date => new Date();
  const signer =
    signing &&
    createSigner({
      privateKey: signing.privateKey,
      ...(signing.directoryUrl === null ? {} : { directoryUrl: signing.directoryUrl }),
    });
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (nameServers !== null) {
    resolver.setServers(nameServers);
  }
  const fetch = createGuardedFetch({
    resolver,
    policy,
    identity: {
      userAgent,
      ...(signer === null ? {} : { sign: async ({ method, url }) => signer.sign({ method, targetUri: url }) }),
    },
    now,
  });
  try {
    const gathering = { ...options, fetch, now, userAgent, timeoutMs: gatherTimeoutMs };
    if (task === 'look') {
      const { sight, evidence } = await lookAt(target, gathering);
      return toFailure(evidence) ?? { kind: 'sight', sight };
    }
    const { report, evidence } = await runAudit(target, { ...gathering, onFinding });
    return toFailure(evidence) ?? { kind: 'report', report };
  } finally {
    await fetch.close();
  }
}
