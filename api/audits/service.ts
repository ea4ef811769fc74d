import type { Progress } from '../audit/evidence.ts';
import type { AuditReport, CheckResult } from '../audit/report.ts';
import { mayBePrivate, parseTarget, type TargetPolicy } from '../fetch/target.ts';
import { createTurns } from '../http/turns.ts';
import { AuditFailed, AuditQueueFull, AuditsStopped } from './errors.ts';
import type { Ending } from './outcome.ts';
import { auditPolicy } from './policy.ts';
import type { AuditProcess } from './process.ts';
import type { Audits } from './store.ts';

/** What is told while an audit waits and runs. */
export type AuditNews =
  | { stage: 'queued'; position: number }
  | ({ stage: 'asking' } & Progress)
  | { stage: 'judged'; finding: CheckResult };

/** How an audit ended. `ageSeconds` is null for one that ended just now, and says how old the last result is that was taken. */
export type AuditResult = Ending & { ageSeconds: number | null };

/** Audits that run in processes of their own, some at once and some waiting. */
export interface AuditService {
  /** Reads an address that a stranger typed; throws TargetRefused. What it lets through may still be refused when its name is looked up. */
  toTarget(text: string): URL;
  /** Whether the configuration names the host of an address as one that may be private. */
  isAllowedByName(target: URL): boolean;
  /**
   * Audits a site, or joins the audit of the same address that waits or runs, or takes the result of the last minute,
   * which `isAgain` leaves out.
   * Throws AuditQueueFull, or AuditsStopped, at once; the promise rejects with AuditFailed or AuditsStopped. The audit ends
   * early when the signals of all who wait for it have.
   */
  start(
    target: URL,
    options: { signal: AbortSignal; isAgain?: boolean; onNews?: ((news: AuditNews) => void) | undefined },
  ): Promise<AuditResult>;
  /** Audits that run, and that wait. */
  readonly load: { running: number; queued: number };
  /** Refuses what waits, gives what runs a few seconds, and ends the processes. */
  stop(): Promise<void>;
}

interface Run {
  target: URL;
  listeners: Set<(news: AuditNews) => void>;
  /** What was found so far, for those who join. */
  findings: CheckResult[];
  waiting: number;
  isStarted: boolean;
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
  /** Told of what the caller is not told: a report that could not be stored, a process that died. */
  onFault(error: unknown): void;
  processTimeoutMs?: number;
}

/** Builds the service. A process is opened when an audit needs one, kept some minutes for the next, and has one audit at a time. */
export function createAuditService(options: AuditServiceOptions): AuditService {
  const { openProcess, policy, audits, now, onFault, processTimeoutMs = auditPolicy.processSeconds * 1000 } = options;
  const runs = new Map<string, Run>();
  const queue: Run[] = [];
  // Each with the timer that ends it when nothing comes.
  const idle = new Map<AuditProcess, NodeJS.Timeout>();
  let running = 0;
  const busy = new Set<AuditProcess>();
  // Beside the store, which has one report for an origin and none that is very long.
  const recent = new Map<string, { report: AuditReport; at: number }>();
  // Many may wait for one result.
  const turn = createTurns();
  let isStopped = false;

  const tell = (run: Run, news: AuditNews): void => {
    for (const listener of run.listeners) {
      listener(news);
    }
  };

  function lastResult(target: URL): AuditResult | null {
    const at = now().getTime();
    for (const [href, kept] of recent) {
      if (at - kept.at >= auditPolicy.reuseSeconds * 1000) {
        recent.delete(href);
      }
    }
    const kept = recent.get(target.href);
    if (kept !== undefined) {
      return { kind: 'report', report: kept.report, ageSeconds: Math.max(0, Math.floor((at - kept.at) / 1000)) };
    }
    const stored = audits.get(target.origin);
    return stored !== null && stored.report.url === target.href && stored.ageSeconds < auditPolicy.reuseSeconds
      ? { kind: 'report', report: stored.report, ageSeconds: stored.ageSeconds }
      : null;
  }

  async function keep(target: URL, report: AuditReport): Promise<void> {
    recent.set(target.href, { report, at: now().getTime() });
    const [oldest] = recent.keys();
    if (recent.size > auditPolicy.recentResults && oldest !== undefined) {
      recent.delete(oldest);
    }
    // A report that cannot be stored is still a report.
    await audits.record(target.origin, report).catch(onFault);
  }

  async function execute(run: Run): Promise<void> {
    let child: AuditProcess | undefined;
    try {
      child = await takeProcess();
      const ending = await child.run(run.target, {
        signal: run.abort.signal,
        timeoutMs: processTimeoutMs,
        onProgress: (progress) => tell(run, { stage: 'asking', ...progress }),
        onFinding: (finding) => {
          run.findings.push(finding);
          tell(run, { stage: 'judged', finding });
        },
      });
      // What was cut short says nothing about the site.
      if (run.abort.signal.aborted) {
        throw new AuditsStopped('The audit was ended before it was over.');
      }
      if (ending.kind === 'report') {
        await keep(run.target, ending.report);
      }
      run.settle.resolve({ ...ending, ageSeconds: null });
    } catch (error) {
      if (error instanceof AuditFailed && !isStopped) {
        onFault(error);
      }
      run.settle.reject(error instanceof Error ? error : new AuditFailed(String(error)));
    } finally {
      running -= 1;
      if (child !== undefined) {
        release(child);
      }
      forget(run);
      startNext();
    }
  }

  function forget(run: Run): void {
    if (runs.get(run.target.href) === run) {
      runs.delete(run.target.href);
    }
  }

  /** A process that waits for work, where one has not died meanwhile, or a new one. */
  async function takeProcess(): Promise<AuditProcess> {
    // To start one takes the service longer than anything else it does.
    await turn();
    for (const [child, timer] of idle) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.isAlive) {
        busy.add(child);
        return child;
      }
    }
    const child = openProcess();
    busy.add(child);
    return child;
  }

  function release(child: AuditProcess): void {
    // What stops the service ends its processes.
    if (isStopped) {
      return;
    }
    busy.delete(child);
    if (!child.isAlive) {
      child.close().catch(onFault);
      return;
    }
    const end = (): void => {
      idle.delete(child);
      child.close().catch(onFault);
    };
    idle.set(child, setTimeout(end, auditPolicy.idleSeconds * 1000).unref());
  }

  /** Sites that are being audited: one at a time for each, whatever its addresses are. */
  const originsUnderWay = (): Set<string> =>
    new Set([...runs.values()].filter(({ isStarted }) => isStarted).map(({ target }) => target.origin));

  function startNext(): void {
    while (running < auditPolicy.atOnce && !isStopped) {
      const origins = originsUnderWay();
      const index = queue.findIndex(({ target }) => !origins.has(target.origin));
      const [run] = index < 0 ? [] : queue.splice(index, 1);
      if (run === undefined) {
        break;
      }
      run.isStarted = true;
      running += 1;
      void execute(run);
    }
    queue.forEach((run, index) => {
      tell(run, { stage: 'queued', position: index + 1 });
    });
  }

  function enqueue(target: URL): Run {
    // Who can begin at once does not wait behind others that are audited one after the other.
    const canBegin = running < auditPolicy.atOnce && !originsUnderWay().has(target.origin);
    if (queue.length >= auditPolicy.queued && !canBegin) {
      throw new AuditQueueFull(`${queue.length} audits wait, and no more are taken.`);
    }
    const { promise: result, ...settle } = Promise.withResolvers<AuditResult>();
    // Everybody may be gone by the time it rejects.
    result.catch(() => {});
    const run: Run = {
      target,
      listeners: new Set(),
      findings: [],
      waiting: 0,
      isStarted: false,
      abort: new AbortController(),
      result,
      settle,
    };
    runs.set(target.href, run);
    queue.push(run);
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
    const index = queue.indexOf(run);
    if (index >= 0) {
      queue.splice(index, 1);
      run.settle.reject(new AuditsStopped('Nobody waits for this audit any more.'));
    }
  }

  async function wait(
    run: Run,
    signal: AbortSignal,
    onNews: ((news: AuditNews) => void) | undefined,
  ): Promise<AuditResult> {
    const gone = Promise.withResolvers<never>();
    const end = (): void => gone.reject(new AuditsStopped('The caller does not wait for this audit any more.'));
    if (onNews !== undefined) {
      run.listeners.add(onNews);
      for (const finding of run.findings) {
        onNews({ stage: 'judged', finding });
      }
    }
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
    try {
      const result = await Promise.race([run.result, gone.promise]);
      await turn();
      return result;
    } finally {
      signal.removeEventListener('abort', end);
      if (onNews !== undefined) {
        run.listeners.delete(onNews);
      }
      leave(run);
    }
  }

  return {
    toTarget: (text) => parseTarget(text, policy),

    isAllowedByName: (target) => mayBePrivate(target, policy),

    start(target, { signal, isAgain = false, onNews }) {
      if (isStopped) {
        throw new AuditsStopped('The service is stopping.');
      }
      const last = isAgain ? null : lastResult(target);
      if (last !== null) {
        return Promise.resolve(last);
      }
      const run = runs.get(target.href) ?? enqueue(target);
      run.waiting += 1;
      const result = wait(run, signal, onNews);
      startNext();
      return result;
    },

    get load() {
      return { running, queued: queue.length };
    },

    async stop() {
      isStopped = true;
      for (const run of queue.splice(0)) {
        run.settle.reject(new AuditsStopped('The service is stopping.'));
      }
      const started = [...runs.values()].filter(({ isStarted }) => isStarted);
      const over = Promise.allSettled(started.map(({ result }) => result));
      const late = setTimeout(() => {
        for (const run of started) {
          run.settle.reject(new AuditsStopped('The service is stopping.'));
        }
      }, auditPolicy.stopSeconds * 1000);
      await over;
      clearTimeout(late);
      await Promise.all([...idle.keys(), ...busy].map((child) => child.close()));
    },
  };
}
