import { type KeyObject, verify } from 'node:crypto';
import {
  isSignatureError,
  type RequestDescriptor,
  type ResponseDescriptor,
  SignatureErrorCode,
  type UntrustedSignatureCandidate,
  type Verifier,
  verifySignature,
} from 'http-message-sig';
import type { SignatureReason } from '../../contract/signature-report.ts';
import { excerpt, Refusal } from './refusal.ts';

const reasonOfCode: Partial<Record<SignatureErrorCode, SignatureReason>> = {
  [SignatureErrorCode.MissingField]: 'missing-covered-field',
  [SignatureErrorCode.LabelRequired]: 'ambiguous-signature',
  [SignatureErrorCode.LabelMismatch]: 'label-mismatch',
  [SignatureErrorCode.InvalidComponent]: 'unsupported-component',
  [SignatureErrorCode.UnsupportedFeature]: 'unsupported-component',
  [SignatureErrorCode.AlgorithmMismatch]: 'unsupported-algorithm',
  [SignatureErrorCode.PolicyViolation]: 'unsupported-algorithm',
};

const adviceForReason: Partial<Record<SignatureReason, string>> = {
  'malformed-signature':
    'Expected are Signature-Input: sig1=("@method" "@authority" "@path");created=… and Signature: sig1=:<base64 of 64 bytes>:',
  'missing-covered-field': 'Send every header that the signature covers, and check that no proxy drops it.',
  'unsupported-component':
    'Covered may be @method, @authority, @path, @query, @target-uri, @scheme, @request-target and headers, also one member of a dictionary header (;key).',
  'unsupported-algorithm': 'Sign with Ed25519 and say alg="ed25519".',
  'label-mismatch': 'Use the same label, for instance sig1, in Signature and Signature-Input.',
};

function toRefusal(error: unknown, signatureBase: string): unknown {
  if (!isSignatureError(error)) {
    return error;
  }
  if (error.code === SignatureErrorCode.ResolverFailed) {
    return error.cause;
  }
  if (error.code === SignatureErrorCode.VerificationFailed) {
    return new Refusal('signature-mismatch', 'The signature does not fit this key and this request.', signatureBase);
  }
  const reason = reasonOfCode[error.code] ?? 'malformed-signature';
  const detail = `${excerpt(error.message, 200).slice(1, -1)}. ${adviceForReason[reason] ?? ''}`;
  return new Refusal(reason, detail.trim(), null, { cause: error });
}

/** A signature that verified. */
export interface VerifiedMessage<Key> {
  key: Key;
  signature: Uint8Array;
  /** The text that was signed. */
  signatureBase: string;
}

/**
 * The mechanism of RFC 9421 section 3.2 with Ed25519 and no policy: parses the signature `label`, builds the signature
 * base (section 2.5) and checks it with the key that `resolveKey` returns. `resolveKey` sees what the signature claims
 * and may throw a Refusal: time, tag, components and the worth of the key are its business. Throws a Refusal when
 * anything fails.
 */
export async function verifyMessage<Key extends { publicKey: KeyObject }>(
  message: RequestDescriptor | ResponseDescriptor,
  label: string,
  resolveKey: (candidate: UntrustedSignatureCandidate) => Key | Promise<Key>,
): Promise<VerifiedMessage<Key>> {
  let signatureBase = '';
  const toVerifier = (key: Key): Verifier & { key: Key } => ({
    key,
    algorithm: 'ed25519',
    verify(data, signature) {
      signatureBase = Buffer.from(data).toString('utf8');
      return verify(null, data, key.publicKey, signature);
    },
  });
  try {
    const { verifier, signature } = await verifySignature(message, {
      label,
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: [],
        requiredParameters: [],
        // The library judges created and expires unasked; with this skew it finds nothing to object to.
        clockSkew: Number.MAX_SAFE_INTEGER,
      },
      resolveVerifier: async (candidate) => toVerifier(await resolveKey(candidate)),
    });
    return { key: verifier.key, signature, signatureBase };
  } catch (error) {
    throw toRefusal(error, signatureBase);
  }
}
