import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createDurableFile } from '../stores/durable-file.ts';
import { refuseReadable } from '../stores/file-modes.ts';

/** 32 bytes, base64url. */
const secretText = z.string().regex(/^[\w-]{43}$/, 'is not the base64url of 32 bytes');
const secretDocument = z.strictObject({ secret: secretText });

/** A new secret: 32 bytes, as base64url. */
export const createPaymentSecret = (): string => randomBytes(32).toString('base64url');

/** The bytes of a secret. `what` begins the sentence that is thrown when it's damaged. */
export function toPaymentSecret(what: string, text: string): Uint8Array {
  const result = secretText.safeParse(text);
  if (!result.success) {
    throw new Error(`${what} is damaged: it ${result.error.issues[0]?.message}.`);
  }
  return Buffer.from(result.data, 'base64url');
}

/** Reads the secret of a file that somebody else looks after: the base64url of 32 bytes, or `{"secret": …}` with it. */
export function readPaymentSecret(file: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(`The secret of payments ${file} cannot be read.`, { cause });
  }
  const [, secret = text] = /^\{\s*"secret":\s*"([\w-]*)"\s*\}$/.exec(text) ?? [];
  return toPaymentSecret(`The secret of payments ${file}`, secret);
}

/**
 * Opens the secret by which the service knows its own quotes and payments: 32 bytes, made at the first start, readable by
 * the owner alone. Throws an Error, and changes nothing, when the file is damaged or others can read it; without the secret
 * no payment that was made before counts any more.
 */
export async function openPaymentSecret(file: string): Promise<Uint8Array> {
  const stored = createDurableFile(file, (document) => {
    const result = secretDocument.safeParse(document);
    if (!result.success) {
      throw new Error('is damaged: it is not {secret}', { cause: result.error });
    }
    return result.data;
  });
  const present = await stored.read();
  if (present !== null) {
    refuseReadable(file);
    return Buffer.from(present.secret, 'base64url');
  }
  const secret = createPaymentSecret();
  await stored.write({ secret });
  return Buffer.from(secret, 'base64url');
}
