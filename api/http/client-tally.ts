import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { toWideNetwork } from './client-network.ts';

/** Remembers which client wrote which entry, for as long as it matters to the cap and no longer. */
export interface ClientTally {
  /** What an address counts as: a keyed hash of its network, which the other calls take. */
  clientOf(address: string): string;
  record(client: string, entryId: string, at: Date): void;
  /** The moments in milliseconds, oldest first, at which a client wrote those of these entries that are in the window. */
  momentsOf(client: string, entryIds: Iterable<string>, at: Date): number[];
  /** Forgets all entries but these. */
  keep(entryIds: ReadonlySet<string>): void;
  /** Forgets who wrote an entry, which is gone. */
  forget(entryId: string): void;
  /** Entries whose writers are remembered at the moment. */
  readonly size: number;
}

/**
 * Builds a tally. A client is an IPv4 address, or the /48 of an IPv6 address, since the places in the guestbook are few
 * and a site with one /48 has 65,536 networks to write from. The tally itself is never written down, and holds keyed
 * hashes under a key that lives as long as the process unless one is given. A restart forgets it, and so does the end
 * of the window, whether or not anybody writes then. Whoever commands many networks is many clients.
 */
export function createClientTally({
  windowSeconds,
  now,
  key = createSecretKey(randomBytes(32)),
}: {
  windowSeconds: number;
  now: () => Date;
  key?: KeyObject;
}): ClientTally {
  const windowMs = windowSeconds * 1000;
  // In the order in which they were written.
  const writings = new Map<string, { client: string; at: number }>();
  let timer: NodeJS.Timeout | undefined;

  const forgetEnded = (): void => {
    timer = undefined;
    const begin = now().getTime() - windowMs;
    for (const [id, { at }] of writings) {
      if (at <= begin) {
        writings.delete(id);
      }
    }
    planToForget();
  };

  const planToForget = (): void => {
    const [oldest] = writings.values();
    if (timer === undefined && oldest !== undefined) {
      // Neither longer than a window nor a busy loop, wherever the clock was set to.
      const left = Math.min(windowMs, Math.max(1000, oldest.at + windowMs - now().getTime()));
      timer = setTimeout(forgetEnded, left).unref();
    }
  };

  return {
    get size() {
      return writings.size;
    },

    clientOf: (address) => createHmac('sha256', key).update(toWideNetwork(address)).digest('base64url'),

    record(client, entryId, at) {
      writings.set(entryId, { client, at: at.getTime() });
      planToForget();
    },

    momentsOf(client, entryIds, at) {
      const moments: number[] = [];
      for (const id of entryIds) {
        const writing = writings.get(id);
        if (writing?.client === client && writing.at > at.getTime() - windowMs) {
          moments.push(writing.at);
        }
      }
      return moments.sort((a, b) => a - b);
    },

    keep(entryIds) {
      for (const id of writings.keys()) {
        if (!entryIds.has(id)) {
          writings.delete(id);
        }
      }
    },

    forget(entryId) {
      writings.delete(entryId);
    },
  };
}
