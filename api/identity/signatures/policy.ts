import type { KeyObject } from 'node:crypto';
import type { ComponentDescriptor, UntrustedSignatureCandidate } from 'http-message-sig';
import { jwkThumbprint, spkiKeyid } from './keyids.ts';
import { excerpt, Refusal } from './refusal.ts';

/** What a signature has to be so that it counts here, apart from being genuine. Lengths are in characters. */
export const signaturePolicy = {
  algorithm: 'ed25519',
  tag: 'web-bot-auth',
  requiredComponents: ['@method', '@authority', '@path'],
  createdMaxAgeSeconds: 300,
  createdMaxAheadSeconds: 30,
  maxHeaderLength: 4096,
  maxSignatures: 4,
  maxComponents: 24,
  maxNonceLength: 256,
} as const;

/** Thumbprints of keys whose private half is printed in a standard: RFC 9421 appendix B.1.4, RFC 8037 appendix A. */
export const testKeyThumbprints: ReadonlySet<string> = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
]);

/**
 * Encodings of the points of small order, sign bit cleared. A signature can be made to fit them without any secret;
 * OpenSSL 3.0 takes such signatures, 3.5 does not.
 */
const smallOrderPoints: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

function isSmallOrder(publicKey: KeyObject): boolean {
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  bytes.writeUInt8(bytes.readUInt8(31) & 0x7f, 31);
  return smallOrderPoints.has(bytes.toString('hex'));
}

const covers = (components: readonly ComponentDescriptor[], name: string): boolean =>
  components.some((component) => component.name === name && Object.keys(component.parameters).length === 0);

/**
 * Whether the member `key` of a dictionary header is covered, alone or with its whole header (RFC 9421 section 2.1.2).
 */
export const coversMember = (components: readonly ComponentDescriptor[], name: string, key: string): boolean =>
  covers(components, name) ||
  components.some(({ name: covered, parameters }) => covered === name && parameters.key === key);

/** Refuses a signature that leaves out what has to be covered. `@target-uri` holds the authority and the path. */
function checkCoverage(components: readonly ComponentDescriptor[]): void {
  const missing = signaturePolicy.requiredComponents.filter(
    (name) => !covers(components, name) && !(name !== '@method' && covers(components, '@target-uri')),
  );
  if (missing.length > 0) {
    const list = signaturePolicy.requiredComponents.map((name) => `"${name}"`).join(' ');
    throw new Refusal(
      'missing-component',
      `The signature does not cover ${missing.join(' and ')}. Cover at least (${list}), so that it is good for this request only.`,
    );
  }
}

/** Refuses a signature outside its time (RFC 9421 sections 2.3 and 7.2.2). `now` and the parameters are Unix seconds. */
function checkTime(created: number, expires: number | undefined, now: number): void {
  const { createdMaxAgeSeconds, createdMaxAheadSeconds } = signaturePolicy;
  if (now - created > createdMaxAgeSeconds) {
    throw new Refusal(
      'created-too-old',
      `created=${created} is ${now - created} s ago; at most ${createdMaxAgeSeconds} s are accepted. Sign again, and check the clock (here it is ${now}).`,
    );
  }
  if (created - now > createdMaxAheadSeconds) {
    throw new Refusal(
      'created-in-future',
      `created=${created} is ${created - now} s ahead; at most ${createdMaxAheadSeconds} s are accepted. created counts seconds, not milliseconds; check the clock (here it is ${now}).`,
    );
  }
  if (expires !== undefined && expires < created) {
    throw new Refusal('invalid-parameter', `expires=${expires} lies before created=${created}.`);
  }
  if (expires !== undefined && expires < now) {
    throw new Refusal(
      'expired',
      `The signature expired ${now - expires} s ago (expires=${expires}, here it is ${now}). Sign again.`,
    );
  }
}

/** The parameters that `checkCandidate` guarantees. */
export interface CheckedParameters {
  created: number;
  expires: number | null;
  keyid: string;
}

/**
 * Judges what a signature claims, before any key is looked up or fetched: components, parameters, tag and time.
 * `now` is in Unix seconds. Throws a Refusal.
 */
export function checkCandidate(candidate: UntrustedSignatureCandidate, now: number): CheckedParameters {
  const { components, parameters, signature } = candidate;
  const { created, expires, keyid, tag, nonce } = parameters;
  if (components.length > signaturePolicy.maxComponents) {
    throw new Refusal(
      'too-many-components',
      `The signature covers ${components.length} components; at most ${signaturePolicy.maxComponents} are accepted.`,
    );
  }
  checkCoverage(components);
  if (created === undefined || keyid === undefined || tag === undefined) {
    const missing = Object.entries({ created, keyid, tag }).filter(([, value]) => value === undefined);
    throw new Refusal(
      'missing-parameter',
      `Signature-Input has no ${missing.map(([name]) => name).join(', no ')}. Required are created, keyid and tag="${signaturePolicy.tag}".`,
    );
  }
  if (tag !== signaturePolicy.tag) {
    throw new Refusal('wrong-tag', `tag is ${excerpt(tag)}; it has to be "${signaturePolicy.tag}".`);
  }
  if (!/^[\w-]{43}$/.test(keyid)) {
    throw new Refusal(
      'invalid-parameter',
      `keyid is ${excerpt(keyid)}; it has to be 43 characters of base64url without padding: the SHA-256 of the public key in SPKI DER form, or its JWK thumbprint.`,
    );
  }
  if (nonce !== undefined && nonce.length > signaturePolicy.maxNonceLength) {
    throw new Refusal(
      'invalid-parameter',
      `nonce has ${nonce.length} characters; at most ${signaturePolicy.maxNonceLength} are accepted.`,
    );
  }
  checkTime(created, expires, now);
  if (signature.byteLength !== 64) {
    throw new Refusal(
      'malformed-signature',
      `The signature has ${signature.byteLength} bytes; an Ed25519 signature has 64 (RFC 8032).`,
    );
  }
  return { created, expires: expires ?? null, keyid };
}

/**
 * Judges the key itself. `keyid` has to be derived from it, in either form: that binds the key to the signature, whose
 * parameters are signed, so nobody can add another key. Throws a Refusal.
 */
export function checkKey(publicKey: KeyObject, keyid: string): void {
  const thumbprint = jwkThumbprint(publicKey);
  const spki = spkiKeyid(publicKey);
  if (testKeyThumbprints.has(thumbprint)) {
    throw new Refusal(
      'test-key',
      'This is an example key of a standard; its private half is public. Make one of your own: openssl genpkey -algorithm ed25519 -out key.pem',
    );
  }
  if (isSmallOrder(publicKey)) {
    throw new Refusal(
      'weak-key',
      'The key is a point of small order, which any signature can be made to fit. Make a new key.',
    );
  }
  if (keyid !== thumbprint && keyid !== spki) {
    throw new Refusal(
      'keyid-mismatch',
      `keyid is ${excerpt(keyid)}, but the key gives "${spki}" (SHA-256 of its SPKI DER) or "${thumbprint}" (JWK thumbprint).`,
    );
  }
}
