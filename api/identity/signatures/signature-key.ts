import type { KeyObject } from 'node:crypto';
import type { UntrustedSignatureCandidate } from 'http-message-sig';
import { isInnerList, type Parameters, parseDictionary, Token } from 'structured-headers';
import { coversMember } from './policy.ts';
import { decodeBase64, toPublicKeyFromPem, toPublicKeyFromX } from './public-key.ts';
import { excerpt, Refusal } from './refusal.ts';

/** A key that came with the request, and in which form. */
export interface SentKey {
  publicKey: KeyObject;
  source: 'signature-key-pem' | 'signature-key-hwk';
}

function toPemKey(header: string): KeyObject {
  const pem = decodeBase64(header, 'base64');
  if (pem === null) {
    throw new Refusal(
      'malformed-signature-key',
      `Signature-Key ${excerpt(header, 40)} is not base64 with padding on one line. It is the base64 of the whole public key PEM, its BEGIN and END lines included.`,
    );
  }
  return toPublicKeyFromPem(pem.toString('latin1'));
}

function toHwkParameters(header: string, label: string): Parameters {
  let scheme: unknown;
  let parameters: Parameters | undefined;
  try {
    const member = parseDictionary(header).get(label);
    if (member !== undefined && !isInnerList(member)) {
      [scheme, parameters] = member;
    }
  } catch (cause) {
    throw new Refusal(
      'malformed-signature-key',
      `Signature-Key ${excerpt(header, 40)} is not a valid dictionary.`,
      null,
      { cause },
    );
  }
  if (parameters === undefined || !(scheme instanceof Token)) {
    throw new Refusal(
      'malformed-signature-key',
      `Signature-Key has no member ${excerpt(label, 40)} that names a scheme.`,
    );
  }
  if (scheme.toString() !== 'hwk') {
    throw new Refusal(
      'unsupported-key-scheme',
      `Signature-Key uses the scheme ${excerpt(scheme.toString(), 40)}; this site takes hwk: ${label}=hwk;kty="OKP";crv="Ed25519";x="…"`,
    );
  }
  return parameters;
}

function toHwkKey(header: string, label: string): KeyObject {
  const parameters = toHwkParameters(header, label);
  if (parameters.has('d')) {
    throw new Refusal(
      'private-key-sent',
      'Signature-Key holds the parameter d, the private key. Replace the key now: whoever saw this request can sign as you.',
    );
  }
  const [kty, crv, x] = [parameters.get('kty'), parameters.get('crv'), parameters.get('x')];
  if (kty !== 'OKP' || crv !== 'Ed25519') {
    throw new Refusal(
      'unsupported-key-type',
      'Signature-Key has to hold kty="OKP" and crv="Ed25519"; other key types are not accepted.',
    );
  }
  const publicKey = typeof x === 'string' && !parameters.has('alg') ? toPublicKeyFromX(x) : null;
  if (publicKey === null) {
    throw new Refusal(
      'malformed-signature-key',
      'Signature-Key in its hwk form holds kty, crv and x, where x is 32 bytes in base64url without padding, and no alg.',
    );
  }
  return publicKey;
}

/**
 * The key in a Signature-Key header, in either of its forms: base64 of a public key PEM (the form of this site), or a
 * dictionary with the scheme hwk (draft-hardt-httpbis-signature-key). A member of a dictionary starts with a lower-case
 * letter, the base64 of a PEM with a capital. Throws a Refusal.
 */
export function toSentKey(header: string, candidate: UntrustedSignatureCandidate): SentKey {
  if (!/^[a-z*]/.test(header)) {
    // alg is part of this form; the drafts may leave it out.
    if (candidate.algorithm === undefined) {
      throw new Refusal(
        'missing-parameter',
        'Signature-Input has no alg="ed25519", which goes with a PEM in Signature-Key.',
      );
    }
    return { publicKey: toPemKey(header), source: 'signature-key-pem' };
  }
  const publicKey = toHwkKey(header, candidate.label);
  if (!coversMember(candidate.components, 'signature-key', candidate.label)) {
    throw new Refusal(
      'key-not-covered',
      'Signature-Key in its hwk form has to be covered: add "signature-key" to the components and its value to the signature base.',
    );
  }
  return { publicKey, source: 'signature-key-hwk' };
}
