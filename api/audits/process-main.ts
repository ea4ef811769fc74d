// The process in which a site is fetched and judged. See process.ts for the messages.
import { createPrivateKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { runAudit } from '../audit/run.ts';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import { createSigner, type RequestSigner } from '../identity/signatures/signer.ts';
import { toFailure } from './outcome.ts';
import type { FromProcess, SentSettings, ToProcess } from './process.ts';

// A signal to the whole group, as Ctrl-C sends, is for the service: it decides how long an audit may go on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {});
}

// Reads of other addresses come first. On Linux each thread has a priority of its own, and new ones take over that of
// the thread that starts them (setpriority(2)).
for (const thread of process.platform === 'linux' ? readdirSync('/proc/self/task') : [process.pid]) {
  setPriority(Number(thread), constants.priority.PRIORITY_LOW);
}

process.on('disconnect', () => process.exit());

const now = (): Date => new Date();
const tell = (message: FromProcess): void => {
  process.send?.(message);
};

let settings: SentSettings | null = null;
let signer: RequestSigner | null = null;
let abort = new AbortController();
/** Answers whether the audit may go on at another site. */
let answerMove: (isAllowed: boolean) => void = () => {};

const mayMove = (home: URL): Promise<boolean> =>
  new Promise((resolve) => {
    answerMove = resolve;
    tell({ type: 'moved', home: home.href });
  });

function takeSettings(sent: SentSettings): void {
  settings = sent;
  signer =
    sent.signing &&
    createSigner({
      privateKey: createPrivateKey(sent.signing.privateKey),
      ...(sent.signing.directoryUrl === null ? {} : { directoryUrl: sent.signing.directoryUrl }),
    });
}

async function audit(target: string): Promise<void> {
  if (settings === null) {
    throw new Error('An audit was asked for before the settings came.');
  }
  const { userAgent, policy, nameServers, gatherTimeoutMs } = settings;
  const sign = signer?.sign;
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (nameServers !== null) {
    resolver.setServers(nameServers);
  }
  const fetch = createGuardedFetch({
    resolver,
    policy,
    identity: {
      userAgent,
      ...(sign === undefined ? {} : { sign: async ({ method, url }) => sign({ method, targetUri: url }) }),
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
      mayMove,
      onProgress: (progress) => tell({ type: 'progress', progress }),
      onFinding: (finding) => tell({ type: 'finding', finding }),
    });
    tell({ type: 'end', outcome: toFailure(evidence) ?? { kind: 'report', report } });
  } finally {
    await fetch.close();
  }
}

process.on('message', (message: ToProcess) => {
  if (message.type === 'settings') {
    takeSettings(message.settings);
  } else if (message.type === 'abort') {
    abort.abort();
  } else if (message.type === 'move') {
    answerMove(message.isAllowed);
  } else {
    abort = new AbortController();
    audit(message.target).catch((error: unknown) =>
      tell({ type: 'fault', message: error instanceof Error ? error.message : String(error) }),
    );
  }
});
