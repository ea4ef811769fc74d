import type { Database } from '../../stores/postgres/database.ts';
import { signaturePolicy } from './policy.ts';
import type { ReplayCache } from './replay-cache.ts';

/** How often signatures are removed that are too old to be accepted. */
const sweepMs = 60_000;

/** A replay cache that all instances share: whose row is added first has the first use. It forgets nothing too early. */
export function openSharedReplayCache(database: Database, { now }: { now: () => Date }): ReplayCache {
  const sweep = setInterval(() => {
    const oldest = Math.floor(now().getTime() / 1000) - signaturePolicy.createdMaxAgeSeconds - 60;
    void database.query('delete from used_signatures where created < $1', [oldest]).catch(() => undefined);
  }, sweepMs).unref();
  return {
    async record({ id, created }) {
      const added = await database.query(
        'insert into used_signatures (id, created) values ($1, $2) on conflict (id) do nothing returning id',
        [id, created],
      );
      return added.length === 1 ? 'first' : 'seen';
    },
    close: () => clearInterval(sweep),
  };
}
