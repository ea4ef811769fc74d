import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Progress } from '../audit/evidence.ts';
import type { CheckResult } from '../audit/report.ts';
import { AuditFailed } from './errors.ts';
import type { Outcomes } from './outcome.ts';
import type { AuditorSettings, TaskOptions } from './task.ts';

/** The settings as they go to the process: the key in PEM (PKCS #8). */
export type SentSettings = Omit<AuditorSettings, 'signing'> & {
  signing: { privateKey: string; directoryUrl: string | null } | null;
};

/** The messages to the process: the settings first. */
export type ToProcess =
  | { type: 'settings'; settings: SentSettings }
  | { type: 'start'; task: keyof Outcomes; target: string }
  /** Whether the audit may go on at the site that the home page was found at. */
  | { type: 'move'; isAllowed: boolean }
  | { type: 'abort' };

/** What the process tells. After `end` or `fault` it is free for the next audit. */
export type FromProcess =
  | { type: 'progress'; progress: Progress }
  /** The home page was found on another site. Nothing more is asked of it before the answer. */
  | { type: 'moved'; home: string }
  | { type: 'finding'; finding: CheckResult }
  | { type: 'end'; outcome: Outcomes[keyof Outcomes] }
  | { type: 'fault'; message: string };

/**
 * A process that audits one site at a time, with the lowest priority, so that no page, however it is made, holds up the
 * service or another audit, or takes its memory.
 */
export interface AuditProcess {
  /**
   * Runs one audit, or looks at one page. Rejects with AuditFailed when the process dies or has not ended after
   * `timeoutMs`; the process is gone then, and `isAlive` false.
   */
  run<Task extends keyof Outcomes>(
    task: Task,
    target: URL,
    options: TaskOptions & { timeoutMs: number },
  ): Promise<Outcomes[Task]>;
  readonly isAlive: boolean;
  close(): Promise<void>;
}

/** Ends a process at once, whatever it does, and resolves when it is gone. */
function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

const projectDir = fileURLToPath(new URL('../../', import.meta.url));

/**
 * What bounds the process. Of the file system it can read its code and set the priority of its threads, and nothing else:
 * neither the data folder nor a secret. It can't write, and starts no process (Node.js, "Permission Model"). With its
 * memory held so it stays under 256 MB resident with pages of 2 MB.
 */
export const processBounds: readonly string[] = [
  '--permission',
  ...['api/', 'almanac/', 'node_modules/', 'package.json'].map((path) => `--allow-fs-read=${projectDir}${path}`),
  '--allow-fs-read=/proc/self/task',
  '--max-old-space-size=96',
  '--max-semi-space-size=2',
  '--optimize-for-size',
];

/** Starts a process. Its memory is bounded: an audit that needs more dies alone. */
export function forkAuditProcess(): ChildProcess {
  return fork(new URL('./process-main.ts', import.meta.url), {
    execArgv: [...processBounds],
    // What the audit needs of the environment is in the settings; the process sees none of it. One heap of the C
    // library for all threads, since each of them keeps what it once took.
    env: { MALLOC_ARENA_MAX: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Has a process, a new one unless given, audit with these settings. */
export function openAuditProcess(
  { signing, ...settings }: AuditorSettings,
  child: ChildProcess = forkAuditProcess(),
): AuditProcess {
  let isAlive = true;
  let onMessage: (message: FromProcess) => void = () => {};
  let onDeath: (cause?: unknown) => void = () => {};
  const die = (cause?: unknown): void => {
    isAlive = false;
    onDeath(cause);
  };
  // A process that is gone gets no message; its end says that it died.
  const send = (message: ToProcess): void => {
    child.send(message, () => {});
  };
  child.on('message', (message: FromProcess) => onMessage(message));
  child.on('error', die);
  child.on('exit', (code, signal) => die(new Error(`It ended with ${signal ?? `code ${code}`}.`)));
  // An idle process does not keep the service alive.
  child.unref();
  child.channel?.unref();
  send({
    type: 'settings',
    settings: {
      ...settings,
      signing: signing && {
        ...signing,
        privateKey: signing.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      },
    },
  });

  return {
    get isAlive() {
      return isAlive;
    },

    run<Task extends keyof Outcomes>(
      task: Task,
      target: URL,
      { signal, timeoutMs, mayMove, onProgress, onFinding }: Parameters<AuditProcess['run']>[2],
    ) {
      return new Promise<Outcomes[Task]>((resolve, reject) => {
        const abort = (): void => send({ type: 'abort' });
        const timer = setTimeout(() => {
          const error = new AuditFailed(`The audit was not over after ${timeoutMs / 1000} seconds and was stopped.`);
          finish(() => reject(error));
          isAlive = false;
          void kill(child);
        }, timeoutMs);
        const finish = (settle: () => void): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          onMessage = () => {};
          onDeath = () => {};
          settle();
        };
        onMessage = (message) => {
          if (message.type === 'end') {
            // A process has one task at a time and answers it with its own kind of outcome.
            finish(() => resolve(message.outcome as Outcomes[Task]));
          } else if (message.type === 'fault') {
            finish(() => reject(new AuditFailed(`The audit failed: ${message.message}`)));
          } else if (message.type === 'finding') {
            onFinding(message.finding);
          } else if (message.type === 'moved') {
            void mayMove(new URL(message.home)).then((isAllowed) => send({ type: 'move', isAllowed }));
          } else {
            onProgress(message.progress);
          }
        };
        onDeath = (cause) => finish(() => reject(new AuditFailed('The process of the audit ended.', { cause })));
        if (!isAlive) {
          onDeath();
          return;
        }
        signal.addEventListener('abort', abort, { once: true });
        send({ type: 'start', task, target: target.href });
        if (signal.aborted) {
          abort();
        }
      });
    },

    async close() {
      isAlive = false;
      await kill(child);
    },
  };
}
