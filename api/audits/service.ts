import type { Progress } from '../audit/evidence.ts';
import type { CheckResult } from '../audit/report.ts';
import { toWideNetwork } from '../http/client-network.ts';
import { createFairQueue } from '../http/fair-queue.ts';
import { AuditsStopped } from './errors.ts';
import { createLooks } from './looks.ts';
import type { AuditOutcome, LookOutcome } from './outcome.ts';
import { auditPolicy } from './policy.ts';
import { createAuditQueue, refuseBusy } from './queue.ts';
import { createRun, emit, follow, type Run } from './run.ts';
import { type AuditWorkOptions, createAuditWork } from './work.ts';

/** What happens while an audit waits and runs. */
export type AuditEvent =
  | { stage: 'queued'; position: number }
  | ({ stage: 'asking' } & Progress)
  | { stage: 'judged'; finding: CheckResult };

export type OnEvent = (event: AuditEvent) => void;

/** How an audit ended. `ageSeconds` is null for one that ended just now, and the age of an earlier result that was taken. */
export type AuditResult = AuditOutcome & { ageSeconds: number | null };

/** What a call asks for beside the address. */
export interface AuditRequest {
  /** Ends the waiting. */
  signal: AbortSignal;
  /** The address of who asks; null for the service itself, whose audits come after all others. */
  client: string | null;
  /** Leaves out the result of the last minute. */
  isAgain?: boolean;
  onEvent?: OnEvent | undefined;
  /** Called once the audit is taken: it runs, waits, or is joined. What is refused is refused before. */
  onAccepted?: () => void;
}

/** Audits that run in processes of their own, some at once and some waiting. */
export interface AuditService {
  /** Reads an address that a stranger typed; throws TargetRefused. It may still be refused when its name is looked up. */
  toTarget(text: string): URL;
  /** Whether the configuration names the host of an address as one that may be private. */
  isAllowedByName(target: URL): boolean;
  /**
   * Audits a site, or joins the audit of the same address that waits or runs, or takes the result of the last minute.
   * Rejects with AuditQueueFull, TooManyAudits (for the client's network) or AuditsStopped before it is accepted; with
   * AuditFailed, AuditsStopped or TooManyAudits (of the site) afterwards. A site that was audited as often as it may is
   * answered with its last result, if that is from the last hour. The audit ends early when the signals of all who wait
   * for it have.
   */
  start(target: URL, request: AuditRequest): Promise<AuditResult>;
  /**
   * Looks at one page. It counts for the budget of the site, and nothing is kept. Rejects with TooManyAudits, when others
   * look or the site was fetched as often as it may, AuditFailed or AuditsStopped.
   */
  look(target: URL, request: { signal: AbortSignal; client: string }): Promise<LookOutcome>;
  /** Audits that run, and that wait. */
  readonly load: { running: number; queued: number };
  /** Refuses what waits, gives what runs a few seconds, and ends the processes. */
  stop(): Promise<void>;
}

/** A run with its place in the queue. */
interface QueuedRun extends Run {
  /** What it visits: the site of the target, and the one to which the home page turned out to have moved. */
  readonly sites: Set<string>;
  /** The client network that asked first; null for the service itself. */
  readonly network: string | null;
  /** The networks of all who wait, and how many of each do. Those of the last to leave stay until it is over. */
  readonly networks: Map<string, number>;
  waiting: number;
}

/** Notes that one more of a network waits for a run. */
function enter(run: QueuedRun, network: string | null): void {
  run.waiting += 1;
  if (network !== null) {
    run.networks.set(network, (run.networks.get(network) ?? 0) + 1);
  }
}

/** Notes that one waits no more. Returns whether nobody does; the network of the last one then stays. */
function exit(run: QueuedRun, network: string | null): boolean {
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

/** Builds the service of one process. */
export function createAuditService(options: AuditWorkOptions): AuditService {
  const work = createAuditWork(options);
  const runs = new Map<string, QueuedRun>();
  const queue = createAuditQueue<QueuedRun>({
    start: (run) => void execute(run),
    onMove: (run, position) => emit(run, { stage: 'queued', position }),
  });
  // Many may wait for one result.
  const turn = createFairQueue();
  let isStopped = false;

  const forget = (run: QueuedRun): void => {
    if (runs.get(run.target.href) === run) {
      runs.delete(run.target.href);
    }
  };

  async function execute(run: QueuedRun): Promise<void> {
    const takeSite = (site: string): boolean => {
      const isTaken = queue.running.some((other) => other !== run && other.sites.has(site));
      if (!isTaken) {
        run.sites.add(site);
      }
      return !isTaken;
    };
    await work.audit(run, takeSite).then(run.settle.resolve, run.settle.reject);
    forget(run);
    queue.finish(run);
    queue.startNext();
  }

  function enqueue(target: URL, network: string | null): QueuedRun {
    const sites = new Set([work.siteOf(target)]);
    const run: QueuedRun = { ...createRun(target), sites, network, networks: new Map(), waiting: 0 };
    queue.add(run);
    runs.set(target.href, run);
    return run;
  }

  function leave(run: QueuedRun, network: string | null): void {
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

  return {
    toTarget: work.toTarget,

    isAllowedByName: work.isAllowedByName,

    ...createLooks(work),

    async start(target, { signal, client, isAgain = false, onEvent = () => undefined, onAccepted }) {
      if (isStopped) {
        throw new AuditsStopped('The service is stopping.');
      }
      const last = isAgain ? null : work.recent.get(target);
      if (last !== null) {
        return { kind: 'report', ...last };
      }
      const network = client === null ? null : toWideNetwork(client);
      const joined = runs.get(target.href);
      refuseBusy(network, [...queue.running, ...queue.waiting], joined);
      const run = joined ?? enqueue(target, network);
      enter(run, network);
      onAccepted?.();
      try {
        const followed = follow(run, signal, onEvent);
        queue.startNext();
        const result = await followed;
        await turn();
        return result;
      } finally {
        leave(run, network);
      }
    },

    get load() {
      return { running: queue.running.length, queued: queue.waiting.length };
    },

    async stop() {
      isStopped = true;
      const refuse = (run: QueuedRun): void => run.settle.reject(new AuditsStopped('The service is stopping.'));
      queue.close().forEach(refuse);
      const started = [...queue.running];
      const late = setTimeout(() => started.forEach(refuse), auditPolicy.stopSeconds * 1000);
      await Promise.allSettled(started.map(({ result }) => result));
      clearTimeout(late);
      await work.close();
    },
  };
}
