// The process in which a site is fetched and judged. See process.ts for the messages.
import { createPrivateKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Progress } from '../audit/evidence.ts';
import type { CheckResult } from '../audit/report.ts';
import { runAudit } from '../audit/run.ts';
import { lookAt } from '../audit/sight.ts';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import { createSigner, type RequestSigner } from '../identity/signatures/signer.ts';
import { type Outcomes, toFailure } from './outcome.ts';
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

async function run(task: keyof Outcomes, target: URL): Promise<Outcomes[keyof Outcomes]> {
  if (settings === null) {
    throw new Error('A task came before the settings.');
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
    const options = {
      fetch,
      now,
      userAgent,
      signal: abort.signal,
      timeoutMs: gatherTimeoutMs,
      mayMove,
      onProgress: (progress: Progress) => tell({ type: 'progress', progress }),
    };
    if (task === 'look') {
      const { sight, evidence } = await lookAt(target, options);
      return toFailure(evidence) ?? { kind: 'sight', sight };
    }
    const onFinding = (finding: CheckResult): void => tell({ type: 'finding', finding });
    const { report, evidence } = await runAudit(target, { ...options, onFinding });
    return toFailure(evidence) ?? { kind: 'report', report };
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
    run(message.task, new URL(message.target)).then(
      (outcome) => tell({ type: 'end', outcome }),
      (error: unknown) => tell({ type: 'fault', message: error instanceof Error ? error.message : String(error) }),
    );
  }
});
