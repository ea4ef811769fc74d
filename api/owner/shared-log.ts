import type { Database } from '../stores/postgres/database.ts';
import { type OwnerAct, type OwnerLog, ownerAct } from './log.ts';

/** The owner's log in the database, in which rows can only be added. */
export function openSharedOwnerLog(database: Database, { now }: { now: () => Date }): OwnerLog {
  return {
    async append(act) {
      const timed = ownerAct.parse({ time: now().toISOString(), ...act });
      await database.query('insert into owner_log (time, by, action, entry, reason) values ($1, $2, $3, $4, $5)', [
        ...[timed.time, timed.by, timed.action, timed.entry, timed.reason],
      ]);
      return timed;
    },

    async read() {
      const rows = await database.query<Omit<OwnerAct, 'time'> & { time: Date }>(
        'select time, by, action, entry, reason from owner_log order by n',
      );
      return rows.map(({ time, ...act }) => ({ time: time.toISOString(), ...act }));
    },

    close: async () => undefined,
  };
}
