import { createHash, type KeyObject } from 'node:crypto';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('base64url');

/** The `keyid` of this site's own form: base64url of the SHA-256 of the public key in SPKI DER. 43 characters. */
export function spkiKeyid(publicKey: KeyObject): string {
  return sha256(publicKey.export({ type: 'spki', format: 'der' }));
}

/** The `keyid` of Web Bot Auth: JWK thumbprint with SHA-256 (RFC 7638, RFC 8037 appendix A.3). 43 characters. */
export function jwkThumbprint(publicKey: KeyObject): string {
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  if (kty !== 'OKP' || typeof x !== 'string') {
    throw new Error(
      `A thumbprint was asked of a key of type ${publicKey.asymmetricKeyType}; only Ed25519 is used here.`,
    );
  }
  // RFC 7638 section 3.2: the required members alone, in the order of their names, without spaces.
  return sha256(JSON.stringify({ crv, kty, x }));
}
