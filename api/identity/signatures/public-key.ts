import { createPublicKey, type KeyObject } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** RFC 8410: SubjectPublicKeyInfo of an Ed25519 key, up to the 32 bytes of the key itself. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Decodes base64 strictly: Buffer's own decoder skips what it does not know. Null when it is not canonical. */
export function decodeBase64(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding);
  return text.length > 0 && bytes.toString(encoding) === text ? bytes : null;
}

/** An Ed25519 public key from its 32 bytes. */
export function toPublicKeyFromBytes(bytes: Buffer): KeyObject {
  if (bytes.length !== 32) {
    throw new Refusal('unsupported-key-type', `An Ed25519 public key has 32 bytes; ${bytes.length} were given.`);
  }
  return createPublicKey({ key: Buffer.concat([spkiPrefix, bytes]), format: 'der', type: 'spki' });
}

/** An Ed25519 public key from the `x` of a JWK (RFC 8037 section 2); null when it is not 32 bytes of base64url. */
export function toPublicKeyFromX(x: string): KeyObject | null {
  const bytes = decodeBase64(x, 'base64url');
  return bytes?.length === 32 ? toPublicKeyFromBytes(bytes) : null;
}

function toKeyType(der: Buffer): string | null {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyType ?? null;
  } catch {
    return null;
  }
}

/**
 * An Ed25519 public key from SPKI PEM text (RFC 7468 section 13). Stricter than createPublicKey, which would also take
 * a private key and derive the public one from it.
 */
export function toPublicKeyFromPem(pem: string): KeyObject {
  if (/PRIVATE KEY/.test(pem)) {
    throw new Refusal(
      'private-key-sent',
      'Signature-Key holds a private key. Replace the key now: whoever saw this request can sign as you. Send the public key PEM only.',
    );
  }
  const match = /^-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=\r\n]+?)\r?\n-----END PUBLIC KEY-----(?:\r?\n)?$/.exec(
    pem,
  );
  const der = match?.[1] === undefined ? null : decodeBase64(match[1].replace(/\r?\n/g, ''), 'base64');
  if (der === null) {
    throw new Refusal(
      'malformed-signature-key',
      'Signature-Key is not one PEM block with the label PUBLIC KEY. Send the base64 of what "openssl pkey -in key.pem -pubout" prints.',
    );
  }
  if (der.length === spkiPrefix.length + 32 && der.subarray(0, spkiPrefix.length).equals(spkiPrefix)) {
    return toPublicKeyFromBytes(der.subarray(spkiPrefix.length));
  }
  const type = toKeyType(der);
  if (type === null) {
    throw new Refusal('malformed-signature-key', 'The PEM in Signature-Key does not hold a public key in SPKI form.');
  }
  throw new Refusal(
    'unsupported-key-type',
    `Signature-Key holds a key of type ${type}. Only Ed25519 is accepted: openssl genpkey -algorithm ed25519 -out key.pem`,
  );
}
