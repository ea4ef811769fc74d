import type { Progress } from '../audit/evidence.ts';
import type { AuditReport, CheckResult } from '../audit/report.ts';
import { mayBePrivate, parseTarget, type TargetPolicy } from '../fetch/target.ts';
import { toWideNetwork } from '../http/client-network.ts';
import { createFairQueue } from '../http/fair-queue.ts';
import type { Counters } from '../stores/counters.ts';
import { AuditFailed, AuditsStopped, TooManyAudits } from './errors.ts';
import type { AuditOutcome } from './outcome.ts';
import { auditPolicy } from './policy.ts';
import { createProcessPool, type ProcessPool } from './pool.ts';
import type { AuditProcess } from './process.ts';
import { createAuditQueue } from './queue.ts';
import { createRecentReports, type RecentReports } from './recent.ts';
import { createSiteBudget, type SiteBudget } from './site-budget.ts';
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
   * which `isAgain` leaves out. `client` is the address of who asks; null for the service itself, whose audits come after
   * all others. Throws AuditQueueFull, TooManyAudits (for the client's network) or AuditsStopped at once; the promise
   * rejects with AuditFailed, AuditsStopped or TooManyAudits (of the site). A site that was audited as often as it may is
   * answered with its last result, if that is from the last hour. The audit ends early when the signals of all who wait
   * for it have.
   */
  start(
    target: URL,
    options: { signal: AbortSignal; client: string | null; isAgain?: boolean; onEvent?: OnEvent | undefined },
  ): Promise<AuditResult>;
  /** Audits that run, and that wait. */
  readonly load: { running: number; queued: number };
  /** Refuses what waits, gives what runs a few seconds, and ends the processes. */
  stop(): Promise<void>;
}

/** One audit, for all who wait for it. */
interface Run {
  target: URL;
  /** What it visits: the site of the target, and the one to which the home page turned out to have moved. */
  sites: Set<string>;
  /** The client network that asked first; null for the service itself. */
  network: string | null;
  /** The networks of all who wait, and how many of each do. Those of the last to leave stay until it is over. */
  networks: Map<string, number>;
  /** Why it was ended for the sake of the site that the home page leads to. */
  refusal: Error | null;
  listeners: Set<OnEvent>;
  /** What was found so far, for those who join. */
  findings: CheckResult[];
  waiting: number;
  abort: AbortController;
  result: Promise<AuditResult>;
  settle: { resolve(result: AuditResult): void; reject(error: Error): void };
}

/** What audits are made with. */
interface Workshop {
  budget: SiteBudget;
  recent: RecentReports;
  pool: ProcessPool;
}

interface AuditServiceOptions {
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

function createRun(target: URL, site: string, network: string | null): Run {
  const { promise: result, ...settle } = Promise.withResolvers<AuditResult>();
  // Nobody may be listening when it rejects.
  result.catch(() => {});
  return {
    target,
    sites: new Set([site]),
    network,
    networks: new Map(),
    refusal: null,
    listeners: new Set(),
    findings: [],
    waiting: 0,
    abort: new AbortController(),
    result,
    settle,
  };
}

const emit = ({ listeners }: Run, event: AuditEvent): void => {
  for (const listener of listeners) {
    listener(event);
  }
};

/** Has a process audit the site of a run. Rejects when it fails, or when it was cut short. */
async function runIn(
  child: AuditProcess,
  run: Run,
  { timeoutMs, mayMove }: { timeoutMs: number; mayMove: (home: URL) => Promise<boolean> },
): Promise<AuditOutcome> {
  const outcome = await child.run(run.target, {
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

/** The running audits of a network, and those that wait. */
const countOf = (runs: readonly Run[], network: string): number =>
  runs.filter(({ networks }) => networks.has(network)).length;

/**
 * Decides whether an audit may go on at the site to which its home page leads: when nobody else audits that, and it has
 * not been audited too often. Notes in the run why not.
 */
async function moveTo(home: URL, run: Run, { budget, running }: { budget: SiteBudget; running: readonly Run[] }) {
  const site = budget.siteOf(home);
  try {
    if (running.some((other) => other !== run && other.sites.has(site))) {
      const sentence = `${run.target.host} leads to ${home.host}, which is being audited now.`;
      throw new TooManyAudits(sentence, auditPolicy.gatherSeconds);
    }
    run.sites.add(site);
    await budget.take(home);
    return true;
  } catch (error) {
    run.refusal = error instanceof Error ? error : new AuditFailed(String(error));
    return false;
  }
}

/** Audits the site of a run, or takes the last result where it was audited often enough. */
async function resultOf(
  run: Run,
  { budget, recent, pool, running, timeoutMs }: Workshop & { running: readonly Run[]; timeoutMs: number },
): Promise<AuditResult> {
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
    const outcome = await runIn(child, run, { timeoutMs, mayMove: (home) => moveTo(home, run, { budget, running }) });
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

/** Notes that one more of a network waits for a run. */
function enter(run: Run, network: string | null): void {
  run.waiting += 1;
  if (network !== null) {
    run.networks.set(network, (run.networks.get(network) ?? 0) + 1);
  }
}

/** Notes that one waits no more. Returns whether nobody does; the network of the last one then stays. */
function exit(run: Run, network: string | null): boolean {
  run.waiting -= 1;
  if (run.waiting === 0) {
    return true;
  }
  const left = network === null ? 0 : (run.networks.get(network) ?? 0) - 1;
  if (network !== null && left > 0) {
    run.networks.set(network, left);
  } else if (network !== null) {
    run.networks.delete(network);
  }
  return false;
}

/** Builds the service. A process is opened when an audit needs one, kept some minutes for the next, and has one audit at a time. */
export function createAuditService(options: AuditServiceOptions): AuditService {
  const { openProcess, policy, audits, now, onError, processTimeoutMs = auditPolicy.processSeconds * 1000 } = options;
  const runs = new Map<string, Run>();
  const pool = createProcessPool({ openProcess, onError });
  const recent = createRecentReports({ audits, now, onError });
  const budget = createSiteBudget({ policy, counters: options.counters, now });
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
    try {
      run.settle.resolve(
        await resultOf(run, { budget, recent, pool, running: queue.running, timeoutMs: processTimeoutMs }),
      );
    } catch (cause) {
      const error = run.refusal ?? cause;
      // That a caller went away is no fault.
      if (error instanceof AuditFailed && !isStopped && !run.abort.signal.aborted) {
        onError(error);
      }
      run.settle.reject(error instanceof Error ? error : new AuditFailed(String(error)));
    } finally {
      forget(run);
      queue.finish(run);
      queue.startNext();
    }
  }

  function enqueue(target: URL, network: string | null): Run {
    const run = createRun(target, budget.siteOf(target), network);
    queue.add(run);
    runs.set(target.href, run);
    return run;
  }

  /** Refuses a network that has as many audits as it may, unless it joins one of its own. */
  function refuseBusy(network: string, joined: Run | undefined): void {
    const own = countOf([...queue.running, ...queue.waiting], network);
    if (own >= auditPolicy.perNetwork && joined?.networks.has(network) !== true) {
      const sentence = `${own} audits for your network run or wait, which is as many as may.`;
      throw new TooManyAudits(sentence, auditPolicy.gatherSeconds);
    }
  }

  function leave(run: Run, network: string | null): void {
    if (!exit(run, network)) {
      return;
    }
    // Whoever asks for it from now on gets an audit of their own.
    forget(run);
    run.abort.abort();
    if (queue.remove(run)) {
      run.settle.reject(new AuditsStopped('Nobody waits for this audit any more.'));
    }
  }

  async function join(
    run: Run,
    { signal, network, onEvent }: { signal: AbortSignal; network: string | null; onEvent: OnEvent },
  ): Promise<AuditResult> {
    enter(run, network);
    try {
      const result = await follow(run, signal, onEvent);
      await turn();
      return result;
    } finally {
      leave(run, network);
    }
  }

  return {
    toTarget: (text) => parseTarget(text, policy),

    isAllowedByName: (target) => mayBePrivate(target, policy),

    start(target, { signal, client, isAgain = false, onEvent = () => undefined }) {
      if (isStopped) {
        throw new AuditsStopped('The service is stopping.');
      }
      const last = isAgain ? null : recent.get(target);
      if (last !== null) {
        return Promise.resolve({ kind: 'report', ...last });
      }
      const network = client === null ? null : toWideNetwork(client);
      const joined = runs.get(target.href);
      if (network !== null) {
        refuseBusy(network, joined);
      }
      const result = join(joined ?? enqueue(target, network), { signal, network, onEvent });
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
