import { createHash } from 'node:crypto';
import { type Dictionary, isInnerList, parseDictionary } from 'structured-headers';
import { excerpt, Refusal } from './refusal.ts';

/** The algorithms of RFC 9530 section 5 that are still sound, with their names in node:crypto. */
const algorithms: Record<string, string> = { 'sha-256': 'sha256', 'sha-512': 'sha512' };

/** A Content-Digest header for a body (RFC 9530 section 2). */
export function toContentDigest(body: Buffer): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

/** Checks that each sound digest of a Content-Digest header fits the body, and that there is one. Throws a Refusal. */
export function checkContentDigest(header: string, body: Buffer): void {
  let digests: Dictionary;
  try {
    digests = parseDictionary(header);
  } catch (cause) {
    throw new Refusal(
      'malformed-content-digest',
      `Content-Digest ${excerpt(header)} is not a valid dictionary.`,
      null,
      { cause },
    );
  }
  let checked = 0;
  for (const [name, member] of digests) {
    const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
    if (algorithm === undefined) {
      continue;
    }
    if (isInnerList(member) || !(member[0] instanceof ArrayBuffer)) {
      throw new Refusal(
        'malformed-content-digest',
        `${name} in Content-Digest is not a byte sequence such as ${name}=:…:`,
      );
    }
    const digest = createHash(algorithm).update(body).digest();
    if (!digest.equals(Buffer.from(member[0]))) {
      throw new Refusal(
        'content-digest-mismatch',
        `${name} in Content-Digest does not fit the ${body.length} bytes of body that arrived. Compute it over the exact bytes you send.`,
      );
    }
    checked += 1;
  }
  if (checked === 0) {
    throw new Refusal(
      'malformed-content-digest',
      `Content-Digest ${excerpt(header)} holds neither sha-256 nor sha-512.`,
    );
  }
}
