import { z } from 'zod';
import { openStore, type StoreOptions } from '../stores/durable-store.ts';
import { createStore, type Store, type StoreDefinition } from '../stores/store.ts';

/** A key whose signatures the site trusts (identity tier A). */
export const trustedKey = z.strictObject({
  /** base64url of a SHA-256: of the public key in SPKI DER form, or the key's JWK thumbprint (RFC 7638). */
  keyid: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is not the base64url of a SHA-256 (43 characters, no padding)'),
  /** Who holds the private key. */
  owner: z.string().min(1).max(200),
  note: z.string().max(500).nullable(),
  added: z.iso.date(),
});
export type TrustedKey = z.infer<typeof trustedKey>;

const keysState = z.strictObject({ keys: z.array(trustedKey) });
type KeysState = z.infer<typeof keysState>;
type KeysChange = { do: 'add'; key: TrustedKey } | { do: 'remove'; keyid: string };

const definition: StoreDefinition<KeysState, KeysChange> = {
  version: 1,
  state: keysState,
  empty: () => ({ keys: [] }),
  apply: ({ keys }, change) =>
    change.do === 'add'
      ? { keys: [...keys, change.key] }
      : { keys: keys.filter(({ keyid }) => keyid !== change.keyid) },
};

/** The registry of trusted keys. Reads are answered from memory. */
export interface TrustedKeys {
  list(): readonly TrustedKey[];
  get(keyid: string): TrustedKey | null;
  /** Throws an Error when the key is listed already or a field is not valid. */
  add(key: Omit<TrustedKey, 'added'>): Promise<TrustedKey>;
  /** Returns the key that was removed. Throws an Error when it is not listed. */
  remove(keyid: string): Promise<TrustedKey>;
  close(): Promise<void>;
}

/** Opens the registry; see openStore for what it throws. Each change is written into the file itself, for people to read. */
export async function openTrustedKeys(options: { now: () => Date } & StoreOptions): Promise<TrustedKeys> {
  return toTrustedKeys(await openStore(definition, { compactAfterBytes: 0, ...options }), options.now);
}

/** Builds a registry in memory, with the same rules, for tests. */
export function createTrustedKeys({ now }: { now: () => Date }): TrustedKeys {
  return toTrustedKeys(createStore(definition), now);
}

function toTrustedKeys(store: Store<KeysState, KeysChange>, now: () => Date): TrustedKeys {
  return {
    list: () => store.state.keys,

    get: (keyid) => store.state.keys.find((key) => key.keyid === keyid) ?? null,

    add: (given) =>
      store.update(({ keys }) => {
        const result = trustedKey.safeParse({ ...given, added: now().toISOString().slice(0, 10) });
        if (!result.success) {
          throw new Error(`The key is not valid: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
        }
        if (keys.some(({ keyid }) => keyid === given.keyid)) {
          throw new Error(`The key ${given.keyid} is in the registry already.`);
        }
        return { change: { do: 'add', key: result.data }, result: result.data };
      }),

    remove: (keyid) =>
      store.update(({ keys }) => {
        const key = keys.find((candidate) => candidate.keyid === keyid);
        if (key === undefined) {
          throw new Error(`The registry has no key ${JSON.stringify(keyid)}.`);
        }
        return { change: { do: 'remove', keyid }, result: key };
      }),

    close: () => store.close(),
  };
}
