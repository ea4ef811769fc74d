import type { Progress } from '../../audit/evidence.ts';
import type { CheckResult } from '../../audit/report.ts';
import type { Database } from '../../stores/postgres/database.ts';
import type { Ending } from './ending.ts';
import { type Claim, readActive, runTopic } from './queue.ts';

/** A run as it is now, for those who wait for it. */
export interface RunNews {
  state: 'queued' | 'running' | 'over';
  is_left: boolean;
  instance: string | null;
  attempt: number;
  progress: Progress | null;
  ending: Ending | null;
  findings: CheckResult[];
}

/** What instances write down of audits without deciding anything. Each throws StorageUnavailable. */
export type SharedRecords = ReturnType<typeof openSharedRecords>;

/** Opens the records of the audits of all instances, for this one. */
export function openSharedRecords(database: Database, instance: string) {
  const query = <Row>(text: string, values?: unknown[]): Promise<Row[]> =>
    database.query(text, values) as Promise<Row[]>;

  return {
    /**
     * Says that this instance is alive. `isKnown` is false if it had been given up for dead; `anyDead` is
     * true if another one hasn't been heard from for that long.
     */
    async beat(deadAfterSeconds: number): Promise<{ isKnown: boolean; anyDead: boolean }> {
      const [row] = await query<{ isKnown: boolean; anyDead: boolean }>(
        `insert into audit_instances (id, seen_at) values ($1, clock_timestamp())
         on conflict (id) do update set seen_at = excluded.seen_at
         returning xmax <> 0 as "isKnown", exists (select 1 from audit_instances o
           where o.seen_at < clock_timestamp() - make_interval(secs => $2) and o.id <> $1) as "anyDead"`,
        [instance, deadAfterSeconds],
      );
      return row ?? { isKnown: false, anyDead: false };
    },

    /** Waits again for a run, after this instance was taken for dead; false when it is gone. */
    async reenter(waiter: string, run: number, network: string | null): Promise<boolean> {
      const added = await query(
        `insert into audit_waiters (id, run, instance, network) select $1, id, $3, $4 from audit_runs where id = $2
         on conflict (id) do nothing returning id`,
        [waiter, run, instance, network],
      );
      return added.length > 0;
    },

    /** Takes one more site for a run; false when another run has it. */
    async takeSite(site: string, run: number): Promise<boolean> {
      const [row] = await query<{ is_own: boolean }>(
        `insert into audit_sites as s (site, run) values ($1, $2)
         on conflict (site) do update set site = s.site returning s.run = $2 as is_own`,
        [site, run],
      );
      return row?.is_own === true;
    },

    /** Adds what was found, from the number `from` on, and how far it is. */
    async tell({ id, attempt }: Claim, from: number, findings: readonly CheckResult[], progress: Progress | null) {
      const [channel, payload] = database.toNotice(runTopic, id);
      await query(
        `with added as (
           insert into audit_findings (run, attempt, n, finding)
           select $1, $2, $3 + place - 1, finding from json_array_elements($4::json) with ordinality as f(finding, place)
         ), moved as (update audit_runs set progress = coalesce($5, progress) where id = $1 and attempt = $2 and state = 'running')
         select pg_notify($6, $7)`,
        [id, attempt, from, JSON.stringify(findings), progress && JSON.stringify(progress), channel, payload],
      );
    },

    /** What waits and runs, in the order in which it came. */
    active: () => readActive({ query }),

    /** A run with the findings from the number `from` on, if `attempt` is still the present one, else with all. */
    async read(id: number, attempt: number, from: number): Promise<RunNews | null> {
      const [row] = await query<RunNews>(
        `select r.state, r.is_left, r.instance, r.attempt, r.progress, r.ending,
           coalesce((select json_agg(f.finding order by f.n) from audit_findings f where f.run = r.id
             and f.attempt = r.attempt and (r.attempt <> $2 or f.n >= $3)), '[]') as findings
         from audit_runs r where r.id = $1`,
        [id, attempt, from],
      );
      return row ?? null;
    },
  };
}
