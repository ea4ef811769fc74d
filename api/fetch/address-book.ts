import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonNotPublic } from './public-address.ts';
import { literalAddress, mayBePrivate, type TargetPolicy } from './target.ts';

/** The part of `dns.promises.Resolver` that is used. It asks by c-ares, which never holds up the thread pool. */
export interface NameResolver {
  resolve4(host: string): Promise<string[]>;
  resolve6(host: string): Promise<string[]>;
}

/** Thrown when a name has an address that may not be connected to. The message leaves the address out on purpose. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Thrown when a name has no address, or nobody answers for it. */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}

/** Looks names up once each and remembers what was checked, so that no later answer can lead elsewhere (rebinding). */
export interface AddressBook {
  /** The checked addresses of a URL's host. Throws AddressRefused or NameNotResolved. */
  resolve(url: URL, policy: TargetPolicy): Promise<string[]>;
  /** The addresses that a connection to this host (IPv6 without brackets) may go to; undefined before `resolve`. */
  pinned(host: string): string[] | undefined;
}

interface Answer {
  addresses: string[];
  code: string | null;
}

/** How long the slower address family is waited for once the other has answered. */
const slowFamilyGraceMs = 1000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer';

const answerOf = (query: Promise<string[]>): Promise<Answer> =>
  query.then(
    (addresses) => ({ addresses, code: null }),
    (error: unknown) => ({ addresses: [], code: codeOf(error) }),
  );

async function askBothFamilies(resolver: NameResolver, host: string): Promise<Answer[]> {
  const [v4, v6] = [answerOf(resolver.resolve4(host)), answerOf(resolver.resolve6(host))];
  const withGrace = (own: Promise<Answer>, other: Promise<Answer>): Promise<Answer> =>
    Promise.race([
      own,
      other.then(async (answer) => {
        if (answer.addresses.length === 0) {
          return own;
        }
        await sleep(slowFamilyGraceMs, undefined, { ref: false });
        return { addresses: [], code: 'ETIMEOUT' };
      }),
    ]);
  return Promise.all([withGrace(v4, v6), withGrace(v6, v4)]);
}

async function addressesOf(resolver: NameResolver, host: string, local: boolean): Promise<string[]> {
  // RFC 6761 section 6.3: the names of this machine are not asked of anybody.
  if (local && (host === 'localhost' || host.endsWith('.localhost'))) {
    return ['127.0.0.1', '::1'];
  }
  const answers = await askBothFamilies(resolver, host);
  const addresses = answers.flatMap((answer) => answer.addresses);
  if (addresses.length > 0) {
    return addresses;
  }
  if (local) {
    // A host that the configuration names may be in the hosts file alone.
    const found = await lookup(host, { all: true }).catch(() => []);
    if (found.length > 0) {
      return found.map((entry) => entry.address);
    }
  }
  const codes = answers.map((answer) => answer.code);
  if (codes.every((code) => code === 'ENOTFOUND' || code === 'ENODATA' || code === null)) {
    throw new NameNotResolved(`The name ${host} has no address in the DNS.`);
  }
  const failure = codes.find((code) => code !== 'ENOTFOUND' && code !== 'ENODATA' && code !== null);
  throw new NameNotResolved(`The DNS gave no usable answer for ${host} (${failure}).`);
}

/** Makes an empty address book. Failures are not remembered: a name that did not resolve can be asked for again. */
export function createAddressBook(resolver: NameResolver): AddressBook {
  const checked = new Map<string, string[]>();
  const running = new Map<string, Promise<string[]>>();

  async function check(host: string, local: boolean): Promise<string[]> {
    const addresses = await addressesOf(resolver, host, local);
    if (!local) {
      // One private address among public ones is enough: which of them a connection gets would be chance.
      const reason = addresses.map(reasonNotPublic).find((found) => found !== null);
      if (reason !== undefined) {
        throw new AddressRefused(`The name ${host} resolves to an address that ${reason}.`);
      }
    }
    return addresses;
  }

  return {
    async resolve(url, policy) {
      const host = url.hostname;
      const local = mayBePrivate(url, policy);
      const literal = literalAddress(url);
      if (literal !== null) {
        // A lookup is never called for a literal address, so it is checked here.
        const reason = reasonNotPublic(literal);
        if (reason !== null && !local) {
          throw new AddressRefused(`The address ${literal} ${reason}.`);
        }
        checked.set(literal, [literal]);
        return [literal];
      }
      const key = `${local ? 'local' : 'public'} ${host}`;
      const query = running.get(key) ?? check(host, local);
      running.set(key, query);
      try {
        const addresses = await query;
        checked.set(host, addresses);
        return addresses;
      } catch (error) {
        if (error instanceof NameNotResolved) {
          running.delete(key);
        }
        throw error;
      }
    },
    pinned: (host) => checked.get(host),
  };
}
