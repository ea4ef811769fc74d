import type { AuditReport } from '../audit/report.ts';
import { mayBePrivate, parseTarget, type TargetPolicy } from '../fetch/target.ts';
import type { Counters } from '../stores/counters.ts';
import { AuditFailed, AuditsStopped, TooManyAudits } from './errors.ts';
import type { AuditOutcome, LookOutcome } from './outcome.ts';
import { auditPolicy } from './policy.ts';
import { createProcessPool } from './pool.ts';
import type { AuditProcess } from './process.ts';
import { createRecentReports, type RecentReports } from './recent.ts';
import { emit, type Run } from './run.ts';
import type { AuditResult, AuditService } from './service.ts';
import { createSiteBudget } from './site-budget.ts';
import type { Audits } from './store.ts';

export interface AuditWorkOptions {
  /** Opens one more process. */
  openProcess(): AuditProcess;
  policy: TargetPolicy;
  /** Where the audits of a site are counted. */
  counters: Counters;
  audits: Audits<AuditReport>;
  now: () => Date;
  /** Called with what the caller doesn't learn: a report that could not be stored, a process that died. */
  onError(error: unknown): void;
  processTimeoutMs?: number;
}

/** The work of audits; which of them runs when is decided elsewhere. */
export interface AuditWork extends Pick<AuditService, 'toTarget' | 'isAllowedByName'> {
  recent: RecentReports;
  /** See SiteBudget. */
  siteOf(url: URL): string;
  /**
   * Audits the site of a run in a process, or takes the last result where it was audited often enough. `takeSite` is asked
   * when the home page is found on another site: false when somebody else audits that one. Rejects with why there is no result.
   */
  audit(run: Run, takeSite: (site: string) => boolean | Promise<boolean>): Promise<AuditResult>;
  /** Fetches one page as several readers would, in a process. Rejects with why there is no outcome. */
  look(target: URL, signal: AbortSignal): Promise<LookOutcome>;
  /** Ends every process. */
  close(): Promise<void>;
}

/** Has a process audit the site of a run. Rejects when it fails, or when it was cut short. */
async function runIn(
  child: AuditProcess,
  run: Run,
  { timeoutMs, mayMove }: { timeoutMs: number; mayMove: (home: URL) => Promise<boolean> },
): Promise<AuditOutcome> {
  const outcome = await child.run('audit', run.target, {
    signal: run.abort.signal,
    timeoutMs,
    mayMove,
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

/** Builds the work. A process is opened when an audit needs one, kept some minutes for the next, and has one audit at a time. */
export function createAuditWork(options: AuditWorkOptions): AuditWork {
  const { openProcess, policy, audits, now, onError, processTimeoutMs = auditPolicy.processSeconds * 1000 } = options;
  const pool = createProcessPool({ openProcess, onError });
  const recent = createRecentReports({ audits, now, onError });
  const budget = createSiteBudget({ policy, counters: options.counters, now });
  let isClosed = false;

  /**
   * Decides whether an audit may go on at the site to which its home page leads: when nobody else audits that, and it has
   * not been audited too often. Notes in the run why not.
   */
  async function moveTo(home: URL, run: Run, takeSite: Parameters<AuditWork['audit']>[1]): Promise<boolean> {
    try {
      if (!(await takeSite(budget.siteOf(home)))) {
        const sentence = `${run.target.host} leads to ${home.host}, which is being audited now.`;
        throw new TooManyAudits(sentence, auditPolicy.gatherSeconds);
      }
      await budget.take(home);
      return true;
    } catch (error) {
      run.refusal = error instanceof Error ? error : new AuditFailed(String(error));
      return false;
    }
  }

  async function work(run: Run, takeSite: Parameters<AuditWork['audit']>[1]): Promise<AuditResult> {
    let giveBack: () => Promise<void>;
    try {
      giveBack = await budget.take(run.target);
    } catch (error) {
      const last = error instanceof TooManyAudits ? recent.getOlder(run.target) : null;
      if (last === null) {
        throw error;
      }
      return { kind: 'report', ...last };
    }
    const child = await pool.take();
    try {
      const outcome = await runIn(child, run, {
        timeoutMs: processTimeoutMs,
        mayMove: (home) => moveTo(home, run, takeSite),
      });
      if (outcome.kind === 'report') {
        await recent.keep(run.target, outcome.report);
      } else if (outcome.kind === 'refused' && outcome.by === 'address') {
        await giveBack();
      }
      return { ...outcome, ageSeconds: null };
    } finally {
      pool.release(child);
    }
  }

  async function lookIn(child: AuditProcess, target: URL, signal: AbortSignal): Promise<LookOutcome> {
    let refusal: Error | null = null;
    const mayMove = (home: URL): Promise<boolean> =>
      budget.take(home).then(
        () => true,
        (error: Error) => {
          refusal = error;
          return false;
        },
      );
    const nobody = (): void => undefined;
    try {
      const timeoutMs = processTimeoutMs;
      return await child.run('look', target, { signal, timeoutMs, mayMove, onProgress: nobody, onFinding: nobody });
    } catch (cause) {
      throw refusal ?? cause;
    }
  }

  /** Tells of faults of ours: that a caller went away is none. */
  function toError(cause: unknown, signal: AbortSignal): Error {
    if (cause instanceof AuditFailed && !isClosed && !signal.aborted) {
      onError(cause);
    }
    return cause instanceof Error ? cause : new AuditFailed(String(cause));
  }

  return {
    recent,

    toTarget: (text) => parseTarget(text, policy),

    isAllowedByName: (target) => mayBePrivate(target, policy),

    siteOf: (url) => budget.siteOf(url),

    async audit(run, takeSite) {
      try {
        return await work(run, takeSite);
      } catch (cause) {
        throw toError(run.refusal ?? cause, run.abort.signal);
      }
    },

    async look(target, signal) {
      const giveBack = await budget.take(target);
      const child = await pool.take();
      try {
        const outcome = await lookIn(child, target, signal);
        if (outcome.kind === 'refused' && outcome.by === 'address') {
          await giveBack();
        }
        return outcome;
      } catch (cause) {
        throw toError(cause, signal);
      } finally {
        pool.release(child);
      }
    },

    close() {
      isClosed = true;
      return pool.close();
    },
  };
}
