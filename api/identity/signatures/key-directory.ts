import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { jwkThumbprint, spkiKeyid } from './keyids.ts';
import { toPublicKeyFromX } from './public-key.ts';
import { excerpt, Refusal } from './refusal.ts';

/** Where an origin publishes its keys (draft-meunier-webbotauth-httpsig-protocol). */
export const keyDirectoryPath = '/.well-known/http-message-signatures-directory';

/** Media type of a key directory. */
export const keyDirectoryMediaType = 'application/http-message-signatures-directory+json';

const maxKeys = 32;

const JwkSet = z.object({ keys: z.array(z.unknown()).max(maxKeys) });

/** An Ed25519 key that may sign (RFC 7517, RFC 8037). nbf and exp are Unix seconds. `d` would be the private key. */
const Jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().length(43),
  d: z.undefined().optional(),
  use: z.literal('sig').optional(),
  alg: z.enum(['ed25519', 'EdDSA', 'Ed25519']).optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
});

interface DirectoryKey {
  publicKey: KeyObject;
  notBefore: number;
  notAfter: number;
}

/** The usable keys of a JWK Set by keyid, in both forms. The `kid` is not believed: it is derived from the key. */
function toDirectoryKeys(document: unknown): Map<string, DirectoryKey> {
  const set = JwkSet.safeParse(document);
  if (!set.success) {
    throw new Refusal(
      'directory-invalid',
      `The key directory is not a JWK Set {"keys": […]} with at most ${maxKeys} keys.`,
    );
  }
  const keys = new Map<string, DirectoryKey>();
  for (const entry of set.data.keys) {
    const jwk = Jwk.safeParse(entry);
    const publicKey = jwk.success ? toPublicKeyFromX(jwk.data.x) : null;
    if (!jwk.success || publicKey === null) {
      continue;
    }
    const key = {
      publicKey,
      notBefore: jwk.data.nbf ?? Number.NEGATIVE_INFINITY,
      notAfter: jwk.data.exp ?? Number.POSITIVE_INFINITY,
    };
    keys.set(jwkThumbprint(publicKey), key);
    keys.set(spkiKeyid(publicKey), key);
  }
  return keys;
}

/** Finds keys in the directories of other origins. */
export interface KeyDirectories {
  /** The key `keyid` in the directory of an https origin. `now` in Unix seconds. Throws a Refusal. */
  find(origin: string, keyid: string, now: number): Promise<KeyObject>;
}

interface KeyDirectoriesOptions {
  /**
   * Fetches a directory and resolves to its parsed JSON. It answers for what a stranger's address can do: public
   * addresses only, status 200 only, no redirects, a limit in bytes and in time. It rejects with a sentence that the
   * sender of the request may read.
   */
  fetchDirectory: (url: URL) => Promise<unknown>;
  maxDirectories?: number;
}

/** How long a directory is used without asking again. */
const freshSeconds = 3600;

/** How long a directory that no longer answers is still used. */
const staleSeconds = 86_400;

/** How long after one fetch, failed or not, the next is made at the earliest: for a new key, or another try. */
const retrySeconds = 60;

const maxConcurrentFetches = 4;

interface Directory {
  keys: Map<string, DirectoryKey> | null;
  fetchedAt: number;
  triedAt: number;
  failure: Refusal | null;
}

/**
 * A bounded cache of key directories, looked up by the pair of origin and key: a key of one directory never speaks for
 * another. A directory that fails to answer does not lose its keys; one that answers without a key has withdrawn it.
 */
export function createKeyDirectories({ fetchDirectory, maxDirectories = 200 }: KeyDirectoriesOptions): KeyDirectories {
  const directories = new LRUCache<string, Directory>({ max: maxDirectories });
  const fetches = new Map<string, Promise<Directory>>();

  const remember = (origin: string, directory: Directory): Directory => {
    directories.set(origin, directory);
    return directory;
  };

  const load = async (origin: string, now: number): Promise<Directory> => {
    const earlier = directories.get(origin);
    try {
      const keys = toDirectoryKeys(await fetchDirectory(new URL(keyDirectoryPath, origin)));
      return remember(origin, { keys, fetchedAt: now, triedAt: now, failure: null });
    } catch (error) {
      const failure =
        error instanceof Refusal
          ? error
          : new Refusal(
              'directory-unavailable',
              `The key directory ${origin}${keyDirectoryPath} could not be fetched: ${excerpt(error instanceof Error ? error.message : 'no reason was given', 160)}`,
              null,
              { cause: error },
            );
      const usable = earlier?.keys && now - earlier.fetchedAt <= staleSeconds ? earlier : null;
      return remember(origin, {
        keys: usable?.keys ?? null,
        fetchedAt: usable?.fetchedAt ?? now,
        triedAt: now,
        failure,
      });
    }
  };

  const refresh = (origin: string, now: number): Promise<Directory> => {
    const underWay = fetches.get(origin);
    if (underWay !== undefined) {
      return underWay;
    }
    if (fetches.size >= maxConcurrentFetches) {
      throw new Refusal(
        'directory-busy',
        'Several key directories are being fetched at this moment. Sign again and retry in a few seconds.',
      );
    }
    const fetching = load(origin, now).finally(() => fetches.delete(origin));
    fetches.set(origin, fetching);
    return fetching;
  };

  return {
    async find(origin, keyid, now) {
      let directory = directories.get(origin);
      const fresh = directory?.keys?.has(keyid) && now - directory.fetchedAt <= freshSeconds;
      if (directory === undefined || (!fresh && now - directory.triedAt >= retrySeconds)) {
        directory = await refresh(origin, now);
      }
      if (directory.keys === null) {
        throw (
          directory.failure ??
          new Refusal('directory-unavailable', `The key directory of ${origin} could not be fetched.`)
        );
      }
      const key = directory.keys.get(keyid);
      if (key === undefined) {
        throw new Refusal(
          'key-not-in-directory',
          `The directory ${origin}${keyDirectoryPath} holds no usable Ed25519 key with the thumbprint "${keyid}". It is asked again after ${retrySeconds} s.`,
        );
      }
      if (now < key.notBefore || now > key.notAfter) {
        throw new Refusal(
          'key-not-valid-now',
          `The directory of ${origin} limits this key to another time (nbf, exp).`,
        );
      }
      return key.publicKey;
    },
  };
}
