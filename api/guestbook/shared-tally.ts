import { createHmac, createSecretKey } from 'node:crypto';
import { type ClientTally, createClientTally } from '../http/client-tally.ts';
import type { Companion } from '../stores/postgres/commit-batch.ts';
import type { Database } from '../stores/postgres/database.ts';

/** How often marks whose window has ended are removed from the database. */
const sweepMs = 60_000;

interface Mark {
  entry: string;
  client: string;
  at: Date;
}

/** A tally that instances share, and what keeps it beside the guestbook's log. */
export interface SharedTally {
  tally: ClientTally;
  companion: Companion;
  close(): void;
}

/**
 * Opens a tally that several instances share. The database holds keyed hashes of networks, for a window at most and never in its
 * log. Each instance has them in memory, and reads what others added before it decides, under the lock of the guestbook: so
 * the counts are exact over all instances.
 */
export function openSharedTally(
  database: Database,
  { windowSeconds, now, secret }: { windowSeconds: number; now: () => Date; secret: Uint8Array },
): SharedTally {
  const key = createSecretKey(createHmac('sha256', secret).update('writers of the guestbook').digest());
  const tally = createClientTally({ windowSeconds, now, key });
  let read = 0;
  let unsaved: Mark[] = [];
  let kept: string[] | null = null;

  const remove = (text: string, values: unknown[]): void => {
    // What could not be removed now is removed when its window ends.
    void database.query(text, values).catch(() => undefined);
  };
  const sweep = (): void =>
    remove('delete from writer_marks where at <= $1', [new Date(now().getTime() - windowSeconds * 1000)]);
  const timer = setInterval(sweep, sweepMs).unref();

  return {
    tally: {
      get size() {
        return tally.size;
      },
      clientOf: tally.clientOf,
      momentsOf: tally.momentsOf,
      record(client, entry, at) {
        tally.record(client, entry, at);
        unsaved.push({ entry, client, at });
      },
      keep(entryIds) {
        tally.keep(entryIds);
        kept = [...entryIds];
      },
      forget(entry) {
        tally.forget(entry);
        remove('delete from writer_marks where entry = $1', [entry]);
      },
    },
    companion: {
      async load(query, sequence) {
        unsaved = [];
        kept = null;
        if (sequence > read) {
          const marks = await query('select entry, client, at from writer_marks where sequence > $1 order by at', [
            read,
          ]);
          for (const { entry, client, at } of marks as Mark[]) {
            tally.record(client, entry, at);
          }
          read = sequence;
        }
      },
      async save(query, sequence) {
        if (kept !== null) {
          await query('delete from writer_marks where entry <> all($1)', [kept]);
        }
        if (unsaved.length > 0) {
          await query(
            `insert into writer_marks (entry, client, at, sequence)
             select *, $4 from unnest($1::text[], $2::text[], $3::timestamptz[])`,
            [
              unsaved.map(({ entry }) => entry),
              unsaved.map(({ client }) => client),
              unsaved.map(({ at }) => at),
              sequence,
            ],
          );
        }
      },
    },
    close: () => clearInterval(timer),
  };
}
