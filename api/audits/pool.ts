import { createFairQueue } from '../http/fair-queue.ts';
import { auditPolicy } from './policy.ts';
import type { AuditProcess } from './process.ts';

/** Processes that audit, one site at a time each. */
export interface ProcessPool {
  /** A process that is free, or a new one. */
  take(): Promise<AuditProcess>;
  /** Gives a process back: it's kept some minutes for the next audit. */
  release(child: AuditProcess): void;
  /** Ends every process, those that work included. */
  close(): Promise<void>;
}

/** Builds a pool. It opens a process when one is needed and none is free; how many there are is up to its callers. */
export function createProcessPool({
  openProcess,
  onError,
}: {
  openProcess(): AuditProcess;
  onError(error: unknown): void;
}): ProcessPool {
  // Each with the timer that ends it when nothing comes.
  const idle = new Map<AuditProcess, NodeJS.Timeout>();
  const busy = new Set<AuditProcess>();
  const turn = createFairQueue();
  let isClosed = false;

  const end = (child: AuditProcess): void => {
    idle.delete(child);
    child.close().catch(onError);
  };

  return {
    async take() {
      // Forking is the slowest thing that the service does.
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
    },

    release(child) {
      if (isClosed || !busy.delete(child)) {
        return;
      }
      if (child.isAlive) {
        idle.set(child, setTimeout(end, auditPolicy.idleSeconds * 1000, child).unref());
      } else {
        end(child);
      }
    },

    async close() {
      isClosed = true;
      for (const timer of idle.values()) {
        clearTimeout(timer);
      }
      await Promise.all([...idle.keys(), ...busy].map((child) => child.close()));
    },
  };
}
