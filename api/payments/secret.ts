import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createDurableFile } from '../stores/durable-file.ts';

const secretDocument = z.strictObject({
  /** 32 bytes, base64url. */
  secret: z.string().regex(/^[\w-]{43}$/, 'is not the base64url of 32 bytes'),
});

/**
 * Opens the secret by which the service knows its own quotes and payments: 32 bytes, made at the first start, readable by
 * the owner alone. Throws an Error, and changes nothing, when the file is damaged; without the secret no payment that was
 * made before counts any more.
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
    return Buffer.from(present.secret, 'base64url');
  }
  const secret = randomBytes(32);
  await stored.write({ secret: secret.toString('base64url') });
  return secret;
}
