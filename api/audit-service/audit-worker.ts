// The thread in which a site is fetched and judged. See audit-thread.ts for the messages.
import { Resolver } from 'node:dns/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createGuardedFetch } from '../audit/fetch/guarded-fetch.ts';
import { runAudit } from '../audit/run.ts';
import { createSigner } from '../signatures/signer.ts';
import type { AuditorSettings, FromThread, ToThread } from './audit-thread.ts';
import { toObstacle } from './ending.ts';

const settings = workerData as AuditorSettings;
const { userAgent, policy, nameServers, signing, gatherTimeoutMs } = settings;
const now = (): Date => new Date();
const signer =
  signing === null
    ? null
    : createSigner({
        privateKey: signing.privateKey,
        ...(signing.directoryUrl === null ? {} : { directoryUrl: signing.directoryUrl }),
      });
const tell = (message: FromThread): void => parentPort?.postMessage(message);

let abort = new AbortController();

async function audit(target: string): Promise<void> {
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
    const { report, evidence } = await runAudit(new URL(target), {
      fetch,
      now,
      userAgent,
      signal: abort.signal,
      timeoutMs: gatherTimeoutMs,
      onProgress: (progress) => tell({ type: 'progress', progress }),
    });
    tell({ type: 'end', ending: toObstacle(evidence) ?? { kind: 'report', report } });
  } finally {
    await fetch.close();
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'abort') {
    abort.abort();
    return;
  }
  abort = new AbortController();
  audit(message.target).catch((error: unknown) =>
    tell({ type: 'fault', message: error instanceof Error ? error.message : String(error) }),
  );
});
