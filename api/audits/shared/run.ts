import { AuditFailed } from '../errors.ts';
import { inTurn } from '../queue.ts';
import { createRun, emit, type Run } from '../run.ts';
import { type Ending, toError, toStoredFailure } from './ending.ts';
import { type ActiveRun, type Claim, divide } from './queue.ts';
import type { RunNews } from './records.ts';

/** A run, as far as this instance has to do with it: somebody waits for it here, or it's carried out here. */
export interface SharedRun extends Run {
  readonly id: number;
  /** Those who wait here, with the hashes of their networks. */
  readonly waiters: Map<string, string | null>;
  /** What carries it out here; null when another instance does, or nobody yet. */
  execution: { claim: Claim; abort: AbortController } | null;
  /** The attempt that the findings are of, and how many of those in the database are among them. */
  attempt: number;
  told: number;
  /** Its place among those that wait; 0 when it isn't one of them. */
  position: number;
  isOver: boolean;
  /** Looks in the database what became of it. */
  look(): Promise<void>;
}

/** Does a job one at a time, and again when it was asked for meanwhile. */
export function onceAtATime(job: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAsked = false;
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      // Without the database there is nothing to see; when it's back everything is looked at.
      await job().catch(() => undefined);
    }
    running = null;
  };
  return () => {
    isAsked = true;
    running ??= run();
    return running;
  };
}

/** Takes over the findings and the progress of a run that goes on elsewhere, and tells those who wait. */
function takeFindings(run: SharedRun, { attempt, findings, progress }: RunNews): void {
  if (attempt !== run.attempt) {
    run.attempt = attempt;
    run.told = 0;
    run.findings.length = 0;
  }
  run.told += findings.length;
  if (progress !== null) {
    emit(run, { stage: 'asking', ...progress });
  }
  for (const finding of findings) {
    run.findings.push(finding);
    emit(run, { stage: 'judged', finding });
  }
}

/** Sees to what the database has of a run; null for one that is gone. Returns how it ended; null while it goes on. */
export function takeNews(run: SharedRun, news: RunNews | null, instance: string): Ending | null {
  const { execution } = run;
  if (news === null) {
    execution?.abort.abort();
    return toStoredFailure(new AuditFailed('The audit was lost.'));
  }
  if (execution === null) {
    takeFindings(run, news);
    return news.state === 'over' ? news.ending : null;
  }
  const isMine = news.instance === instance && news.attempt === execution.claim.attempt;
  if (!isMine) {
    // This instance was taken for dead, and the audit is somebody else's now.
    run.execution = null;
    run.told = run.findings.length;
    void run.look();
  }
  if (!isMine || news.is_left) {
    execution.abort.abort();
  }
  return null;
}

/** Builds a run that nothing is known of yet. */
export function createSharedRun(id: number, target: URL, look: (run: SharedRun) => Promise<void>): SharedRun {
  const run: SharedRun = {
    ...createRun(target),
    ...{ id, waiters: new Map(), execution: null, attempt: 0, told: 0, position: 0, isOver: false },
    look: onceAtATime(() => look(run)),
  };
  return run;
}

/** Settles those who wait here. */
export function settle(run: SharedRun, ending: Ending): void {
  run.isOver = true;
  run.execution = null;
  if (ending.kind === 'failed') {
    run.settle.reject(toError(ending));
  } else {
    run.settle.resolve(ending);
  }
}

/** Tells those who wait here of their places among all that wait. */
export function tellPlaces(runs: Iterable<SharedRun>, active: readonly ActiveRun[]): void {
  const { running, waiting } = divide(active);
  const places = new Map(inTurn(waiting, running).map(({ id }, index) => [id, index + 1]));
  for (const run of runs) {
    const position = places.get(run.id) ?? 0;
    if (position > 0 && position !== run.position) {
      emit(run, { stage: 'queued', position });
    }
    run.position = position;
  }
}
