import { AuditQueueFull, TooManyAudits } from './errors.ts';
import { auditPolicy } from './policy.ts';

/** Work that is queued: an audit of a site. */
export interface Job {
  /** What it visits, each under a name: no two jobs at once that share one. */
  readonly sites: ReadonlySet<string>;
  /** The client network that asked first; null for work of the service itself, which comes after all other. */
  readonly network: string | null;
}

/** The networks of all who wait for an audit. */
interface Networks {
  readonly networks: { has(network: string): boolean };
}

/** Audits that wait, network by network in turn, and those that run. */
export interface AuditQueue<Waiting extends Job> {
  /** Queues an audit; call `startNext` to start what may start. Throws AuditQueueFull. */
  add(job: Waiting): void;
  /** Takes an audit out that hasn't started. Returns false when it has. */
  remove(job: Waiting): boolean;
  /** Starts what may start. A site is audited at one address at a time, so later ones can come first. */
  startNext(): void;
  /** Makes room for the next, once an audit is over. */
  finish(job: Waiting): void;
  /** Takes out all that haven't started, and starts none from now on. */
  close(): Waiting[];
  readonly running: readonly Waiting[];
  readonly waiting: readonly Waiting[];
}

/** Whether an audit may start beside those that run. Pure. */
export const mayStart = ({ sites, network }: Job, running: readonly Job[]): boolean =>
  // One place is kept free of the service's own work.
  running.length < (network === null ? auditPolicy.atOnce - 1 : auditPolicy.atOnce) &&
  !running.some((job) => !job.sites.isDisjointFrom(sites));

/** Those that wait, in the order of their turns: a network's second comes after the first of every other. Pure. */
export function inTurn<Waiting extends Job>(waiting: readonly Waiting[], running: readonly Job[]): Waiting[] {
  const jobsOf = new Map<string | null, number>();
  const takeTurn = ({ network }: Job): number => {
    const turn = jobsOf.get(network) ?? 0;
    jobsOf.set(network, turn + 1);
    return network === null ? Number.POSITIVE_INFINITY : turn;
  };
  running.forEach(takeTurn);
  return waiting
    .map((job) => ({ job, turn: takeTurn(job) }))
    .sort((one, other) => (one.turn === other.turn ? 0 : one.turn - other.turn))
    .map(({ job }) => job);
}

/** The next of those that wait that may start; undefined when none may. Pure. */
export const nextOf = <Waiting extends Job>(
  waiting: readonly Waiting[],
  running: readonly Job[],
): Waiting | undefined => inTurn(waiting, running).find((job) => mayStart(job, running));

/** Throws AuditQueueFull when as many wait as may. A request that can start now skips the queue. */
export function refuseFull(job: Job, waiting: readonly Job[], running: readonly Job[]): void {
  if (waiting.length >= auditPolicy.queued && !mayStart(job, running)) {
    throw new AuditQueueFull(`${waiting.length} audits wait, and no more are taken.`);
  }
}

/** Throws TooManyAudits for a network that has as many audits as it may, unless it joins one of its own. */
export function refuseBusy(network: string | null, jobs: readonly Networks[], joined: Networks | undefined): void {
  const own = network === null ? 0 : jobs.filter(({ networks }) => networks.has(network)).length;
  if (network !== null && own >= auditPolicy.perNetwork && joined?.networks.has(network) !== true) {
    const sentence = `${own} audits for your network run or wait, which is as many as may.`;
    throw new TooManyAudits(sentence, auditPolicy.gatherSeconds);
  }
}

/**
 * Builds a queue. p-queue and its like know no rule about which jobs may run together and whose turn it is, which is most
 * of this one.
 */
export function createAuditQueue<Waiting extends Job>({
  start,
  onMove,
}: {
  start(job: Waiting): void;
  /** Called with the position of each that still waits, from 1, after others started. */
  onMove(job: Waiting, position: number): void;
}): AuditQueue<Waiting> {
  // In the order in which they came.
  const waiting: Waiting[] = [];
  const running: Waiting[] = [];
  let isClosed = false;

  const next = (): Waiting | undefined => nextOf(waiting, running);

  const remove = (job: Waiting): boolean => {
    const index = waiting.indexOf(job);
    if (index >= 0) {
      waiting.splice(index, 1);
    }
    return index >= 0;
  };

  return {
    running,
    waiting,

    add(job) {
      refuseFull(job, waiting, running);
      waiting.push(job);
    },

    remove,

    startNext() {
      for (let job = next(); job !== undefined && !isClosed; job = next()) {
        remove(job);
        running.push(job);
        start(job);
      }
      inTurn(waiting, running).forEach((job, index) => {
        onMove(job, index + 1);
      });
    },

    finish(job) {
      running.splice(running.indexOf(job), 1);
    },

    close() {
      isClosed = true;
      return waiting.splice(0);
    },
  };
}
