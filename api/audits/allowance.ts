import { toClientNetwork } from '../http/client-network.ts';
import type { Counters } from '../stores/counters.ts';

/** What is left to a client. */
export interface AllowanceStatus {
  limit: number;
  remaining: number;
  /** ISO 8601, UTC: when all of it is there again. For a client that has taken nothing: a whole window from now. */
  resets_at: string;
}

/** One attempt to reserve from the allowance; `status` is what is left after it. */
export type AllowanceReservation =
  | {
      granted: true;
      status: AllowanceStatus;
      /** Puts it back, for an audit that was refused before anything was fetched. Once. */
      release(): Promise<void>;
    }
  | { granted: false; status: AllowanceStatus };

/** Counts what each client has for free. Both throw StorageUnavailable when nothing can be counted. */
export interface Allowance {
  /** Takes one, before the work it pays for begins: check and count are one step, so parallel requests get no more. */
  take(client: string): Promise<AllowanceReservation>;
  /** Looks without taking. */
  status(client: string): Promise<AllowanceStatus>;
}

/**
 * Builds an allowance. The window of a client begins with the first one it takes. A client is an IPv4 address or the /64
 * of an IPv6 address.
 */
export function createAllowance({
  name,
  limit,
  windowSeconds,
  counters,
  now,
}: {
  /** What is counted, so that two allowances don't share their counts. */
  name: string;
  /** Free within one window. */
  limit: number;
  windowSeconds: number;
  counters: Counters;
  now: () => Date;
}): Allowance {
  const toKey = (client: string): string => `${name} ${toClientNetwork(client)}`;
  const toStatus = (taken: number, endsAt: number): AllowanceStatus => ({
    limit,
    remaining: Math.max(0, limit - taken),
    resets_at: new Date(endsAt).toISOString(),
  });

  return {
    async status(client) {
      const count = await counters.read(toKey(client));
      return toStatus(count?.taken ?? 0, count?.endsAt ?? now().getTime() + windowSeconds * 1000);
    },

    async take(client) {
      const key = toKey(client);
      const { granted, taken, endsAt } = await counters.take(key, { limit, windowSeconds });
      const status = toStatus(taken, endsAt);
      if (!granted) {
        return { granted, status };
      }
      let isReleased = false;
      return {
        granted,
        status,
        async release() {
          if (!isReleased) {
            isReleased = true;
            await counters.giveBack(key, endsAt);
          }
        },
      };
    },
  };
}
