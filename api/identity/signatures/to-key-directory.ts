import { createPublicKey, type KeyObject } from 'node:crypto';
import { component, createSignatureSync } from 'http-message-sig';
import { toContentDigest } from './content-digest.ts';
import { keyDirectoryPath } from './key-directory.ts';
import { jwkThumbprint } from './keyids.ts';
import { toEd25519Signer } from './signer.ts';

/** A JWK Set with the public keys of a site (RFC 7517), as its key directory publishes them. */
export interface KeyDirectory {
  keys: { kty: 'OKP'; crv: 'Ed25519'; kid: string; x: string; use: 'sig' }[];
}

/**
 * The document at /.well-known/http-message-signatures-directory (draft-meunier-webbotauth-httpsig-protocol). Private keys
 * may be given as well: only the public half is published.
 */
export function toKeyDirectory(keys: readonly KeyObject[]): KeyDirectory {
  return {
    keys: keys.map((key) => {
      const publicKey = key.type === 'private' ? createPublicKey(key) : key;
      const { crv, x } = publicKey.export({ format: 'jwk' });
      if (crv !== 'Ed25519' || x === undefined) {
        throw new Error(
          `A key of type ${key.asymmetricKeyType} cannot be published; the directory holds Ed25519 keys.`,
        );
      }
      return { kty: 'OKP', crv, kid: jwkThumbprint(publicKey), x, use: 'sig' };
    }),
  };
}

/**
 * Headers that prove possession of `privateKey` on the response that serves the directory at `origin`: Content-Digest,
 * Signature-Input and Signature over `"@authority";req` and `content-digest`. `body` is the response body without content
 * coding. Good from `now` for `lifetimeSeconds`, a week by default.
 */
export function signKeyDirectory(options: {
  body: Buffer;
  origin: string;
  privateKey: KeyObject;
  now: Date;
  lifetimeSeconds?: number;
}): { 'Content-Digest': string; 'Signature-Input': string; Signature: string } {
  const { body, origin, privateKey, now, lifetimeSeconds = 7 * 86_400 } = options;
  const digest = toContentDigest(body);
  const created = Math.floor(now.getTime() / 1000);
  const targetUri = new URL(keyDirectoryPath, origin).href;
  const { signature, signatureInput } = createSignatureSync(
    {
      kind: 'response',
      status: 200,
      fields: [{ name: 'content-digest', value: digest }],
      request: { kind: 'request', method: 'GET', targetUri, fields: [] },
    },
    {
      label: 'binding',
      components: [component('@authority', { req: true }), 'content-digest'],
      parameters: {
        created,
        expires: created + lifetimeSeconds,
        keyid: jwkThumbprint(createPublicKey(privateKey)),
        tag: 'http-message-signatures-directory',
      },
      signer: toEd25519Signer(privateKey),
    },
  );
  return { 'Content-Digest': digest, 'Signature-Input': signatureInput, Signature: signature };
}
