import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { refuseReadable } from '../../stores/file-modes.ts';
import { jwkThumbprint } from './keyids.ts';
import { testKeyThumbprints } from './policy.ts';

/** An Ed25519 key pair. */
export interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Reads a key pair from its PEM. `what` begins the sentence that is thrown when it's damaged, of another type or a
 * known example key.
 */
export function toKeyPair(what: string, pem: string): KeyPair {
  const remedy = 'Restore it from a backup, or move it away to have a new key made (a new key is a new identity).';
  let privateKey: KeyObject;
  try {
    if (!/^-----BEGIN PRIVATE KEY-----\r?\n[^-]+-----END PRIVATE KEY-----\s*$/.test(pem)) {
      throw new Error('It is not one PEM block with the label PRIVATE KEY.');
    }
    privateKey = createPrivateKey(pem);
  } catch (cause) {
    throw new Error(`${what} is damaged: it does not hold a private key in PKCS#8 PEM. ${remedy}`, {
      cause,
    });
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${what} holds a key of type ${privateKey.asymmetricKeyType}; Ed25519 is expected. ${remedy}`);
  }
  const publicKey = createPublicKey(privateKey);
  if (testKeyThumbprints.has(jwkThumbprint(publicKey))) {
    throw new Error(`${what} holds an example key of a standard, whose private half is public. ${remedy}`);
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

/** A new Ed25519 private key in PKCS#8 PEM. */
export function createKeyPem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads the key pair of a file that somebody else looks after. Throws when there is none, or as toKeyPair does. */
export function readKeyPair(file: string): KeyPair {
  const pem = readPem(file);
  if (pem === null) {
    throw new Error(`There is no key file ${file}.`);
  }
  return toKeyPair(`The key file ${file}`, pem);
}

/**
 * Opens the Ed25519 key pair in `file` (PKCS#8 PEM), and makes one, readable by its owner alone, when there is no such
 * file; `created` says whether it did. Throws a sentence that says what to do when the file is damaged, of another type or
 * a known example key, or when other users can read it.
 */
export function openKeyPair(file: string): KeyPair & { created: boolean } {
  const what = `The key file ${file}`;
  const present = readPem(file);
  if (present !== null) {
    const pair = toKeyPair(what, present);
    refuseReadable(file);
    return { ...pair, created: false };
  }
  let created: boolean;
  try {
    created = writeOnce(file, createKeyPem());
  } catch (cause) {
    throw new Error(`${what} cannot be made. The folder has to exist and be writable.`, { cause });
  }
  return { ...toKeyPair(what, readPem(file) ?? ''), created };
}
