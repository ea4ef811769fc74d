import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { jwkThumbprint } from './keyids.ts';
import { testKeyThumbprints } from './policy.ts';

/** An Ed25519 key pair. */
export interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Whether the file was made by this call. */
  created: boolean;
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

function toKeyPair(file: string, pem: string): Omit<KeyPair, 'created'> {
  const remedy = 'Restore it from a backup, or move it away to have a new key made (a new key is a new identity).';
  let privateKey: KeyObject;
  try {
    if (!/^-----BEGIN PRIVATE KEY-----\r?\n[^-]+-----END PRIVATE KEY-----\s*$/.test(pem)) {
      throw new Error('It is not one PEM block with the label PRIVATE KEY.');
    }
    privateKey = createPrivateKey(pem);
  } catch (cause) {
    throw new Error(`The key file ${file} is damaged: it does not hold a private key in PKCS#8 PEM. ${remedy}`, {
      cause,
    });
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      `The key file ${file} holds a key of type ${privateKey.asymmetricKeyType}; Ed25519 is expected. ${remedy}`,
    );
  }
  const publicKey = createPublicKey(privateKey);
  if (testKeyThumbprints.has(jwkThumbprint(publicKey))) {
    throw new Error(`The key file ${file} holds an example key of a standard, whose private half is public. ${remedy}`);
  }
  return { privateKey, publicKey };
}

function readPem(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) {
      return null;
    }
    throw new Error(`The key file ${file} cannot be read.`, { cause });
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a whole file that only its owner can read, or nothing. False when the file was there already. */
function writeOnce(file: string, text: string): boolean {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    // A link fails where a rename would replace a key that another process has made meanwhile.
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return false;
    }
    throw error;
  } finally {
    closeSync(descriptor);
    unlinkSync(temporary);
    syncFolder(dirname(file));
  }
}

/**
 * Opens the Ed25519 key pair in `file` (PKCS#8 PEM), and makes one, readable by its owner alone, when there is no such
 * file. Throws a sentence that says what to do when the file is damaged, of another type or a known example key.
 */
export function openKeyPair(file: string): KeyPair {
  const present = readPem(file);
  if (present !== null) {
    return { ...toKeyPair(file, present), created: false };
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  let created: boolean;
  try {
    created = writeOnce(file, pem);
  } catch (cause) {
    throw new Error(`The key file ${file} cannot be made. The folder has to exist and be writable.`, { cause });
  }
  return { ...toKeyPair(file, readPem(file) ?? ''), created };
}
