import { createHmac, randomUUID } from 'node:crypto';
import { toWideNetwork } from '../../http/client-network.ts';
import { createFairQueue } from '../../http/fair-queue.ts';
import type { Database } from '../../stores/postgres/database.ts';
import { AuditsStopped } from '../errors.ts';
import { createLooks } from '../looks.ts';
import { follow } from '../run.ts';
import type { AuditResult, AuditService } from '../service.ts';
import { type AuditWorkOptions, createAuditWork } from '../work.ts';
import { type Asked, openSharedQueue, queueTopic, runTopic, type SharedQueue } from './queue.ts';
import { openSharedRecords, type SharedRecords } from './records.ts';
import type { SharedRun } from './run.ts';
import { createSharedRuns, type SharedRuns } from './runs.ts';

/** How often an instance is heard of while it has to do with audits, and after what silence the others take over from it. */
const usualBeat = { everyMs: 2000, deadAfterSeconds: 10 };

/** What is shared with other instances. */
export interface SharedAudits {
  database: Database;
  /** Client networks are stored as hashes under it. */
  secret: Uint8Array;
  beat?: typeof usualBeat;
}

interface SharedParts {
  runs: SharedRuns;
  queue: SharedQueue;
  records: SharedRecords;
}

const toNetworkHash = (client: string, secret: Uint8Array): string =>
  createHmac('sha256', secret)
    .update(`audits ${toWideNetwork(client)}`)
    .digest('base64url');

/** Says that this instance is alive, and finds out about others that aren't. */
async function pulse({ runs, queue, records }: SharedParts, deadAfterSeconds: number): Promise<void> {
  if (runs.isIdle()) {
    return;
  }
  const { isKnown, anyDead } = await records.beat(deadAfterSeconds);
  if (!isKnown) {
    // It was taken for dead, and those who wait here aren't counted any more.
    const waiters = runs
      .all()
      .flatMap((run) => [...run.waiters].map(([waiter, network]) => ({ run, waiter, network })));
    await Promise.all(waiters.map(({ run, waiter, network }) => records.reenter(waiter, run.id, network)));
    runs.lookAt(null);
  }
  if (anyDead) {
    runs.carryOutAll(await queue.claim());
  }
}

/**
 * Builds the service of one of several instances: who runs what, who waits, and what is found is in the database. Whoever
 * decides claims what may start then, so nothing is polled for; the heartbeat finds out about instances that died. Without the
 * database nothing new is taken, and what runs here goes on for those who wait here.
 */
export function createSharedAuditService(
  options: AuditWorkOptions,
  { database, secret, beat = usualBeat }: SharedAudits,
): AuditService {
  const instance = randomUUID();
  const work = createAuditWork(options);
  const queue = openSharedQueue(database, { instance, deadAfterSeconds: beat.deadAfterSeconds });
  const records = openSharedRecords(database, instance);
  const runs = createSharedRuns({ instance, work, queue, records });
  const underWay = new Set<Promise<unknown>>();
  // Many may wait for one result.
  const turn = createFairQueue();
  let stopping: Promise<void> | null = null;

  const refuseStopped = (): void => {
    if (stopping !== null) {
      throw new AuditsStopped('The service is stopping.');
    }
  };

  /** Holds up the end of the service until it's done. */
  const finished = <Result>(step: Promise<Result>): Promise<Result> => {
    underWay.add(step);
    void step.catch(() => undefined).finally(() => underWay.delete(step));
    return step;
  };

  /** The run that is waited for, or the result of the last minute. */
  async function enter(asked: Asked, target: URL): Promise<SharedRun | AuditResult> {
    const { last, id, claimed } = await queue.enter(asked);
    if (last !== null) {
      return last;
    }
    const run = runs.get(id, target);
    run.waiters.set(asked.waiter, asked.network);
    runs.carryOutAll(claimed);
    if (run.execution === null) {
      void run.look();
    }
    return run;
  }

  function leave(run: SharedRun, waiter: string): void {
    run.waiters.delete(waiter);
    if (!run.isOver) {
      void finished(queue.leave(waiter, run.id)).catch(() => undefined);
    }
  }

  // Without the database the next beat says it.
  const timer = setInterval(
    () => void pulse({ runs, queue, records }, beat.deadAfterSeconds).catch(() => undefined),
    beat.everyMs,
  ).unref();
  const endings = [
    database.onTouch(queueTopic, () => void runs.lookAtQueue()),
    database.onTouch(runTopic, (id) => runs.lookAt(id)),
    () => clearInterval(timer),
  ];

  async function stop(): Promise<void> {
    await Promise.allSettled(underWay);
    await runs.close();
    await Promise.allSettled(underWay);
    for (const each of endings) {
      each();
    }
    // If the database is gone, the others find out by the silence.
    await queue.retire().catch(() => undefined);
  }

  return {
    toTarget: work.toTarget,

    isAllowedByName: work.isAllowedByName,

    ...createLooks(work),

    async start(target, { signal, client, isAgain = false, onEvent = () => undefined, onAccepted }) {
      refuseStopped();
      const recent = isAgain ? null : work.recent.get(target);
      if (recent !== null) {
        return { kind: 'report', ...recent };
      }
      const waiter = randomUUID();
      const network = client === null ? null : toNetworkHash(client, secret);
      const asked = { waiter, href: target.href, site: work.siteOf(target), network, isAgain };
      const run = await finished(enter(asked, target));
      if ('kind' in run) {
        return run;
      }
      onAccepted?.();
      try {
        const result = await follow(run, signal, onEvent);
        await turn();
        return result;
      } finally {
        leave(run, waiter);
      }
    },

    get load() {
      const all = runs.all();
      const here = all.filter(({ execution }) => execution !== null);
      return { running: here.length, queued: all.filter(({ position }) => position > 0).length };
    },

    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
