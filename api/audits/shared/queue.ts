import type { Database } from '../../stores/postgres/database.ts';
import { StorageUnavailable, toReason } from '../../stores/storage-unavailable.ts';
import { AuditFailed, AuditQueueFull, TooManyAudits } from '../errors.ts';
import { auditPolicy } from '../policy.ts';
import { type Job, nextOf, refuseBusy, refuseFull } from '../queue.ts';
import type { AuditResult } from '../service.ts';
import { type Ending, toStoredFailure } from './ending.ts';

/** The names under which the database tells of the queue and of one run. */
export const queueTopic = 'audit-queue';
export const runTopic = 'audit-run';

/** An audit that fails with the instance that ran it is tried so often. */
const maxAttempts = 2;

/** The transaction that holds the queue's lock. */
interface Locked {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Tells all instances, once it's committed. */
  notify(topic: string, id: number): Promise<unknown>;
}

/** A run that waits or runs, on whichever instance. */
export interface ActiveRun extends Job {
  id: number;
  href: string;
  site: string;
  networks: ReadonlySet<string>;
  isRunning: boolean;
  isLeft: boolean;
  place: number | null;
}

/** A run that this instance is to carry out. */
export interface Claim {
  id: number;
  href: string;
  attempt: number;
}

/** The audits of all instances, in the database: who waits, who runs what, and what is found. Each throws StorageUnavailable. */
export type SharedQueue = ReturnType<typeof openSharedQueue>;

const selectActive = `
  select r.id::float8 as id, r.href, r.site, r.network, r.state, r.is_left, r.place,
    array(select s.site from audit_sites s where s.run = r.id) as sites,
    array(select distinct w.network from audit_waiters w where w.run = r.id and w.network is not null) as networks
  from audit_runs r where r.state <> 'over' order by r.id`;

interface ActiveRow {
  id: number;
  href: string;
  site: string;
  network: string | null;
  state: 'queued' | 'running';
  is_left: boolean;
  place: number | null;
  sites: string[];
  networks: string[];
}

/** What waits and runs on all instances, in the order in which it came. */
export async function readActive({ query }: Pick<Locked, 'query'>): Promise<ActiveRun[]> {
  const rows = await query<ActiveRow>(selectActive);
  return rows.map(({ state, is_left, sites, networks, ...run }) => ({
    ...run,
    sites: new Set([run.site, ...sites]),
    networks: new Set(networks),
    isRunning: state === 'running',
    isLeft: is_left,
  }));
}

/** Those that run, and those that wait. */
export function divide(active: readonly ActiveRun[]): { running: ActiveRun[]; waiting: ActiveRun[] } {
  const { running = [], waiting = [] } = Object.groupBy(active, ({ isRunning }) => (isRunning ? 'running' : 'waiting'));
  return { running, waiting };
}

/** Puts runs that were broken off back into the queue. Those that nobody waits for are dropped, those tried too often fail. */
async function putBack({ query, notify }: Locked, which: string, values: unknown[] = []): Promise<void> {
  const back = await query<{ id: number }>(
    `update audit_runs set state = 'queued', instance = null, place = null, progress = null
     where state = 'running' and ${which} returning id::float8 as id`,
    values,
  );
  const ids = back.map(({ id }) => id);
  await query('delete from audit_sites where run = any($1)', [ids]);
  await query(
    `update audit_runs set state = 'over', ended_at = clock_timestamp(), ending = $2
     where id = any($1) and attempt >= $3`,
    [ids, JSON.stringify(toStoredFailure(new AuditFailed('The process of the audit ended.'))), maxAttempts],
  );
  await query(
    `delete from audit_runs r where r.state = 'queued'
     and (r.is_left or not exists (select 1 from audit_waiters w where w.run = r.id))`,
  );
  for (const id of ids) {
    await notify(runTopic, id);
  }
}

/** Takes over from instances that are dead: what they ran waits again, and who waited there is gone. */
async function takeOver(locked: Locked, deadAfterSeconds: number): Promise<void> {
  const dead = await locked.query(
    'delete from audit_instances where seen_at < clock_timestamp() - make_interval(secs => $1) returning id',
    [deadAfterSeconds],
  );
  if (dead.length > 0) {
    await putBack(locked, 'instance is null');
  }
}

/** Marks what may start as run by this instance. */
async function claimNext({ query }: Locked, active: readonly ActiveRun[], instance: string): Promise<Claim[]> {
  const { running, waiting } = divide(active);
  const claims: Claim[] = [];
  for (let run = nextOf(waiting, running); run !== undefined; run = nextOf(waiting, running)) {
    const taken = new Set(running.map(({ place }) => place));
    const place = Array.from({ length: auditPolicy.atOnce }, (_, index) => index).find((each) => !taken.has(each));
    const [row] = await query<{ attempt: number }>(
      `update audit_runs set state = 'running', instance = $2, place = $3, attempt = attempt + 1 where id = $1
       returning attempt`,
      [run.id, instance, place],
    );
    await query('insert into audit_sites (site, run) values ($1, $2)', [run.site, run.id]);
    waiting.splice(waiting.indexOf(run), 1);
    running.push({ ...run, isRunning: true, place: place ?? null });
    claims.push({ id: run.id, href: run.href, attempt: row?.attempt ?? 0 });
  }
  return claims;
}

/** The client that asks for an audit. `network` is a keyed hash. */
export interface Asked {
  waiter: string;
  href: string;
  site: string;
  network: string | null;
  /** Leaves out the result of the last minute. */
  isAgain: boolean;
}

/** A report on an address of the last minute, or null. */
async function readLast({ query }: Locked, href: string): Promise<AuditResult | null> {
  const [row] = await query<{ ending: AuditResult; age: number }>(
    `select ending, floor(extract(epoch from clock_timestamp() - ended_at))::int as age from audit_runs
     where href = $1 and ending->>'kind' = 'report' and ending->>'ageSeconds' is null
       and ended_at > clock_timestamp() - make_interval(secs => $2) order by id desc limit 1`,
    [href, auditPolicy.reuseSeconds],
  );
  return row === undefined ? null : { ...row.ending, ageSeconds: Math.max(0, row.age) };
}

/** Adds one who waits to the run of this address, or to a new one. Throws AuditQueueFull or TooManyAudits. */
async function addWaiter({ query }: Locked, asked: Asked, instance: string): Promise<number> {
  const { waiter, href, site, network } = asked;
  const active = await readActive({ query });
  const { running, waiting } = divide(active);
  const joined = active.find((run) => run.href === href && !run.isLeft);
  refuseBusy(network, active, joined);
  if (joined === undefined) {
    refuseFull({ sites: new Set([site]), network }, waiting, running);
  }
  const [made] =
    joined === undefined
      ? await query<{ id: number }>(
          'insert into audit_runs (href, site, network) values ($1, $2, $3) returning id::float8 as id',
          [href, site, network],
        )
      : [joined];
  const id = made?.id ?? 0;
  await query('insert into audit_waiters (id, run, instance, network) values ($1, $2, $3, $4)', [
    ...[waiter, id, instance, network],
  ]);
  return id;
}

type Decide = <Result>(work: (locked: Locked) => Promise<Result>) => Promise<Result>;

/**
 * Decides under the lock, which is taken in a statement of its own before anything is read, so that what is read is all there
 * is. First it takes over from instances that are dead. A refusal is thrown after the COMMIT, anything else as StorageUnavailable.
 */
function createDecider(database: Database, deadAfterSeconds: number): Decide {
  return async <Result>(work: (locked: Locked) => Promise<Result>) => {
    let refusal: unknown;
    try {
      const result = await database.locked(queueTopic, async (client) => {
        const locked: Locked = {
          query: async <Row>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
          notify: (topic, id) => client.query('select pg_notify($1, $2)', database.toNotice(topic, id)),
        };
        await takeOver(locked, deadAfterSeconds);
        const decided = await work(locked).catch((error: unknown) => {
          if (error instanceof AuditQueueFull || error instanceof TooManyAudits) {
            refusal = error;
            return null;
          }
          throw error;
        });
        await client.query('commit');
        return decided;
      });
      if (refusal === undefined) {
        return result as Result;
      }
    } catch (cause) {
      throw new StorageUnavailable(`The queue of audits does not answer (${toReason(cause)}).`, { cause });
    }
    throw refusal;
  };
}

/**
 * Opens the audits of all instances, in the database. One lock is held by whoever decides; the indexes of the tables hold the same
 * rules once more.
 */
export function openSharedQueue(
  database: Database,
  { instance, deadAfterSeconds }: { instance: string; deadAfterSeconds: number },
) {
  const decide = createDecider(database, deadAfterSeconds);

  return {
    /**
     * Gives the result of the last minute, or adds one who waits and claims what may start. Throws AuditQueueFull or
     * TooManyAudits.
     */
    enter: (asked: Asked) =>
      decide(async (locked) => {
        const last = asked.isAgain ? null : await readLast(locked, asked.href);
        if (last !== null) {
          return { last, id: 0, claimed: [] };
        }
        await locked.query(
          'insert into audit_instances (id, seen_at) values ($1, clock_timestamp()) on conflict (id) do nothing',
          [instance],
        );
        const id = await addWaiter(locked, asked, instance);
        const claimed = await claimNext(locked, await readActive(locked), instance);
        await locked.notify(queueTopic, id);
        return { last: null, id, claimed };
      }),

    /** Takes out one who waits. The last to go stays counted until the run is over, and a run that hasn't begun is dropped. */
    leave: (waiter: string, run: number) =>
      decide(async ({ query: ask, notify }) => {
        await ask(
          'delete from audit_waiters where id = $1 and exists (select 1 from audit_waiters where run = $2 and id <> $1)',
          [waiter, run],
        );
        await ask(
          'update audit_runs set is_left = true where id = $2 and exists (select 1 from audit_waiters where id = $1)',
          [waiter, run],
        );
        await ask("delete from audit_runs where id = $1 and is_left and state = 'queued'", [run]);
        await notify(runTopic, run);
        await notify(queueTopic, run);
      }),

    /** Claims what may start, that of instances that are dead included. */
    claim: () =>
      decide(async (locked) => {
        const claimed = await claimNext(locked, await readActive(locked), instance);
        if (claimed.length > 0) {
          await locked.notify(queueTopic, 0);
        }
        return claimed;
      }),

    /** Ends a run for all who wait, and claims what may start then. `isMine` is false when it had been taken over. */
    finish: ({ id, attempt }: Claim, ending: Ending, claims: boolean) =>
      decide(async (locked) => {
        const mine = await locked.query(
          `update audit_runs set state = 'over', instance = null, place = null, progress = null, ending = $4,
             ended_at = clock_timestamp()
           where id = $1 and attempt = $2 and instance = $3 and state = 'running' returning id`,
          [id, attempt, instance, JSON.stringify(ending)],
        );
        if (mine.length > 0) {
          await locked.query('delete from audit_sites where run = $1', [id]);
          await locked.query('delete from audit_waiters where run = $1', [id]);
        }
        await locked.query(
          "delete from audit_runs where state = 'over' and (is_left or ended_at < clock_timestamp() - make_interval(secs => $1))",
          [auditPolicy.reuseSeconds],
        );
        const claimed = claims ? await claimNext(locked, await readActive(locked), instance) : [];
        await locked.notify(runTopic, id);
        await locked.notify(queueTopic, id);
        return { isMine: mine.length > 0, claimed };
      }),

    /** Leaves everything to the others: what this instance ran waits again, where somebody waits for it. */
    retire: () =>
      decide(async (locked) => {
        await locked.query('delete from audit_waiters where instance = $1', [instance]);
        await putBack(locked, 'instance = $1', [instance]);
        await locked.query('delete from audit_instances where id = $1', [instance]);
        await locked.notify(queueTopic, 0);
      }),
  };
}
