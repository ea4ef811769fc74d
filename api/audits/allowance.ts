import { toClientNetwork } from '../http/client-network.ts';

/** What is left to a client. */
export interface AllowanceStatus {
  limit: number;
  remaining: number;
  /** ISO 8601, UTC: when all of it is there again. For a client that has taken nothing: a whole window from now. */
  resets_at: string;
}

/** One attempt to take from the allowance; `status` is what is left after it. */
export type AllowanceTaking =
  | {
      granted: true;
      status: AllowanceStatus;
      /** Puts it back, for an audit that was refused before anything was fetched, and returns what is left then. Once. */
      giveBack(): AllowanceStatus;
    }
  | { granted: false; status: AllowanceStatus };

/** Counts what each client has for free. */
export interface Allowance {
  /** Takes one, before the work it pays for begins: check and count are one step, so parallel requests get no more. */
  take(client: string): AllowanceTaking;
  /** Looks without taking. */
  status(client: string): AllowanceStatus;
  /** Clients held at the moment. */
  readonly size: number;
}

/**
 * Builds an allowance. The window of a client begins with the first one it takes. A client is an IPv4 address or the /64
 * of an IPv6 address. The count lives in memory and is never written down: a restart forgets it. When `maxClients` are
 * held, the one whose window ends first is forgotten for a new one.
 */
export function createAllowance({
  limit,
  windowSeconds,
  maxClients = 50_000,
  now,
}: {
  /** Free within one window. */
  limit: number;
  windowSeconds: number;
  maxClients?: number;
  now: () => Date;
}): Allowance {
  // In the order in which the windows began, which is the order in which they end.
  const windows = new Map<string, { taken: number; endsAt: number }>();
  const windowMs = windowSeconds * 1000;

  const dropEnded = (at: number): void => {
    for (const [network, { endsAt }] of windows) {
      if (endsAt > at) {
        return;
      }
      windows.delete(network);
    }
  };

  const makeRoom = (): void => {
    for (const network of windows.keys()) {
      if (windows.size < maxClients) {
        return;
      }
      windows.delete(network);
    }
  };

  const toStatus = (taken: number, endsAt: number): AllowanceStatus => ({
    limit,
    remaining: Math.max(0, limit - taken),
    resets_at: new Date(endsAt).toISOString(),
  });

  const status = (client: string): AllowanceStatus => {
    const at = now().getTime();
    dropEnded(at);
    const window = windows.get(toClientNetwork(client));
    return toStatus(window?.taken ?? 0, window?.endsAt ?? at + windowMs);
  };

  return {
    get size() {
      return windows.size;
    },

    status,

    take(client) {
      const at = now().getTime();
      dropEnded(at);
      const network = toClientNetwork(client);
      let window = windows.get(network);
      if (window === undefined) {
        makeRoom();
        window = { taken: 0, endsAt: at + windowMs };
        windows.set(network, window);
      }
      if (window.taken >= limit) {
        return { granted: false, status: toStatus(window.taken, window.endsAt) };
      }
      window.taken += 1;
      const mine = window;
      let isGivenBack = false;
      return {
        granted: true,
        status: toStatus(mine.taken, mine.endsAt),
        giveBack() {
          if (!isGivenBack) {
            isGivenBack = true;
            mine.taken -= 1;
            // A window in which nothing was taken has not begun.
            if (mine.taken === 0 && windows.get(network) === mine) {
              windows.delete(network);
            }
          }
          return status(client);
        },
      };
    },
  };
}
