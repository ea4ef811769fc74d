import { createHmac, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** Remembers which client wrote which entry, for as long as it matters to the cap. */
export interface ClientTally {
  record(client: string, entryId: string, at: Date): void;
  /** The moments in milliseconds, oldest first, at which a client wrote those of these entries that are in the window. */
  momentsOf(client: string, entryIds: Iterable<string>, now: Date): number[];
  /** Forgets all entries but these. */
  keep(entryIds: ReadonlySet<string>): void;
  readonly size: number;
}

/**
 * Builds a tally. A client is an IPv4 address, or the /64 of an IPv6 address, since one customer usually gets at least
 * that much. The tally is never written down, and holds keyed hashes under a key that lives as long as the process: no
 * file of the service tells who wrote what. So a restart forgets it. Whoever commands many networks is many clients.
 */
export function createClientTally({ windowSeconds }: { windowSeconds: number }): ClientTally {
  const key = randomBytes(32);
  const writings = new Map<string, { client: string; at: number }>();
  const toClient = (address: string): string =>
    createHmac('sha256', key).update(toNetwork(address)).digest('base64url');

  return {
    get size() {
      return writings.size;
    },

    record(client, entryId, at) {
      writings.set(entryId, { client: toClient(client), at: at.getTime() });
    },

    momentsOf(client, entryIds, now) {
      const hashed = toClient(client);
      const moments: number[] = [];
      for (const id of entryIds) {
        const writing = writings.get(id);
        if (writing?.client === hashed && writing.at > now.getTime() - windowSeconds * 1000) {
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
  };
}

/** The network that counts as one client. What is no IP address counts as it is written. */
function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) {
    return address;
  }
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
