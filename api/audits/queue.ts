import { AuditQueueFull } from './errors.ts';
import { auditPolicy } from './policy.ts';

/** Work that is queued: an audit of a site. */
interface Job {
  target: URL;
}

/** Audits in the order in which they came, of which some run at once. */
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

/** Builds a queue. p-queue and its like know no rule about which jobs may run together, which is most of this one. */
export function createAuditQueue<Waiting extends Job>({
  start,
  onMove,
}: {
  start(job: Waiting): void;
  /** Called with the position of each that still waits, from 1, after others started. */
  onMove(job: Waiting, position: number): void;
}): AuditQueue<Waiting> {
  const waiting: Waiting[] = [];
  const running: Waiting[] = [];
  let isClosed = false;

  const mayStart = ({ target }: Job): boolean =>
    running.length < auditPolicy.atOnce && !running.some((job) => job.target.origin === target.origin);

  return {
    running,
    waiting,

    add(job) {
      // A request that can start now skips the queue.
      if (waiting.length >= auditPolicy.queued && !mayStart(job)) {
        throw new AuditQueueFull(`${waiting.length} audits wait, and no more are taken.`);
      }
      waiting.push(job);
    },

    remove(job) {
      const index = waiting.indexOf(job);
      if (index >= 0) {
        waiting.splice(index, 1);
      }
      return index >= 0;
    },

    startNext() {
      for (let index = waiting.findIndex(mayStart); index >= 0 && !isClosed; index = waiting.findIndex(mayStart)) {
        const [job] = waiting.splice(index, 1);
        if (job !== undefined) {
          running.push(job);
          start(job);
        }
      }
      waiting.forEach((job, index) => {
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
