import { setTimeout as wait } from 'node:timers/promises';
import { AuditsStopped } from '../errors.ts';
import { auditPolicy } from '../policy.ts';
import { nextOf } from '../queue.ts';
import type { AuditWork } from '../work.ts';
import { type Ending, toStoredFailure } from './ending.ts';
import { type Claim, divide, type SharedQueue } from './queue.ts';
import type { SharedRecords } from './records.ts';
import { createSharedRun, onceAtATime, type SharedRun, settle, takeNews, tellPlaces } from './run.ts';
import { tellOthers } from './teller.ts';

/** How soon it's tried again to write down how a run ended. */
const againMs = 1000;

/** Audits the site of a run here. Returns how it ended; null when it's another instance's meanwhile, or was refused. */
async function execute(
  run: SharedRun,
  claim: Claim,
  { work, records }: { work: AuditWork; records: SharedRecords },
): Promise<Ending | null> {
  const execution = { claim, abort: new AbortController() };
  Object.assign(run, { execution, attempt: claim.attempt, told: 0, position: 0 });
  run.findings.length = 0;
  const teller = tellOthers(run, claim, records);
  const ending = await work
    .audit({ ...run, refusal: null, abort: execution.abort }, (site) => records.takeSite(site, claim.id))
    .catch(toStoredFailure);
  await teller.stop();
  return run.execution === execution ? ending : null;
}

/** The runs that this instance has to do with. */
export type SharedRuns = ReturnType<typeof createSharedRuns>;

/** Builds them. Runs that are claimed are carried out here, and their news come from here; those of others from the database. */
export function createSharedRuns(parts: {
  instance: string;
  work: AuditWork;
  queue: SharedQueue;
  records: SharedRecords;
}) {
  const { instance, work, queue, records } = parts;
  const runs = new Map<number, SharedRun>();
  const carriedOut = new Set<Promise<void>>();
  let isClosed = false;

  const end = (run: SharedRun, ending: Ending): void => {
    runs.delete(run.id);
    settle(run, ending);
  };

  async function look(run: SharedRun): Promise<void> {
    const { execution } = run;
    const news = await records.read(run.id, run.attempt, run.told);
    const ending = run.isOver || run.execution !== execution ? null : takeNews(run, news, instance);
    if (ending !== null) {
      end(run, ending);
    }
  }

  function get(id: number, target: URL): SharedRun {
    const run = runs.get(id) ?? createSharedRun(id, target, look);
    runs.set(id, run);
    return run;
  }

  async function recordEnd(claim: Claim, ending: Ending): Promise<void> {
    try {
      const { claimed } = await queue.finish(claim, ending, !isClosed);
      carryOutAll(claimed);
    } catch {
      // Without the database others still believe that it runs. When this instance ends, one of them does it again.
      if (!isClosed) {
        await wait(againMs);
        await recordEnd(claim, ending);
      }
    }
  }

  async function carryOut(claim: Claim): Promise<void> {
    const run = get(claim.id, new URL(claim.href));
    const ending = await execute(run, claim, { work, records });
    if (ending !== null) {
      end(run, ending);
      await recordEnd(claim, ending);
    }
  }

  function carryOutAll(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const over = carryOut(claim);
      carriedOut.add(over);
      void over.finally(() => carriedOut.delete(over));
    }
  }

  async function lookAtQueue(): Promise<void> {
    if (runs.size === 0) {
      return;
    }
    const active = await records.active();
    tellPlaces(runs.values(), active);
    const { running, waiting } = divide(active);
    if (!isClosed && nextOf(waiting, running) !== undefined) {
      carryOutAll(await queue.claim());
    }
  }

  return {
    get,
    carryOutAll,
    lookAtQueue: onceAtATime(lookAtQueue),

    /** Looks after one run, or after all of them. */
    lookAt(id: number | null): void {
      for (const run of id === null ? runs.values() : [runs.get(id)]) {
        void run?.look();
      }
    },

    all: (): readonly SharedRun[] => [...runs.values()],

    /** Whether this instance has nothing to do with any audit. */
    isIdle: (): boolean => runs.size === 0 && carriedOut.size === 0,

    /** Refuses those who wait for others, gives what runs here a few seconds, and ends the processes. */
    async close(): Promise<void> {
      isClosed = true;
      const refuse = (run: SharedRun): void => end(run, toStoredFailure(new AuditsStopped('The service is stopping.')));
      const here = [...runs.values()].filter(({ execution }) => execution !== null);
      [...runs.values()].filter(({ execution }) => execution === null).forEach(refuse);
      const late = setTimeout(
        () => here.filter(({ isOver }) => !isOver).forEach(refuse),
        auditPolicy.stopSeconds * 1000,
      );
      await Promise.allSettled(here.map(({ result }) => result));
      clearTimeout(late);
      await work.close();
      await Promise.all(carriedOut);
    },
  };
}
