import type { Progress } from '../audit/evidence.ts';
import type { AuditReport, CheckResult } from '../audit/report.ts';
import { mayBePrivate, parseTarget, type TargetPolicy } from '../fetch/target.ts';
import { createFairQueue } from '../http/fair-queue.ts';
import { AuditFailed, AuditsStopped } from './errors.ts';
import type { AuditOutcome } from './outcome.ts';
import { auditPolicy } from './policy.ts';
import { createProcessPool } from './pool.ts';
import type { AuditProcess } from './process.ts';
import { createAuditQueue } from './queue.ts';
import { createRecentReports } from './recent.ts';
import type { Audits } from './store.ts';

/** What happens while an audit waits and runs. */
export type AuditEvent =
  | { stage: 'queued'; position: number }
  | ({ stage: 'asking' } & Progress)
  | { stage: 'judged'; finding: CheckResult };

type OnEvent = (event: AuditEvent) => void;

/** How an audit ended. `ageSeconds` is null for one that ended just now, and the age of an earlier result that was taken. */
export type AuditResult = AuditOutcome & { ageSeconds: number | null };

/** Audits that run in processes of their own, some at once and some waiting. */
export interface AuditService {
  /** Reads an address that a stranger typed; throws TargetRefused. It may still be refused when its name is looked up. */
  toTarget(text: string): URL;
  /** Whether the configuration names the host of an address as one that may be private. */
  isAllowedByName(target: URL): boolean;
  /**
   * Audits a site, or joins the audit of the same address that waits or runs, or takes the result of the last minute,
   * which `isAgain` leaves out. Throws AuditQueueFull, or AuditsStopped, at once; the promise rejects with AuditFailed or
   * AuditsStopped. The audit ends early when the signals of all who wait for it have.
   */
  start(
    target: URL,
    options: { signal: AbortSignal; isAgain?: boolean; onEvent?: OnEvent | undefined },
  ): Promise<AuditResult>;
  /** Audits that run, and that wait. */
  readonly load: { running: number; queued: number };
  /** Refuses what waits, gives what runs a few seconds, and ends the processes. */
  stop(): Promise<void>;
}

/** One audit, for all who wait for it. */
interface Run {
  target: URL;
  listeners: Set<OnEvent>;
  /** What was found so far, for those who join. */
  findings: CheckResult[];
  waiting: number;
  abort: AbortController;
  result: Promise<AuditResult>;
  settle: { resolve(result: AuditResult): void; reject(error: Error): void };
}

interface AuditServiceOptions {
  /** Opens one more process. */
  openProcess(): AuditProcess;
  policy: TargetPolicy;
  audits: Audits<AuditReport>;
  now: () => Date;
  /** Called with what the caller doesn't learn: a report that could not be stored, a process that died. */
  onError(error: unknown): void;
  processTimeoutMs?: number;
}

function createRun(target: URL): Run {
  const { promise: result, ...settle } = Promise.withResolvers<AuditResult>();
  // Nobody may be listening when it rejects.
  result.catch(() => {});
  return { target, listeners: new Set(), findings: [], waiting: 0, abort: new AbortController(), result, settle };
}

const emit = ({ listeners }: Run, event: AuditEvent): void => {
  for (const listener of listeners) {
    listener(event);
  }
};

/** Has a process audit the site of a run. Rejects when it fails, or when it was cut short. */
async function runIn(child: AuditProcess, run: Run, timeoutMs: number): Promise<AuditOutcome> {
  const outcome = await child.run(run.target, {
    signal: run.abort.signal,
    timeoutMs,
    onProgress: (progress) => emit(run, { stage: 'asking', ...progress }),
    onFinding: (finding) => {
      run.findings.push(finding);
      emit(run, { stage: 'judged', finding });
    },
  });
  // What was cut short says nothing about the site.
  if (run.abort.signal.aborted) {
    throw new AuditsStopped('The audit was ended before it was over.');
  }
  return outcome;
}

/** Resolves with the result of a run, or rejects when the caller disconnects; calls back with its events until then. */
async function follow(
  { result, listeners, findings }: Run,
  signal: AbortSignal,
  onEvent: OnEvent,
): Promise<AuditResult> {
  const disconnected = Promise.withResolvers<never>();
  const disconnect = (): void =>
    disconnected.reject(new AuditsStopped('The caller does not wait for this audit any more.'));
  listeners.add(onEvent);
  for (const finding of findings) {
    onEvent({ stage: 'judged', finding });
  }
  signal.addEventListener('abort', disconnect, { once: true });
  if (signal.aborted) {
    disconnect();
  }
  try {
    return await Promise.race([result, disconnected.promise]);
  } finally {
    signal.removeEventListener('abort', disconnect);
    listeners.delete(onEvent);
  }
}

/** Builds the service. A process is opened when an audit needs one, kept some minutes for the next, and has one audit at a time. */
export function createAuditService(options: AuditServiceOptions): AuditService {
  const { openProcess, policy, audits, now, onError, processTimeoutMs = auditPolicy.processSeconds * 1000 } = options;
  const runs = new Map<string, Run>();
  const pool = createProcessPool({ openProcess, onError });
  const recent = createRecentReports({ audits, now, onError });
  const queue = createAuditQueue<Run>({
    start: (run) => void execute(run),
    onMove: (run, position) => emit(run, { stage: 'queued', position }),
  });
  // Many may wait for one result.
  const turn = createFairQueue();
  let isStopped = false;

  const forget = (run: Run): void => {
    if (runs.get(run.target.href) === run) {
      runs.delete(run.target.href);
    }
  };

  async function execute(run: Run): Promise<void> {
    let child: AuditProcess | undefined;
    try {
      child = await pool.take();
      const outcome = await runIn(child, run, processTimeoutMs);
      if (outcome.kind === 'report') {
        await recent.keep(run.target, outcome.report);
      }
      run.settle.resolve({ ...outcome, ageSeconds: null });
    } catch (error) {
      if (error instanceof AuditFailed && !isStopped) {
        onError(error);
      }
      run.settle.reject(error instanceof Error ? error : new AuditFailed(String(error)));
    } finally {
      if (child !== undefined) {
        pool.release(child);
      }
      forget(run);
      queue.finish(run);
      queue.startNext();
    }
  }

  function enqueue(target: URL): Run {
    const run = createRun(target);
    queue.add(run);
    runs.set(target.href, run);
    return run;
  }

  function leave(run: Run): void {
    run.waiting -= 1;
    if (run.waiting > 0) {
      return;
    }
    // Whoever asks for it from now on gets an audit of their own.
    forget(run);
    run.abort.abort();
    if (queue.remove(run)) {
      run.settle.reject(new AuditsStopped('Nobody waits for this audit any more.'));
    }
  }

  async function join(run: Run, signal: AbortSignal, onEvent: OnEvent): Promise<AuditResult> {
    run.waiting += 1;
    try {
      const result = await follow(run, signal, onEvent);
      await turn();
      return result;
    } finally {
      leave(run);
    }
  }

  return {
    toTarget: (text) => parseTarget(text, policy),

    isAllowedByName: (target) => mayBePrivate(target, policy),

    start(target, { signal, isAgain = false, onEvent = () => undefined }) {
      if (isStopped) {
        throw new AuditsStopped('The service is stopping.');
      }
      const last = isAgain ? null : recent.get(target);
      if (last !== null) {
        return Promise.resolve({ kind: 'report', ...last });
      }
      const result = join(runs.get(target.href) ?? enqueue(target), signal, onEvent);
      queue.startNext();
      return result;
    },

    get load() {
      return { running: queue.running.length, queued: queue.waiting.length };
    },

    async stop() {
      isStopped = true;
      const refuse = (run: Run): void => run.settle.reject(new AuditsStopped('The service is stopping.'));
      queue.close().forEach(refuse);
      const started = [...queue.running];
      const late = setTimeout(() => started.forEach(refuse), auditPolicy.stopSeconds * 1000);
      await Promise.allSettled(started.map(({ result }) => result));
      clearTimeout(late);
      await pool.close();
    },
  };
}
