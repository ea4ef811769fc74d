import type { KeyObject } from 'node:crypto';
import type { UntrustedSignatureCandidate } from 'http-message-sig';
import type { KeyDirectories } from './key-directory.ts';
import type { SignatureHeaders } from './message-fields.ts';
import { Refusal } from './refusal.ts';
import { toDirectoryOrigin } from './signature-agent.ts';
import { toSentKey } from './signature-key.ts';

/** The key to verify a signature with, and where it was found. */
export interface FoundKey {
  publicKey: KeyObject;
  source: 'signature-key-pem' | 'signature-key-hwk' | 'directory';
  /** The origin whose directory holds the key; null when the key came with the request. */
  signatureAgent: string | null;
  /** Why a Signature-Agent that was also sent proves nothing; null when there is nothing to say. */
  unresolvedAgent: string | null;
}

async function findInDirectory(
  header: string,
  candidate: UntrustedSignatureCandidate,
  keyid: string,
  directories: KeyDirectories | null,
  now: number,
): Promise<FoundKey> {
  const origin = toDirectoryOrigin(header, candidate);
  if (directories === null) {
    throw new Refusal(
      'directory-not-supported',
      'This site does not fetch key directories. Send the key in Signature-Key.',
    );
  }
  const publicKey = await directories.find(origin, keyid, now);
  return { publicKey, source: 'directory', signatureAgent: origin, unresolvedAgent: null };
}

/**
 * Finds the key of a signature: in the directory that Signature-Agent names, else in Signature-Key. A directory that
 * cannot be used leaves the key that came along; the signature then stands for its holder and for no origin. `now` in
 * Unix seconds. Throws a Refusal.
 */
export async function findKey(
  headers: SignatureHeaders,
  candidate: UntrustedSignatureCandidate,
  keyid: string,
  directories: KeyDirectories | null,
  now: number,
): Promise<FoundKey> {
  const { 'signature-key': sentKey, 'signature-agent': agent } = headers;
  let unresolvedAgent: string | null = null;
  if (agent !== undefined) {
    try {
      return await findInDirectory(agent, candidate, keyid, directories, now);
    } catch (error) {
      if (!(error instanceof Refusal) || sentKey === undefined) {
        throw error;
      }
      unresolvedAgent = error.message;
    }
  }
  if (sentKey === undefined) {
    throw new Refusal(
      'no-key',
      'The request carries no key. Send Signature-Key, the base64 of your public key PEM, or Signature-Agent with the origin of your key directory.',
    );
  }
  return { ...toSentKey(sentKey, candidate), signatureAgent: null, unresolvedAgent };
}
