import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Progress } from '../audit/evidence.ts';
import type { TargetPolicy } from '../audit/fetch/target.ts';
import { AuditFailed } from './audit-errors.ts';
import type { Ending } from './ending.ts';

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

/** What the thread is told. */
export type ToThread = { type: 'audit'; target: string } | { type: 'abort' };

/** What the thread tells. After `end` or `fault` it is free for the next audit. */
export type FromThread =
  | { type: 'progress'; progress: Progress }
  | { type: 'end'; ending: Ending }
  | { type: 'fault'; message: string };

/** A thread that audits one site at a time, so that no page, however it is made, holds up the service or another audit. */
export interface AuditThread {
  /**
   * Runs one audit. Rejects with AuditFailed when the thread dies or has not ended after `timeoutMs`; the thread is gone
   * then, and `isAlive` false. The signal asks the audit to end early; its outcome then says so.
   */
  run(
    target: URL,
    options: { signal: AbortSignal; timeoutMs: number; onProgress: (progress: Progress) => void },
  ): Promise<Ending>;
  readonly isAlive: boolean;
  close(): Promise<void>;
}

/** Starts a thread. Its memory is bounded: an audit that needs more dies alone. */
export function openAuditThread(settings: AuditorSettings): AuditThread {
  const worker = new Worker(new URL('./audit-worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    // What the site needs of the environment stands in the settings; the thread sees none of it.
    env: {},
  });
  let isAlive = true;
  let onMessage: (message: FromThread) => void = () => {};
  let onDeath: (cause?: unknown) => void = () => {};
  const die = (cause?: unknown): void => {
    isAlive = false;
    onDeath(cause);
  };
  worker.on('message', (message: FromThread) => onMessage(message));
  worker.on('error', die);
  worker.on('messageerror', die);
  worker.on('exit', () => die());
  // An idle thread does not keep the process alive.
  worker.unref();

  return {
    get isAlive() {
      return isAlive;
    },

    run(target, { signal, timeoutMs, onProgress }) {
      return new Promise<Ending>((resolve, reject) => {
        const abort = (): void => worker.postMessage({ type: 'abort' } satisfies ToThread);
        const timer = setTimeout(() => {
          const error = new AuditFailed(`The audit was not over after ${timeoutMs / 1000} seconds and was stopped.`);
          finish(() => reject(error));
          isAlive = false;
          void worker.terminate();
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
            finish(() => resolve(message.ending));
          } else if (message.type === 'fault') {
            finish(() => reject(new AuditFailed(`The audit failed: ${message.message}`)));
          } else {
            onProgress(message.progress);
          }
        };
        onDeath = (cause) => finish(() => reject(new AuditFailed('The thread of the audit ended.', { cause })));
        if (!isAlive) {
          onDeath();
          return;
        }
        signal.addEventListener('abort', abort, { once: true });
        worker.postMessage({ type: 'audit', target: target.href } satisfies ToThread);
        if (signal.aborted) {
          abort();
        }
      });
    },

    async close() {
      isAlive = false;
      await worker.terminate();
    },
  };
}
